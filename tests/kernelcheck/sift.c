/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "kernelcheck.h"
#include "peers.h"
#include <gst/vision/sift.h>
#include "../reference/sift.h"

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
  {96, 72}, {1, 1}, {61, 53}, {6, 97}, {5, 5}, {11, 11}, {160, 37}, {285, 201},
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

static void
check (KcRun * run)
{
  guint n_sizes = run->quick ? 3 : G_N_ELEMENTS (sizes), turn = 0;
  guint n_variants = run->quick ? 3 : G_N_ELEMENTS (variants);
  guint n_random = run->quick ? 1 : 20;
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint v = 0; v < n_variants; v++) {
    for (guint s = 0; s < n_sizes && kc_goes_on (run); s++, turn++) {
      Case c = { KC_FIXED, formats[turn % G_N_ELEMENTS (formats)],
        sizes[s][0], sizes[s][1],
        turn % 3 == 1 ? turn / 3 % KC_N_CONTENTS : CONTENT_BOXES,
        turn % KC_N_LAYOUTS, variants[v]
      };

      check_case (run, &c, &random);
    }
  }

  kc_random_init (&random, run->seed);
  for (guint i = 0; i < n_random && kc_goes_on (run); i++) {
    Case c = {.kind = KC_RANDOM };

    c.format = formats[kc_random_below (&random, G_N_ELEMENTS (formats))];
    c.width = 1 + kc_random_below (&random, run->quick ? 80 : 400);
    c.height = 1 + kc_random_below (&random, run->quick ? 80 : 300);
    c.content = kc_random_below (&random, 2) ? CONTENT_BOXES
        : kc_random_below (&random, KC_CONTENT_NATURAL + 1);
    c.layout = kc_random_below (&random, KC_N_LAYOUTS);
    c.params = variants[kc_random_below (&random, n_variants)];
    check_case (run, &c, &random);
  }
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

static void
bench_size (KcRun * run, gint width, gint height)
{
  Bench bench;

  kc_case_begin (run, KC_RANDOM, "bench %dx%d", width, height);
  if (bench_init (&bench, run, width, height)) {
    const KcContestant contestants[] = {
      {"ours", time_ours, &bench},
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
