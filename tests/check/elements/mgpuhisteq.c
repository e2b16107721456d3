/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the temporal smoothing of mgpuhisteq, and its histogram counters after a device error;
 * mgpucases tests the rest. */
#include "reference.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <math.h>

#include "../launches.h"
#include "../../cases/histeq.h"

#define DATA "/usr/share/doc/opencv-doc/examples/data/"

typedef struct
{
  MgpuHisteqParams params;
  RefHisteqPast *past;          /* smoothed histogram tables of earlier frames */
} Stream;

static void
reference (GstVideoFrame * in, GstVideoFrame * out, gconstpointer data)
{
  const Stream *stream = data;
  RefPlane from[GST_VIDEO_MAX_COMPONENTS], to[GST_VIDEO_MAX_COMPONENTS];

  ref_planes (in, from);
  ref_planes (out, to);
  cases_histeq_equalize (&stream->params, &in->info, from, to, stream->past);
}

static void
push_smoothed (GstHarness * h, const GstVideoInfo * info, guint seed,
    gboolean discont, const Stream * stream)
{
  push_as_reference (h, info, seed, discont, reference, stream);
}

/* Tests that a frame continues the temporal smoothing of the frames before it, except after a
 * flush, a discontinuity or new caps. */
GST_START_TEST (test_smoothing)
{
  static const struct
  {
    const gchar *launch;
    MgpuHisteqParams params;
  } methods[] = {
    {"mgpuhisteq temporal-smoothing=0.75", {MGPU_HISTEQ_GLOBAL,
            MGPU_HISTEQ_LUMA, 0.75,.strength = 1}},
    {"mgpuhisteq temporal-smoothing=0.75 method=clahe tiles-x=2 tiles-y=3 "
          "clip-limit=3", {MGPU_HISTEQ_CLAHE, MGPU_HISTEQ_LUMA, 0.75, {2, 3,
              3.0},.strength = 1}},
    {"mgpuhisteq temporal-smoothing=0.75 method=levels", {MGPU_HISTEQ_LEVELS,
            MGPU_HISTEQ_LUMA, 0.75,.levels = {0.005, 0.005, 4},.strength = 1}}
  };
  const gchar *caps = HOST_CAPS ("NV12", 40, 30);
  const gchar *other_caps = HOST_CAPS ("NV12", 42, 30);
  GstVideoInfo info = info_from_string (caps);
  GstVideoInfo other_info = info_from_string (other_caps);
  RefHisteqPast past = { 0 };
  Stream stream = { methods[__i__].params, &past };
  g_autoptr (GstHarness) h = harness_new (methods[__i__].launch, caps, caps);

  push_smoothed (h, &info, 1, TRUE, &stream);
  push_smoothed (h, &info, 2, FALSE, &stream);
  push_smoothed (h, &info, 3, FALSE, &stream);

  ref_histeq_forget (&past);
  push_smoothed (h, &info, 4, TRUE, &stream);
  push_smoothed (h, &info, 5, FALSE, &stream);

  ref_histeq_forget (&past);
  flush (h);
  push_smoothed (h, &info, 6, FALSE, &stream);
  push_smoothed (h, &info, 7, FALSE, &stream);

  ref_histeq_forget (&past);
  gst_harness_set_sink_caps_str (h, other_caps);
  gst_harness_set_src_caps_str (h, other_caps);
  push_smoothed (h, &other_info, 8, FALSE, &stream);
  push_smoothed (h, &other_info, 9, FALSE, &stream);

  ref_histeq_forget (&past);
}

GST_END_TEST;

/* ---- Steadiness -------------------------------------------------------------- */

#define WIDTH 160
#define HEIGHT 120
#define N_FRAMES 64

/* Number of frames at the beginning that are not measured: after them the weight of the first frame
 * is below a twentieth. */
#define N_BEFORE 32

/* What changes from frame to frame, in addition to noise. The upper left quarter of all frames
 * shows the same scene. */
typedef enum
{
  STEADY,
  GAIN,                         /* the brightness is multiplied: up to 12 % more or less */
  OFFSET,                       /* the brightness is shifted by up to 12 levels up or down */
  MOVES,                        /* a bright square moves in the lower part */
  FLASHES,                      /* the right third is white in every second frame */
  MOVES_AND_GAIN,
  N_CHANGES
} Change;

static gint
scene_value (Change change, gint frame, gint x, gint y, gdouble light,
    guint noise)
{
  gdouble value = 40 + 130 * (x + y) / (WIDTH + HEIGHT)
      + 9 * ((x / 7 + y / 5) % 3);
  gint left = frame * 11 % (WIDTH - 40);

  if ((change == MOVES || change == MOVES_AND_GAIN) && y >= HEIGHT / 2 + 5
      && y < HEIGHT - 5 && x >= left && x < left + 40)
    value = 225;
  if (change == FLASHES && frame % 2 == 1 && x >= WIDTH * 2 / 3)
    return 245;
  if (change == GAIN || change == MOVES_AND_GAIN)
    value *= 1 + 0.12 * light;
  if (change == OFFSET)
    value += 12 * light;
  return CLAMP ((gint) value + (gint) (noise % 3) - 1, 1, 254);
}

static GstBuffer *
scene_frame (const GstVideoInfo * info, Change change, gint frame,
    GRand * dice)
{
  gdouble light = g_rand_double_range (dice, -1, 1);
  GstBuffer *buffer = frame_new (info, LAYOUT_DEFAULT, 0);
  GstVideoFrame map;

  fail_unless (gst_video_frame_map (&map, info, buffer, GST_MAP_WRITE));
  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++)
      comp_data (&map, 0)[y * GST_VIDEO_FRAME_COMP_STRIDE (&map, 0) + x] =
          scene_value (change, frame, x, y, light, g_rand_int (dice));
  gst_video_frame_unmap (&map);
  return buffer;
}

static gdouble
mean_of_quarter (const GstVideoInfo * info, GstBuffer * buffer)
{
  GstVideoFrame map;
  gdouble sum = 0;

  fail_unless (gst_video_frame_map (&map, info, buffer, GST_MAP_READ));
  for (gint y = 0; y < HEIGHT / 2; y++)
    for (gint x = 0; x < WIDTH / 2; x++)
      sum += comp_data (&map, 0)[y * GST_VIDEO_FRAME_COMP_STRIDE (&map, 0) + x];
  gst_video_frame_unmap (&map);
  return sum / (WIDTH / 2 * HEIGHT / 2);
}

/* Returns: the standard deviation over time of the mean of the frame's constant part */
static gdouble
deviation (const gchar * method, const gchar * smoothing, Change change)
{
  g_autofree gchar *launch =
      g_strdup_printf ("mgpuhisteq method=%s temporal-smoothing=%s",
      method, smoothing);
  const gchar *caps = HOST_CAPS ("GRAY8", 160, 120);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (launch, caps, caps);
  g_autoptr (GRand) dice = g_rand_new_with_seed (1);
  gdouble sum = 0, squares = 0, n = N_FRAMES - N_BEFORE;

  for (gint i = 0; i < N_FRAMES; i++) {
    g_autoptr (GstBuffer) out =
        harness_push_pull (h, scene_frame (&info, change, i, dice));

    if (i >= N_BEFORE) {
      gdouble mean = mean_of_quarter (&info, out);

      sum += mean;
      squares += mean * mean;
    }
  }
  return sqrt (MAX (squares / n - sum / n * (sum / n), 0));
}

/* Tests that temporal smoothing never increases the deviation in flickering light, and that moving
 * or flashing areas elsewhere change the constant part less than without smoothing. */
GST_START_TEST (test_steadiness)
{
  static const gchar *const methods[] = { "global", "clahe", "levels" };
  static const gchar *const names[N_CHANGES] = {
    "steady", "gain", "offset", "moves", "flashes", "moves, gain"
  };
  /* Maximum deviation with temporal smoothing, as a fraction of the deviation without it. The noise
   * of a frame is added to the limit, because only the frame's own table would remove it from the
   * mean. */
  static const gdouble share[N_CHANGES] = { 1, 1, 1, 0.7, 0.4, 1 };

  for (Change change = 0; change < N_CHANGES; change++) {
    gdouble without = deviation (methods[__i__], "0", change);
    gdouble with = deviation (methods[__i__], "0.9", change);

    GST_INFO ("%s, %s: %.3f without, %.3f with smoothing", methods[__i__],
        names[change], without, with);
    fail_unless (with <= share[change] * without + 0.12,
        "%s, %s: %.3f without, %.3f with smoothing", methods[__i__],
        names[change], without, with);
  }
}

GST_END_TEST;

/* ---- Flicker of photographs --------------------------------------------------- */

#define PHOTO_CAPS HOST_CAPS ("GRAY8", 384, 288)
#define PHOTO_WIDTH 384
#define PHOTO_HEIGHT 288
#define REGION 48               /* width and height of a measured region */
#define N_REGIONS (PHOTO_WIDTH / REGION * (PHOTO_HEIGHT / REGION))
#define N_PHOTOS 36
#define N_PHOTOS_BEFORE 12      /* are not measured */

static void
load_photograph (const gchar * name, guint8 * values)
{
  g_autofree gchar *path = g_strconcat (DATA, name, NULL);
  g_autoptr (GdkPixbuf) pixbuf =
      gdk_pixbuf_new_from_file_at_scale (path, PHOTO_WIDTH, PHOTO_HEIGHT, FALSE,
      NULL);

  fail_unless (pixbuf != NULL, "%s cannot be read", path);
  for (gint y = 0; y < PHOTO_HEIGHT; y++)
    for (gint x = 0; x < PHOTO_WIDTH; x++) {
      const guint8 *p = gdk_pixbuf_read_pixels (pixbuf)
          + y * gdk_pixbuf_get_rowstride (pixbuf)
          + x * gdk_pixbuf_get_n_channels (pixbuf);

      values[y * PHOTO_WIDTH + x] = (p[0] + 2 * p[1] + p[2]) / 4;
    }
}

/* Returns: the photograph with another brightness, with noise of 3.2 levels */
static GstBuffer *
photograph_in_light (const guint8 * values, Change change, GRand * dice)
{
  gdouble light = g_rand_double_range (dice, -1, 1);
  gdouble gain = change == GAIN ? 1 + 0.12 * light : 1;
  gdouble offset = change == OFFSET ? 12 * light : 0;
  GstBuffer *buffer = gst_buffer_new_and_alloc (PHOTO_WIDTH * PHOTO_HEIGHT);
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++) {
    guint noise = g_rand_int (dice);
    gdouble value = values[i] * gain + offset + (noise % 8) + (noise / 8 % 8) - 7;

    map.data[i] = (guint8) CLAMP (rint (value), 0, 255);
  }
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

/* Sets @deviations to the standard deviations over time of the means of the regions. */
static void
find_deviations (const guint8 * values, const gchar * smoothing, Change change,
    gdouble deviations[N_REGIONS])
{
  g_autofree gchar *launch = g_strdup_printf ("mgpuhisteq method=clahe "
      "temporal-smoothing=%s", smoothing);
  g_autoptr (GstHarness) h = harness_new (launch, PHOTO_CAPS, PHOTO_CAPS);
  g_autoptr (GRand) dice = g_rand_new_with_seed (7);
  gdouble sums[N_REGIONS] = { 0 }, squares[N_REGIONS] = { 0 };
  gdouble n = N_PHOTOS - N_PHOTOS_BEFORE;

  for (gint i = 0; i < N_PHOTOS; i++) {
    GstBuffer *out = harness_push_pull (h, photograph_in_light (values, change,
            dice));
    gdouble means[N_REGIONS] = { 0 };
    GstMapInfo map;

    fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
    for (gint p = 0; p < PHOTO_WIDTH * PHOTO_HEIGHT; p++)
      means[p / PHOTO_WIDTH / REGION * (PHOTO_WIDTH / REGION)
          + p % PHOTO_WIDTH / REGION] += map.data[p] / (gdouble) (REGION * REGION);
    gst_buffer_unmap (out, &map);
    gst_buffer_unref (out);
    for (guint r = 0; r < N_REGIONS && i >= N_PHOTOS_BEFORE; r++) {
      sums[r] += means[r];
      squares[r] += means[r] * means[r];
    }
  }
  for (guint r = 0; r < N_REGIONS; r++)
    deviations[r] =
        sqrt (MAX (squares[r] / n - sums[r] / n * (sums[r] / n), 0));
}

/* Tests that with temporal smoothing CLAHE flickers in no region more than without, whether the
 * light of the photographs changes or only their noise. */
GST_START_TEST (test_photographs)
{
  static const gchar *const names[] = { "fruits.jpg", "building.jpg" };
  static guint8 values[PHOTO_WIDTH * PHOTO_HEIGHT];

  load_photograph (names[__i__], values);
  for (Change change = STEADY; change <= OFFSET; change++) {
    gdouble without[N_REGIONS], with[N_REGIONS], sum = 0, sum_with = 0;

    find_deviations (values, "0", change, without);
    find_deviations (values, "0.9", change, with);
    for (guint r = 0; r < N_REGIONS; r++) {
      fail_unless (with[r] <= 1.1 * without[r] + 0.1,
          "%s, change %d, region %u: %.3f without, %.3f with smoothing",
          names[__i__], change, r, without[r], with[r]);
      sum += without[r] / N_REGIONS;
      sum_with += with[r] / N_REGIONS;
    }
    GST_INFO ("%s, change %d: %.3f without, %.3f with smoothing", names[__i__],
        change, sum, sum_with);
    fail_unless (sum_with <= sum + 0.03,
        "%s, change %d: %.3f without, %.3f with smoothing", names[__i__],
        change, sum, sum_with);
  }
}

GST_END_TEST;

/* Number of kernel launches that succeed before one fails; if negative, all succeed. */
static gint n_launches = -1;

static cl_int
on_launch (cl_kernel kernel, cl_uint n_dims, const size_t *global)
{
  return n_launches >= 0 && n_launches-- == 0 ? LAUNCH_LOST : CL_SUCCESS;
}

/* Tests a device that aborts a kernel of a frame that is already enqueued, so that the frame's
 * histogram counters cannot be cleared. Only this frame and the next one may be wrong. */
GST_START_TEST (test_lost_launch)
{
  static const gchar *const launches[] = {
    "mgpuhisteq", "mgpuhisteq method=clahe tiles-x=2 tiles-y=3",
    "mgpuhisteq method=levels"
  };
  const gchar *caps = __i__ % 2 ? HOST_CAPS ("GRAY16_LE", 40, 30)
      : HOST_CAPS ("GRAY8", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (launches[__i__ / 2], caps, caps);
  g_autoptr (GstBuffer) frame = frame_new (&info, LAYOUT_DEFAULT, 1);
  g_autoptr (GstBuffer) expected = harness_push_pull (h,
      gst_buffer_ref (frame));
  gboolean lost = TRUE;
  gint call;

  for (call = 0; lost; call++) {
    g_autoptr (GstBuffer) out = NULL;

    n_launches = call;
    gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
                2)));
    lost = n_launches < 0;
    n_launches = -1;
    gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
                3)));
    out = harness_push_pull (h, gst_buffer_ref (frame));
    fail_unless_same_frame (&info, out, expected);
  }
  fail_unless (call > 2, "%d", call);
}

GST_END_TEST;

CHECK_TESTS (mgpuhisteq)
{
  tcase_add_loop_test (tc, test_smoothing, 0, 3);
  tcase_add_loop_test (tc, test_steadiness, 0, 3);
  tcase_add_loop_test (tc, test_photographs, 0, 2);
  tcase_add_loop_test (tc, test_lost_launch, 0, 6);
}
