/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests gst_mgpu_keypoint_meta_match(). */
#define _GNU_SOURCE             /* RTLD_NEXT */
#include <dlfcn.h>
#include <math.h>
#include <string.h>

#include "../../reference/match.h"
#include "device.h"

#define SIZE GST_MGPU_DESCRIPTOR_SIZE
#define SIFT GST_MGPU_DESCRIPTOR_TYPE_SIFT

/* Number of query descriptors, of train descriptors, and of threads that match them */
#define N 50
#define M 70
#define N_THREADS 4

static guint8 queries[N * SIZE], trains[M * SIZE];

/* Fills descriptors: every third query descriptor is near a train descriptor, and some train
 * descriptors exist twice. */
static void
fill_descriptors (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < sizeof (queries); i++)
    queries[i] = g_rand_int_range (random, 0, 256);
  for (guint i = 0; i < sizeof (trains); i++)
    trains[i] = g_rand_int_range (random, 0, 256);
  for (guint i = 0; i < N; i += 3) {
    memcpy (trains + (M - 1 - i) * SIZE, queries + i * SIZE, SIZE);
    trains[(M - 1 - i) * SIZE + i] ^= 9;
  }
  memcpy (trains + 2 * SIZE, trains + (M - 1) * SIZE, SIZE);
}

/* Returns a frame with @n keypoints, one in each column. @descriptors: (transfer full) */
static GstBuffer *
frame_with (GstMgpuQueue * on, guint n, GstMgpuDescriptorType type,
    GstBuffer * descriptors)
{
  gsize size = sizeof (GstMgpuKeypointHeader) + n * sizeof (GstMgpuKeypoint);
  g_autofree GstMgpuKeypointHeader *table = g_malloc0 (size);
  GstMgpuKeypoint *points = (GstMgpuKeypoint *) (table + 1);
  GstBuffer *frame = gst_buffer_new ();

  table->n = n;
  for (guint i = 0; i < n; i++)
    points[i].x = i;
  gst_buffer_add_mgpu_keypoint_meta (frame, device_buffer_new (on, table, size),
      type, descriptors);
  return frame;
}

/* Returns a frame with the first @n of @descriptors */
static GstBuffer *
frame_new (GstMgpuQueue * on, const guint8 * descriptors, guint n)
{
  /* Allocates at least one entry, because a memory object cannot be empty. */
  return frame_with (on, n, SIFT, device_buffer_new (on, descriptors,
          MAX (n, 1) * SIZE));
}

static GBytes *
match (GstBuffer * a, GstBuffer * b, gdouble ratio, gboolean mutual,
    GError ** error)
{
  return gst_mgpu_keypoint_meta_match (gst_buffer_get_mgpu_keypoint_meta (a),
      gst_buffer_get_mgpu_keypoint_meta (b), ratio, mutual, error);
}

/* Compares the matches with the reference. Returns: the number of matches */
static guint
check_match (GstBuffer * a, guint n, GstBuffer * b, guint m, gdouble ratio,
    gboolean mutual)
{
  GError *error = NULL;
  g_autoptr (GBytes) bytes = match (a, b, ratio, mutual, &error);
  const GstMgpuKeypointMatch *got;
  guint32 matching[N], n_want;
  RefMatch there[N], back[M];
  gsize size;

  fail_unless (bytes != NULL, "%s", error ? error->message : "");
  ref_match (queries, n, trains, m, there);
  ref_match (trains, m, queries, n, back);
  n_want = ref_match_select (there, n, mutual ? back : NULL, ratio, matching);
  got = g_bytes_get_data (bytes, &size);
  fail_unless_equals_uint64 (size, n_want * sizeof (*got));
  for (guint i = 0; i < n_want; i++) {
    fail_unless_equals_int (got[i].query, matching[i]);
    fail_unless_equals_int (got[i].train, there[matching[i]].train);
    fail_unless_equals_int (got[i].distance, there[matching[i]].distance);
  }
  return n_want;
}

GST_START_TEST (test_match)
{
  g_autoptr (GstBuffer) a = frame_new (queue, queries, N);
  g_autoptr (GstBuffer) b = frame_new (queue, trains, M), copy =
      gst_buffer_copy (b);
  guint n = check_match (a, N, b, M, 0.75, FALSE);

  /* The query descriptor whose train descriptor exists twice fails the ratio test. */
  fail_unless_equals_int (n, (N + 2) / 3 - 1);
  fail_unless_equals_int (check_match (a, N, copy, M, 0.75, TRUE), n);
  fail_unless_equals_int (check_match (a, N, b, M, 1, FALSE), N);
  fail_unless (check_match (a, N, b, M, 1, TRUE) < N);
  fail_unless (check_match (a, N, b, M, 0.999, TRUE) > n);
  fail_unless_equals_int (check_match (a, N, b, M, 0, TRUE), 0);
}

GST_END_TEST;

/* Tests that a single train descriptor is every query's nearest, and passes the ratio test. Without
 * any train descriptor there is no match. */
GST_START_TEST (test_few)
{
  static const guint sizes[][2] = { {N, 1}, {1, M}, {1, 1}, {2, 2} };
  g_autoptr (GstBuffer) none = frame_new (queue, queries, 0), some = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    guint n = sizes[i][0], m = sizes[i][1];
    g_autoptr (GstBuffer) a = frame_new (queue, queries, n);
    g_autoptr (GstBuffer) b = frame_new (queue, trains, m);

    if (m == 1)
      fail_unless_equals_int (check_match (a, n, b, m, 0.5, FALSE), n);
    fail_unless (check_match (a, n, b, m, 1, TRUE) > 0);
    check_match (a, n, b, m, 0.5, TRUE);
  }

  some = frame_new (queue, queries, N);
  for (guint i = 0; i < 3; i++) {
    GError *error = NULL;
    g_autoptr (GBytes) bytes =
        match (i == 0 ? some : none, i == 1 ? some : none, 0.75, TRUE, &error);

    fail_unless (bytes != NULL && error == NULL);
    fail_unless_equals_uint64 (g_bytes_get_size (bytes), 0);
  }
}

GST_END_TEST;

static void
check_error (GstBuffer * a, GstBuffer * b, gdouble ratio, gint code,
    const gchar * words)
{
  g_autoptr (GError) error = NULL;

  fail_unless (match (a, b, ratio, TRUE, &error) == NULL);
  fail_unless (g_error_matches (error, GST_MGPU_ERROR, code));
  fail_unless (strstr (error->message, words) != NULL, "%s", error->message);
}

GST_START_TEST (test_errors)
{
  g_autoptr (GstBuffer) good = frame_new (queue, queries, N);
  g_autoptr (GstBuffer) none =
      frame_with (queue, N, GST_MGPU_DESCRIPTOR_TYPE_NONE, NULL);
  g_autoptr (GstBuffer) other =
      frame_with (queue, M, GST_MGPU_DESCRIPTOR_TYPE_ROOTSIFT,
      device_buffer_new (queue, trains, sizeof (trains)));
  g_autoptr (GstBuffer) plain =
      frame_with (queue, 1, SIFT, gst_buffer_new_memdup (queries, SIZE));
  g_autoptr (GstBuffer) short_one =
      frame_with (queue, N, SIFT, device_buffer_new (queue, queries, SIZE));
  const gint unsupported = GST_MGPU_ERROR_UNSUPPORTED;

  check_error (good, good, -0.1, unsupported, "ratio");
  check_error (good, good, 1.1, unsupported, "ratio");
  check_error (good, good, NAN, unsupported, "ratio");
  check_error (good, none, 0.75, unsupported, "without descriptors");
  check_error (none, good, 0.75, unsupported, "without descriptors");
  check_error (good, other, 0.75, unsupported, "different types");
  check_error (plain, good, 0.75, unsupported, "memory of a device");
  check_error (good, short_one, 0.75, GST_MGPU_ERROR_FAILED, "read");
  check_error (short_one, good, 0.75, GST_MGPU_ERROR_FAILED, "read");
}

GST_END_TEST;

/* Returns @frame (transfer full) without its first @n keypoints, which are cropped on the left. */
static GstBuffer *
without_first (GstBuffer * frame, guint n)
{
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (frame);
  GstBuffer *to = gst_buffer_new ();
  GstVideoInfo in, out;
  GstMgpuMetaTransform crop = { &in, &out, {{1, 0, -1.0 * n}, {0, 1, 0}}, 0, 0,
    100, 10
  };

  gst_video_info_set_format (&in, GST_VIDEO_FORMAT_GRAY8, 100 + n, 10);
  gst_video_info_set_format (&out, GST_VIDEO_FORMAT_GRAY8, 100, 10);
  fail_unless (meta->meta.info->transform_func (to, &meta->meta, frame,
          gst_mgpu_meta_transform_affine_get_quark (), &crop));
  gst_buffer_unref (frame);
  return to;
}

/* Tests that unreadable keypoints cause an error, not an empty list. */
GST_START_TEST (test_unreadable)
{
  g_autoptr (GstBuffer) a = frame_new (queue, queries, N);
  g_autoptr (GstBuffer) b = frame_new (queue, trains, M);
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (b);
  GstMemory *memory = gst_mgpu_keypoint_meta_get_keypoint_memory (meta);
  GstMapInfo map;

  /* Maps the memory for writing, so that nobody else can read it. */
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  check_error (a, b, 0.75, GST_MGPU_ERROR_FAILED, "keypoints cannot be read");
  check_error (b, a, 0.75, GST_MGPU_ERROR_FAILED, "keypoints cannot be read");
  gst_memory_unmap (memory, &map);
  fail_unless (check_match (a, N, b, M, 0.75, TRUE) > 0);

  memory = gst_mgpu_keypoint_meta_get_descriptor_memory (meta);
  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  b = without_first (b, 1);
  check_error (a, b, 0.75, GST_MGPU_ERROR_FAILED, "descriptors cannot be read");
  gst_memory_unmap (memory, &map);
}

GST_END_TEST;

/* Size of mapped memory whose bytes are wrong when they are read */
static gsize wrong_size;

/* Replaces the GStreamer function gst_memory_map(); gives wrong bytes, as a faulty driver does, in
 * mapped memory of @wrong_size bytes. */
__attribute__ ((visibility ("default")))
gboolean
gst_memory_map (GstMemory * memory, GstMapInfo * info, GstMapFlags flags)
{
  gboolean (*real) (GstMemory *, GstMapInfo *, GstMapFlags) =
      (gboolean (*)(GstMemory *, GstMapInfo *, GstMapFlags)) dlsym (RTLD_NEXT,
      "gst_memory_map");
  gboolean mapped = real (memory, info, flags);

  if (mapped && flags == GST_MAP_READ && info->size == wrong_size)
    memset (info->data, 0xff, info->size);
  return mapped;
}

/* Tests that an index of a train descriptor that does not exist is not a match, and is not looked
 * up. */
GST_START_TEST (test_wrong_train)
{
  g_autoptr (GstBuffer) a = frame_new (queue, queries, N);
  g_autoptr (GstBuffer) b = frame_new (queue, trains, M);
  GError *error = NULL;

  wrong_size = N * sizeof (GstMgpuKeypointMatch);
  check_error (a, b, 0.75, GST_MGPU_ERROR_FAILED, "driver is faulty");
  fail_unless (match (a, b, 1, FALSE, &error) == NULL);
  fail_unless (strstr (error->message, "4294967295") != NULL);
  g_error_free (error);
  wrong_size = 0;
}

GST_END_TEST;

/* Tests that train descriptors of another context, or in system memory, are copied. */
GST_START_TEST (test_other_memory)
{
  g_autoptr (GstMgpuContext) other = gst_mgpu_context_new (NULL, NULL);
  GstMgpuQueue *other_queue = gst_mgpu_queue_new (other, NULL);
  GstBuffer *a = frame_new (queue, queries, N);
  GstBuffer *b = frame_new (other_queue, trains, M);
  GstBuffer *plain = frame_with (queue, M, SIFT,
      gst_buffer_new_memdup (trains, sizeof (trains)));

  fail_unless (check_match (a, N, b, M, 0.75, TRUE) > 0);
  fail_unless (check_match (a, N, plain, M, 0.75, TRUE) > 0);
  gst_buffer_unref (a);
  gst_buffer_unref (b);
  gst_buffer_unref (plain);
  gst_object_unref (other_queue);
  ASSERT_OBJECT_REFCOUNT (other, "other context", 1);
}

GST_END_TEST;

/* Tests that keypoints that a crop removed match nothing; the keypoints after them in the table
 * keep their descriptors. */
GST_START_TEST (test_cropped)
{
  guint8 more[(M + 5) * SIZE];
  g_autoptr (GstBuffer) a = NULL, b = NULL;

  /* The descriptors of the removed keypoints would be better matches than all others. */
  memcpy (more, queries, 5 * SIZE);
  memcpy (more + 5 * SIZE, trains, sizeof (trains));
  a = frame_new (queue, queries, N);
  b = without_first (frame_new (queue, more, M + 5), 5);
  fail_unless (check_match (a, N, b, M, 0.75, TRUE) > 0);
  gst_buffer_unref (a);

  memcpy (more, trains, 5 * SIZE);
  memcpy (more + 5 * SIZE, queries, sizeof (queries));
  a = without_first (frame_new (queue, more, N + 5), 5);
  fail_unless (check_match (a, N, b, M, 0.75, FALSE) > 0);
}

GST_END_TEST;

static gpointer
match_often (gpointer data)
{
  GstBuffer **frames = data;

  for (guint i = 0; i < 10; i++)
    check_match (frames[0], N, frames[1], M, 0.9, i % 2);
  return NULL;
}

GST_START_TEST (test_threads)
{
  GstBuffer *frames[2] = {
    frame_new (queue, queries, N), frame_new (queue, trains, M)
  };
  GThread *threads[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("match", match_often, frames);
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  gst_buffer_unref (frames[0]);
  gst_buffer_unref (frames[1]);
}

GST_END_TEST;

GST_START_TEST (test_boxed)
{
  GstMgpuKeypointMatch from = { 1, 2, 3 };
  GstMgpuKeypointMatch *copy = g_boxed_copy (GST_TYPE_MGPU_KEYPOINT_MATCH,
      &from);

  fail_unless (memcmp (copy, &from, sizeof (from)) == 0);
  g_boxed_free (GST_TYPE_MGPU_KEYPOINT_MATCH, copy);
}

GST_END_TEST;

CHECK_TESTS (mgpukeypointmatch)
{
  tcase_add_checked_fixture (tc, setup, teardown);
  tcase_add_checked_fixture (tc, fill_descriptors, NULL);
  tcase_add_test (tc, test_match);
  tcase_add_test (tc, test_few);
  tcase_add_test (tc, test_errors);
  tcase_add_test (tc, test_unreadable);
  tcase_add_test (tc, test_wrong_train);
  tcase_add_test (tc, test_other_memory);
  tcase_add_test (tc, test_cropped);
  tcase_add_test (tc, test_threads);
  tcase_add_test (tc, test_boxed);
}
