/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks local thresholds, and measures their time. */
#include "kernelcheck.h"

#include <string.h>

#include <gst/vision/threshold/threshold.h>

#include "../reference/threshold.h"

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_I420_10LE,
  GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGRx
};

static const gint sizes[][2] = {
  {65, 67}, {1, 1}, {129, 33}, {3, 40}, {40, 1}, {64, 64}, {322, 131}, {31, 2},
  {700, 263}
};

static const MgpuThresholdSetup setups[] = {
  {2, 3, {{0, 2}, {1, 4}}, {{0, FALSE}, {1, FALSE}, {1, TRUE}}},
  {1, 2, {{1, 4}}, {{0, FALSE}, {0, TRUE}}},
  {1, 2, {{2, 4}}, {{0, FALSE}, {0, TRUE}}},
  {2, 2, {{0, 4}, {1, 2}}, {{0, TRUE}, {1, TRUE}}}
};

typedef struct
{
  KcKind kind;
  GstVideoFormat format;
  gint width, height, contrast;
  guint setup;
  KcContent content;
  KcLayout layout;
} Case;

/* Copies a memory of the device to a new array. */
static gpointer
read_memory (KcRun * run, MgpuThreshold * self, guint slot, gsize size)
{
  gpointer data = g_malloc (MAX (size, 1));
  GstMgpuJob job;
  gboolean ok;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  ok = mgpu_slot_download (self, slot, &job, data, size);
  if (kc_end_job (run, &job) && ok)
    return data;
  g_free (data);
  return NULL;
}

/* Compares a thresholded map with the reference. @thresholds, @bits: those of all maps on the
 * device */
static gboolean
compare_map (KcRun * run, const ThresholdPicture * picture,
    const ThresholdMap * map, const RefGray * grey, gint contrast,
    const guint8 * thresholds, const guint32 * bits)
{
  gint columns = picture->columns[0], rows = picture->rows[0];
  gsize n = (gsize) grey->width * grey->height;
  g_autofree guint8 *want = g_malloc (columns * rows);
  g_autofree guint8 *want_bits = g_malloc (n), *got_bits = g_malloc (n);
  KcArray a = { "threshold", KC_U8, want, columns, 1, columns, rows }, b = a;
  KcArray c = { "bit", KC_U8, want_bits, grey->width, 1, grey->width,
    grey->height
  }, d = c;

  ref_threshold (grey, picture->tile, map->is_mean, contrast, want, want_bits);
  for (gint y = 0; y < grey->height; y++)
    for (gint x = 0; x < map->words * 32; x++) {
      guint bit = bits[map->bits + y * map->words + x / 32] >> x % 32 & 1;

      if (x < grey->width)
        got_bits[(gsize) y * grey->width + x] = bit;
      else if (bit)
        kc_case_fail (run, "a bit beyond row %d is set", y);
    }
  b.data = thresholds + map->thresholds;
  d.data = got_bits;
  return kc_compare_array (run, &a, &b) && kc_compare_array (run, &c, &d);
}

/* Slots of the object's memories that hold the results, which are the last ones */
#define SLOT_THRESHOLDS (mgpu_threshold.n_slots - 2)
#define SLOT_BITS (mgpu_threshold.n_slots - 1)

static void
compare (KcRun * run, const Case * c, MgpuThreshold * self,
    const KcPicture * picture)
{
  RefPlane plane = kc_picture_plane (picture, 0);
  RefGray greys[4] = { ref_gray (&plane) };
  guint n_maps;
  const ThresholdMap *maps = mgpu_threshold_get_maps (self, &n_maps);
  const ThresholdPicture *pictures = mgpu_threshold_get_pictures (self);
  const ThresholdMap *last = &maps[n_maps - 1];
  gsize n = last->thresholds + (gsize) pictures[last->picture].columns[0]
      * pictures[last->picture].rows[0];
  g_autofree guint8 *thresholds = read_memory (run, self, SLOT_THRESHOLDS, n);
  g_autofree guint32 *bits = read_memory (run, self, SLOT_BITS,
      4 * mgpu_threshold_count_words (self));

  for (guint i = 1; i < G_N_ELEMENTS (greys); i++)
    greys[i] = ref_halve (&greys[i - 1]);
  for (guint i = 0; i < n_maps && thresholds != NULL && bits != NULL; i++) {
    const ThresholdPicture *p = &pictures[maps[i].picture];

    if (!compare_map (run, p, &maps[i], &greys[p->halvings], c->contrast,
            thresholds, bits))
      break;
  }
  for (guint i = 0; i < G_N_ELEMENTS (greys); i++)
    free (greys[i].data);
}

static void
check_case (KcRun * run, const Case * c, KcRandom * random)
{
  GError *error = NULL;
  GstVideoInfo info;
  MgpuThresholdResult result;
  g_autoptr (KcPicture) picture = NULL;
  g_autoptr (KcFrame) frame = NULL;
  MgpuThreshold *self;
  GstMgpuJob job;

  gst_video_info_set_format (&info, c->format, c->width, c->height);
  kc_case_begin (run, c->kind, "%s %dx%d, layout %d, %s, setup %u, contrast %d",
      GST_VIDEO_INFO_NAME (&info), c->width, c->height, c->layout,
      kc_content_name (c->content), c->setup, c->contrast);
  picture = kc_picture_make (&info, c->layout, c->content, random);
  frame = kc_frame_new (run, picture);
  self = mgpu_object_new (&mgpu_threshold, run->context, &info, NULL, NULL,
      &setups[c->setup], &error);
  if (self == NULL)
    kc_case_fail_error (run, error);
  if (self != NULL && frame != NULL) {
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_threshold_enqueue (self, &job, &frame->image, c->contrast, &result);
    if (kc_end_job (run, &job))
      compare (run, c, self, picture);
  }
  mgpu_object_free (self);
  kc_case_end (run);
}

static void
check_fixed (KcRun * run)
{
  guint n_sizes = kc_is_oclgrind (run) ? 1 : run->quick ? 5
      : G_N_ELEMENTS (sizes), turn = 0;
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint i = 0; i < G_N_ELEMENTS (setups); i++)
    for (guint s = 0; s < n_sizes && kc_goes_on (run); s++, turn++) {
      const Case c = {
        KC_FIXED, formats[turn % G_N_ELEMENTS (formats)], sizes[s][0],
        sizes[s][1], turn % 3 == 0 ? 12 : turn % 3 == 1 ? 0 : 200, i,
        turn % 2 == 0 ? KC_CONTENT_RANDOM : turn / 2 % KC_N_CONTENTS,
        turn % KC_N_LAYOUTS
      };

      check_case (run, &c, &random);
    }
}

static void
check_random (KcRun * run, KcRandom * random)
{
  guint edge = run->quick ? 100 : 500;
  const Case c = {
    .kind = KC_RANDOM,
    .format = formats[kc_random_below (random, G_N_ELEMENTS (formats))],
    .width = 1 + kc_random_below (random, edge),
    .height = 1 + kc_random_below (random, edge),
    .contrast = kc_random_below (random, 256),
    .setup = kc_random_below (random, G_N_ELEMENTS (setups)),
    .content = kc_random_below (random, KC_N_CONTENTS),
    .layout = kc_random_below (random, KC_N_LAYOUTS)
  };

  check_case (run, &c, random);
}

static void
check (KcRun * run)
{
  check_fixed (run);
  kc_check_random (run, run->seed,
      kc_is_oclgrind (run) ? 0 : run->quick ? 3 : 40, check_random);
}

/* ---- Timing ------------------------------------------------------------------ */

typedef struct
{
  KcRun *run;
  MgpuThreshold *self;
  KcFrame *frame;
} Bench;

static gdouble
time_ours (gpointer data)
{
  Bench *bench = data;
  KcRun *run = bench->run;
  guint64 before = kc_device_time (run);
  GstMgpuMemory *bits;
  MgpuThresholdResult result;
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_threshold_enqueue (bench->self, &job, &bench->frame->image, 12, &result);
  bits = (GstMgpuMemory *) ((MgpuObject *) bench->self)->slots[SLOT_BITS];
  return kc_finish (run, &job, bits, before);
}

static void
bench_size (KcRun * run, gint width, gint height)
{
  Bench bench = {.run = run };
  GError *error = NULL;
  g_autoptr (KcPicture) picture = NULL;

  kc_case_begin (run, KC_RANDOM, "bench %dx%d", width, height);
  picture = kc_picture_bench (GST_VIDEO_FORMAT_GRAY8, width, height);
  bench.frame = kc_frame_new (run, picture);
  bench.self =
      mgpu_object_new (&mgpu_threshold, run->context, &picture->info, NULL,
      NULL, &setups[0], &error);
  if (bench.self == NULL)
    kc_case_fail_error (run, error);
  else if (bench.frame != NULL) {
    const KcContestant contestants[] = { {"ours", time_ours, &bench} };
    g_autofree gchar *what = g_strdup_printf ("threshold GRAY8 %dx%d", width,
        height);

    kc_bench (run, what, contestants, 1);
  }
  mgpu_object_free (bench.self);
  kc_frame_free (bench.frame);
  kc_case_end (run);
}

const KcFunction kc_threshold = { "threshold", check,.bench_size = bench_size };
