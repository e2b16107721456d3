/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "kernelcheck.h"
#include "peers.h"
#include <gst/vision/sift.h>
#include "../reference/sift.h"

#include <math.h>
#include <string.h>

/* What a frame shows: what all pictures know, or boxes of random size, place
 * and value, which have points at every scale. */
#define CONTENT_BOXES (KC_CONTENT_NATURAL + 1)

typedef struct
{
  KcKind kind;
  GstVideoFormat format;
  gint width, height;
  guint content;
  KcLayout layout;
  MgpuSiftParams params;
} Case;

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_YUY2,
  GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_P010_10LE
};

static const gint sizes[][2] = {
  {70, 58}, {1, 1}, {23, 21}, {6, 97}, {61, 53}, {5, 5}, {11, 11}, {160, 37}, {285, 201},
  {3, 200}, {640, 480}
};

static const MgpuSiftParams variants[] = {
  MGPU_SIFT_PARAMS_INIT,
  {FALSE, 0, 3, 1.6, 0, 0.01, 10, 4, GST_MGPU_DESCRIPTOR_TYPE_ROOTSIFT},
  {TRUE, 2, 5, 1.2, 20, 0.02, 20, 1, GST_MGPU_DESCRIPTOR_TYPE_SIFT},
  {FALSE, 1, 2, 2.0, 7, 0, 1000, 8, GST_MGPU_DESCRIPTOR_TYPE_SIFT},
  {TRUE, 0, 1, 0.5, 0, 0.03, 5, 2, GST_MGPU_DESCRIPTOR_TYPE_NONE},
  {TRUE, 0, 8, 1.6, 0, 0.04, 10, 4, GST_MGPU_DESCRIPTOR_TYPE_ROOTSIFT},
  {FALSE, 0, 1, 4.0, 0, 0, 50, 4, GST_MGPU_DESCRIPTOR_TYPE_SIFT},
  {TRUE, 0, 3, 1.6, 0, 1, 1, 4, GST_MGPU_DESCRIPTOR_TYPE_SIFT},
};

static void
put (const RefPlane * plane, gint x, gint y, guint value)
{
  guint8 *at = plane->data + y * plane->stride + x * plane->pixel_stride;

  at[0] = value << plane->shift;
  if (plane->bytes == 2)
    at[1] = (value << plane->shift) >> 8;
}

static void
fill_boxes (KcPicture * picture, KcRandom * random)
{
  RefPlane plane = kc_picture_plane (picture, 0);
  guint n = plane.width * plane.height / 60 + 2;

  kc_picture_fill (picture, KC_CONTENT_FLAT, random);
  for (guint i = 0; i < n; i++) {
    gint size = 2 + kc_random_below (random, i < n / 4 ? 40 : 12);
    gint x0 = kc_random_below (random, plane.width);
    gint y0 = kc_random_below (random, plane.height);
    guint value = kc_random_below (random, plane.max + 1);

    for (gint y = y0; y < MIN (y0 + size, plane.height); y++)
      for (gint x = x0; x < MIN (x0 + size, plane.width); x++)
        put (&plane, x, y, value);
  }
}

static void
fill (KcPicture * picture, guint content, KcRandom * random)
{
  if (content == CONTENT_BOXES)
    fill_boxes (picture, random);
  else
    kc_picture_fill (picture, content, random);
}

/* Tables on the device, and what came out. */
typedef struct
{
  guint room;
  GstMgpuMemory *keypoints, *descriptors;
  guint8 *got_keypoints, *got_descriptors;
} Tables;

static gsize
keypoints_size (guint room)
{
  return sizeof (GstMgpuKeypointHeader) + room * sizeof (GstMgpuKeypoint);
}

static gboolean
tables_init (Tables * tables, KcRun * run, guint room)
{
  gsize size = keypoints_size (room);

  tables->room = room;
  tables->got_keypoints = g_malloc (size);
  tables->got_descriptors = g_malloc ((gsize) room * 128);
  memset (tables->got_keypoints, 0xa5, size);
  memset (tables->got_descriptors, 0xa5, (gsize) room * 128);
  tables->keypoints = kc_memory_new (run, tables->got_keypoints, size);
  tables->descriptors = kc_memory_new (run, tables->got_descriptors,
      (gsize) room * 128);
  return tables->keypoints != NULL && tables->descriptors != NULL;
}

static void
tables_clear (Tables * tables)
{
  kc_memory_free (tables->keypoints);
  kc_memory_free (tables->descriptors);
  g_free (tables->got_keypoints);
  g_free (tables->got_descriptors);
}

static void
enqueue (MgpuSift * self, KcRun * run, const MgpuSiftParams * params,
    KcFrame * frame, Tables * tables)
{
  gboolean describes = params->descriptor != GST_MGPU_DESCRIPTOR_TYPE_NONE;
  GError *error = NULL;
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_sift_enqueue (self, &job, params, &frame->image, tables->keypoints,
      describes ? tables->descriptors : NULL);
  if (!gst_mgpu_job_end (&job, &error))
    kc_case_fail_error (run, error);
}

/* capacity: points that there is memory for */
static gboolean
make_reference (const KcPicture * in, const MgpuSiftParams * params,
    guint capacity, RefSiftResult * result)
{
  RefSiftParams p = { params->upsample, params->octaves, params->scales,
    params->sigma, params->contrast, params->edge, params->max_orientations,
    params->max_features, capacity, params->descriptor
  };
  RefPlane plane = kc_picture_plane (in, 0);

  return ref_sift (&plane, &p, NULL, result);
}

static void
compare (KcRun * run, const RefSiftResult * want, const Tables * tables)
{
  const guint32 header[2] = { want->n, want->dropped };
  guint8 *points = tables->got_keypoints + sizeof (GstMgpuKeypointHeader);
  KcArray want_header = { "counts", KC_U32, header, 8, 4, 2, 1 };
  KcArray got_header = want_header;
  KcArray want_points = { "keypoints", KC_U32, want->keypoints,
    sizeof (GstMgpuKeypoint), 4, 7, want->n
  };
  KcArray got_points = want_points;
  KcArray want_bytes = { "descriptors", KC_U8, want->descriptors, 128, 1, 128,
    want->n
  };
  KcArray got_bytes = want_bytes;

  got_header.data = tables->got_keypoints;
  got_points.data = points;
  got_bytes.data = tables->got_descriptors;
  if (!kc_compare_array (run, &want_header, &got_header) || want->n == 0)
    return;
  if (kc_compare_array (run, &want_points, &got_points)
      && want->descriptors != NULL)
    kc_compare_array (run, &want_bytes, &got_bytes);
}

static void
check_frame (KcRun * run, MgpuSift * self, const Case * c,
    const KcPicture * in)
{
  KcFrame *frame = kc_frame_new (run, in);
  MgpuSiftParams all = c->params;
  RefSiftResult want = { 0, };
  Tables tables = { 0, };

  all.max_features = 0;
  if (frame != NULL
      && tables_init (&tables, run, mgpu_sift_get_room (self, &c->params))) {
    enqueue (self, run, &c->params, frame, &tables);
    if (!make_reference (in, &c->params, mgpu_sift_get_room (self, &all),
            &want))
      kc_case_fail (run, "no memory for the reference");
    else if (kc_memory_read (run, tables.keypoints, tables.got_keypoints)
        && kc_memory_read (run, tables.descriptors, tables.got_descriptors))
      compare (run, &want, &tables);
    ref_sift_clear (&want);
  }
  tables_clear (&tables);
  kc_frame_free (frame);
}

static void
check_case (KcRun * run, const Case * c, KcRandom * random)
{
  const MgpuSiftParams *p = &c->params;
  GError *error = NULL;
  GstVideoInfo info;
  MgpuSift *self;
  KcPicture *in;

  gst_video_info_set_format (&info, c->format, c->width, c->height);
  in = kc_picture_new (&info, c->layout, random);
  fill (in, c->content, random);
  kc_case_begin (run, c->kind, "%s %dx%d, strides %s, %s, upsample %d, "
      "octaves %u, scales %u, sigma %g, max-features %u, contrast %g, edge %g, "
      "max-orientations %u, descriptor %d", GST_VIDEO_INFO_NAME (&info),
      c->width, c->height, kc_picture_strides (in),
      c->content == CONTENT_BOXES ? "boxes" : kc_content_name (c->content),
      p->upsample, p->octaves, p->scales, p->sigma, p->max_features,
      p->contrast, p->edge, p->max_orientations, p->descriptor);

  self = mgpu_sift_new (run->context, &info, p, &error);
  if (self != NULL) {
    check_frame (run, self, c, in);
    mgpu_sift_free (self);
  } else {
    kc_case_fail_error (run, error);
  }
  kc_case_end (run);
  kc_picture_free (in);
}

#ifdef HAVE_OPENCV
/* ---- Agreement with OpenCV --------------------------------------------------- */

/* The picture in a file, as it is, in grey; NULL where there is none. */
static KcPicture *
load_picture (const gchar * name)
{
  gchar *launch = g_strdup_printf ("filesrc location=" KC_PHOTOGRAPHS "/%s ! "
      "decodebin ! videoconvert ! video/x-raw,format=GRAY8 ! "
      "fakesink name=sink sync=false", name);
  GstElement *pipeline = gst_parse_launch (launch, NULL);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstBus *bus = gst_element_get_bus (pipeline);
  GstSample *sample = NULL;
  KcPicture *picture = NULL;
  GstVideoFrame frame;
  GstMessage *message;
  GstVideoInfo info;
  KcRandom random;

  kc_random_init (&random, 1);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 10 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    g_object_get (sink, "last-sample", &sample, NULL);
  if (sample != NULL
      && gst_video_info_from_caps (&info, gst_sample_get_caps (sample))
      && gst_video_frame_map (&frame, &info, gst_sample_get_buffer (sample),
          GST_MAP_READ)) {
    picture = kc_picture_new (&info, KC_LAYOUT_TIGHT, &random);
    for (gint y = 0; y < info.height; y++)
      memcpy (picture->data + picture->info.offset[0]
          + (gsize) y * picture->info.stride[0],
          (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
          + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0), info.width);
    gst_video_frame_unmap (&frame);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  g_clear_pointer (&message, gst_message_unref);
  g_clear_pointer (&sample, gst_sample_unref);
  gst_object_unref (bus);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  g_free (launch);
  return picture;
}

/* One side of a comparison. */
typedef struct
{
  const GstMgpuKeypoint *points;
  const guint8 *descriptors;
  guint n;
} Side;

static gboolean
agree (const GstMgpuKeypoint * a, const GstMgpuKeypoint * b)
{
  gdouble turn = fabs (a->angle - b->angle);

  return hypot (a->x - b->x, a->y - b->y) <= 0.1
      && fabs (a->size / b->size - 1) <= 0.02 && MIN (turn, 360 - turn) <= 1;
}

static gint
compare_doubles (gconstpointer a, gconstpointer b)
{
  gdouble difference = *(const gdouble *) a - *(const gdouble *) b;

  return difference < 0 ? -1 : difference > 0;
}

/* Percentage of the points of a that b has too. distances: (nullable): of their
 * descriptors, in rising order */
static gdouble
share_of (const Side * a, const Side * b, GArray * distances)
{
  guint found = 0;

  for (guint i = 0; i < a->n; i++) {
    guint j, sum = 0;

    for (j = 0; j < b->n && !agree (&a->points[i], &b->points[j]); j++);
    if (j == b->n)
      continue;
    found++;
    for (guint k = 0; k < 128; k++) {
      gint d = a->descriptors[128 * i + k] - b->descriptors[128 * j + k];

      sum += d * d;
    }
    if (distances != NULL) {
      gdouble distance = sqrt (sum);

      g_array_append_val (distances, distance);
    }
  }
  if (distances != NULL)
    g_array_sort (distances, compare_doubles);
  return a->n > 0 ? 100.0 * found / a->n : 100;
}

static void
compare_sides (KcRun * run, const gchar * name, const Side * ours,
    const Side * theirs)
{
  GArray *distances = g_array_new (FALSE, FALSE, sizeof (gdouble));
  gdouble there = share_of (ours, theirs, distances);
  gdouble here = share_of (theirs, ours, NULL), median = 0, most = 0;

  if (distances->len > 0) {
    median = g_array_index (distances, gdouble, distances->len / 2);
    most = g_array_index (distances, gdouble, distances->len * 99 / 100);
  }
  if (run->peers)
    g_print ("  %-18s OpenCV %5u, ours %5u; ours in OpenCV %.2f %%, OpenCV in "
        "ours %.2f %%; descriptors' distance, median %.2f, 99 %% %.2f\n", name,
        theirs->n, ours->n, there, here, median, most);
  if (there < 99.5 || here < 99.5 || median > 0 || most > 4 || ours->n == 0)
    kc_case_fail (run, "%.2f %% and %.2f %% agree, descriptors %.2f and %.2f "
        "apart", there, here, median, most);
  g_array_unref (distances);
}

static void
compare_picture (KcRun * run, const gchar * name)
{
  const MgpuSiftParams params = MGPU_SIFT_PARAMS_INIT;
  KcPicture *in = load_picture (name);
  GError *error = NULL;
  Tables tables = { 0, };
  KcFrame *frame;
  MgpuSift *self;

  if (in == NULL)
    return;
  kc_case_begin (run, KC_RANDOM, "OpenCV, %s", name);
  frame = kc_frame_new (run, in);
  self = mgpu_sift_new (run->context, &in->info, &params, &error);
  if (self == NULL)
    kc_case_fail_error (run, error);
  if (self != NULL && frame != NULL
      && tables_init (&tables, run, mgpu_sift_get_room (self, &params))) {
    GArray *points = g_array_new (FALSE, FALSE, sizeof (GstMgpuKeypoint));
    GByteArray *bytes = g_byte_array_new ();

    enqueue (self, run, &params, frame, &tables);
    kc_opencv_sift (in, points, bytes);
    if (kc_memory_read (run, tables.keypoints, tables.got_keypoints)
        && kc_memory_read (run, tables.descriptors, tables.got_descriptors)) {
      const Side ours = { (const GstMgpuKeypoint *) (tables.got_keypoints
              + sizeof (GstMgpuKeypointHeader)), tables.got_descriptors,
        ((const GstMgpuKeypointHeader *) tables.got_keypoints)->n
      };
      const Side theirs = { (const GstMgpuKeypoint *) points->data,
        bytes->data, points->len
      };

      compare_sides (run, name, &ours, &theirs);
    }
    g_array_unref (points);
    g_byte_array_unref (bytes);
  }
  tables_clear (&tables);
  if (self != NULL)
    mgpu_sift_free (self);
  kc_frame_free (frame);
  kc_case_end (run);
  kc_picture_free (in);
}

static void
compare_opencv (KcRun * run)
{
  static const gchar *const names[] = {
    "box_in_scene.png", "graf1.png", "leuvenA.jpg", "graf3.png", "leuvenB.jpg",
    "baboon.jpg", "building.jpg", "home.jpg", "messi5.jpg"
  };
  guint n = run->peers ? G_N_ELEMENTS (names) : 2;

  for (guint i = 0; i < n && kc_goes_on (run); i++)
    compare_picture (run, names[i]);
}
#endif

static void
check (KcRun * run)
{
  guint n_variants = run->quick ? 3 : G_N_ELEMENTS (variants), turn = 0;
  guint n_random = run->quick ? 1 : 20;
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint v = 0; v < n_variants; v++) {
    guint n_sizes = !run->quick ? G_N_ELEMENTS (sizes) : v == 0 ? 3 : 1;

    for (guint s = 0; s < n_sizes && kc_goes_on (run); s++, turn++) {
      Case c = { KC_FIXED, formats[turn % G_N_ELEMENTS (formats)],
        sizes[s][0], sizes[s][1],
        s % 3 == 1 ? turn / 3 % KC_N_CONTENTS : CONTENT_BOXES,
        turn % KC_N_LAYOUTS, variants[v]
      };

      check_case (run, &c, &random);
    }
  }

  kc_random_init (&random, run->seed);
  for (guint i = 0; i < n_random && kc_goes_on (run); i++) {
    Case c = {.kind = KC_RANDOM };

    c.format = formats[kc_random_below (&random, G_N_ELEMENTS (formats))];
    c.width = 1 + kc_random_below (&random, run->quick ? 60 : 400);
    c.height = 1 + kc_random_below (&random, run->quick ? 50 : 300);
    c.content = kc_random_below (&random, 2) ? CONTENT_BOXES
        : kc_random_below (&random, KC_CONTENT_NATURAL + 1);
    c.layout = kc_random_below (&random, KC_N_LAYOUTS);
    c.params = variants[kc_random_below (&random, n_variants)];
    check_case (run, &c, &random);
  }
#ifdef HAVE_OPENCV
  if (!run->quick)
    compare_opencv (run);
#endif
}

/* ---- Timing and peers ------------------------------------------------------ */

typedef struct
{
  KcRun *run;
  MgpuSift *self;
  MgpuSiftParams params;
  KcPicture *in;
  KcFrame *frame;
  Tables tables;
} Bench;

static gboolean
bench_init (Bench * bench, KcRun * run, gint width, gint height)
{
  const MgpuSiftParams defaults = MGPU_SIFT_PARAMS_INIT;
  GError *error = NULL;
  GstVideoInfo info;
  KcRandom random;

  memset (bench, 0, sizeof (*bench));
  bench->run = run;
  bench->params = defaults;
  kc_random_init (&random, 3);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, width, height);
  bench->in = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);
  kc_picture_fill (bench->in, KC_CONTENT_NATURAL, &random);
  bench->self = mgpu_sift_new (run->context, &info, &defaults, &error);
  if (bench->self == NULL) {
    kc_case_fail_error (run, error);
    return FALSE;
  }
  bench->frame = kc_frame_new (run, bench->in);
  return bench->frame != NULL && tables_init (&bench->tables, run,
      mgpu_sift_get_room (bench->self, &defaults));
}

static void
bench_clear (Bench * bench)
{
  tables_clear (&bench->tables);
  kc_frame_free (bench->frame);
  if (bench->self != NULL)
    mgpu_sift_free (bench->self);
  kc_picture_free (bench->in);
}

static gdouble
time_ours (gpointer data)
{
  Bench *bench = data;
  KcRun *run = bench->run;
  GError *error = NULL;
  guint64 before =
      gst_mgpu_stats_get (run->stats, GST_MGPU_COUNTER_DEVICE_TIME);

  enqueue (bench->self, run, &bench->params, bench->frame, &bench->tables);
  if (!gst_mgpu_memory_wait (bench->tables.keypoints, &error))
    kc_case_fail_error (run, error);
  return (gst_mgpu_stats_get (run->stats, GST_MGPU_COUNTER_DEVICE_TIME)
      - before) / 1e6;
}

#ifdef HAVE_OPENCV
static gdouble
opencv_sift (gpointer data)
{
  Bench *bench = data;
  GByteArray *bytes = bench->params.descriptor ? g_byte_array_new () : NULL;
  gdouble time = kc_opencv_sift (bench->in, NULL, bytes);

  g_clear_pointer (&bytes, g_byte_array_unref);
  return time;
}
#endif

static void
bench_size (KcRun * run, gint width, gint height)
{
  Bench bench;

  kc_case_begin (run, KC_RANDOM, "bench %dx%d", width, height);
  if (bench_init (&bench, run, width, height)) {
    const KcContestant contestants[] = {
      {"ours", time_ours, &bench},
#ifdef HAVE_OPENCV
      {"OpenCV", opencv_sift, &bench},
#endif
    };

    for (guint i = 0; i < 2; i++) {
      gchar *what = g_strdup_printf ("%s GRAY8 %dx%d",
          i == 0 ? "detect" : "detect and describe", width, height);

      bench.params.descriptor = i;
      kc_bench (run, what, contestants,
          run->peers ? G_N_ELEMENTS (contestants) : 1);
      g_free (what);
    }
  }
  bench_clear (&bench);
  kc_case_end (run);
}

static void
bench (KcRun * run)
{
  static const gint bench_sizes[][2] = { {640, 480}, {1920, 1080} };

  for (guint i = 0; i < G_N_ELEMENTS (bench_sizes) && kc_goes_on (run); i++)
    bench_size (run, bench_sizes[i][0], bench_sizes[i][1]);
}

const KcFunction kc_sift = { "sift", check, bench };
