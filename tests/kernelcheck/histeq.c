/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks histogram equalization on streams, and compares its time with its peers' (other
 * libraries). */
#include "kernelcheck.h"

#include <math.h>

#include "../cases/histeq.h"
#include "../reference/samples.h"
#include "peers.h"

TEST_DECLARE (histeq)
#define GLOBAL(channels) { MGPU_HISTEQ_GLOBAL, channels, .strength = 1 }
#define CLAHE(channels, x, y, clip) \
    { MGPU_HISTEQ_CLAHE, channels, 0, { x, y, clip }, .strength = 1 }
#define LEVELS(x) { MGPU_HISTEQ_LEVELS, MGPU_HISTEQ_LUMA, x, \
    .levels = { 0.01, 0.02, 3.5 }, .strength = 1 }
     static const MgpuHisteqParams luma = GLOBAL (MGPU_HISTEQ_LUMA);
     static const MgpuHisteqParams each = GLOBAL (MGPU_HISTEQ_EACH);
     static const MgpuHisteqParams clahe_few =
         CLAHE (MGPU_HISTEQ_LUMA, 3, 2, 1.7);
     static const MgpuHisteqParams clahe_each =
         CLAHE (MGPU_HISTEQ_EACH, 2, 5, 0.0);

/* Returns whether a variant applies. In formats without red, green and blue, both kinds of channels
 * give the same result. CLAHE with 65536 bins for each of 64 tiles is too slow for an emulator;
 * check_clahe_peer() checks it. */
     static gboolean
         prepare (gconstpointer params, GstVideoInfo * in, GstVideoInfo * out)
{
  const MgpuHisteqParams *p = params;

  if (p->method == MGPU_HISTEQ_CLAHE && p->clahe.tiles_x == 8
      && GST_VIDEO_INFO_COMP_DEPTH (in, 0) == 16)
    return FALSE;
  return p->channels == MGPU_HISTEQ_LUMA || GST_VIDEO_INFO_IS_RGB (in);
}

static void
reference_after (const MgpuHisteqParams * params, const KcPicture * in,
    KcPicture * out, RefHisteqPast * past)
{
  RefPlane from[GST_VIDEO_MAX_COMPONENTS], to[GST_VIDEO_MAX_COMPONENTS];

  kc_picture_copy_planes (in, out, ~0u);
  kc_picture_planes (in, from);
  kc_picture_planes (out, to);
  cases_histeq_equalize (params, &in->info, from, to, past);
}

static const KcFilter filter = {.cases = &cases_histeq };

/* Describes a frame of a stream. */
typedef struct
{
  MgpuHisteqParams params;
  guint seed;
  KcContent content;
  gboolean forgets;             /* whether the frame shows another scene than the frames before */
  gint gain, offset;            /* light: the change of gain in %, and the number of 8-bit steps
                                 * that are added */
  gint covered;                 /* number of columns from the right that are white */
} Step;

/* Changes the brightness of a picture, and covers a part of it with white. */
static void
light (KcPicture * picture, const Step * step)
{
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&picture->info); i++) {
    RefPlane plane = kc_picture_plane (picture, i);
    gint offset = step->offset * ((plane.max + 1) / 256);

    for (gint y = 0; y < plane.height; y++)
      for (gint x = 0; x < plane.width; x++) {
        gint value = ref_get (&plane, x, y);

        value = value * (100 + step->gain) / 100 + offset;
        if (x >= plane.width - step->covered)
          value = plane.max;
        ref_set (&plane, x, y, CLAMP (value, 0, plane.max));
      }
  }
}

/* Filters successive frames with one object, and compares each frame: histograms have to be empty
 * again after a frame, and tables are continued in some cases and not in others. */
static void
check_stream (KcRun * run, GstVideoFormat format, gint width,
    const gchar * what, const Step * steps, guint n_steps)
{
  RefHisteqPast past = { 0 };
  GstVideoInfo info;
  gpointer self;

  kc_case_begin (run, KC_FIXED, "%u frames of %s %dx33 through one object: %s",
      n_steps, gst_video_format_to_string (format), width, what);
  gst_video_info_set_format (&info, format, width, 33);
  self = kc_filter_create (run, &filter, &info, &info, &steps[0].params);
  for (guint i = 0; i < n_steps && self != NULL; i++) {
    KcRandom random;
    g_autoptr (KcPicture) in = NULL, want = NULL, got = NULL;

    kc_random_init (&random, steps[i].seed);
    in = kc_picture_make (&info, KC_LAYOUT_DEFAULT, steps[i].content, &random);
    light (in, &steps[i]);
    want = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);
    got = kc_picture_copy (want);
    if (steps[i].forgets)
      ref_histeq_forget (&past);
    reference_after (&steps[i].params, in, want, &past);
    if (kc_filter_process (run, &filter, self, &steps[i].params, in, got))
      kc_compare_picture (run, want, got);
  }
  ref_histeq_forget (&past);
  kc_filter_free (&filter, self);
  kc_case_end (run);
}

#define N(array) array, G_N_ELEMENTS (array)

static void
check_streams (KcRun * run, GstVideoFormat format)
{
  const Step turns[] = {
    {luma, 0, KC_CONTENT_RANDOM}, {each, 1, KC_CONTENT_FLAT},
    {clahe_few, 2, KC_CONTENT_NEAR_BLACK}, {luma, 3, KC_CONTENT_NEAR_BLACK},
    {clahe_each, 4, KC_CONTENT_NOISY_GRADIENT},
    {clahe_few, 5, KC_CONTENT_RANDOM}
  };
#define SMOOTH(x) { MGPU_HISTEQ_GLOBAL, MGPU_HISTEQ_LUMA, x, .strength = 1 }
#define SMOOTH_CLAHE(channels, tiles, x) \
    { MGPU_HISTEQ_CLAHE, channels, x, { tiles, tiles, 3.0 }, .strength = 1 }
  /* Noise changes little, a new scene changes a lot, and weights change at any time. */
  const Step smooth[] = {
    {SMOOTH (0.7), 0, KC_CONTENT_RANDOM}, {SMOOTH (0.7), 1, KC_CONTENT_RANDOM},
    {SMOOTH (1.0), 2, KC_CONTENT_RANDOM},
    {SMOOTH (0.9), 3, KC_CONTENT_NOISY_GRADIENT},
    {SMOOTH (0.9), 4, KC_CONTENT_NEAR_WHITE},
    {SMOOTH (0.00001), 5, KC_CONTENT_NEAR_WHITE},
    {SMOOTH (0.0), 6, KC_CONTENT_RANDOM, TRUE},
    {SMOOTH (0.5), 7, KC_CONTENT_RANDOM, TRUE},
    {SMOOTH (0.5), 8, KC_CONTENT_RANDOM}
  };
  const Step smooth_clahe[] = {
    {SMOOTH_CLAHE (MGPU_HISTEQ_EACH, 3, 0.8), 0, KC_CONTENT_NOISY_GRADIENT},
    {SMOOTH_CLAHE (MGPU_HISTEQ_EACH, 3, 0.8), 1, KC_CONTENT_NOISY_GRADIENT},
    {SMOOTH_CLAHE (MGPU_HISTEQ_EACH, 3, 0.8), 2, KC_CONTENT_NEAR_BLACK},
    {SMOOTH_CLAHE (MGPU_HISTEQ_EACH, 3, 0.8), 3, KC_CONTENT_NEAR_BLACK},
    {SMOOTH_CLAHE (MGPU_HISTEQ_EACH, 4, 0.8), 4, KC_CONTENT_NEAR_BLACK, TRUE},
    {SMOOTH_CLAHE (MGPU_HISTEQ_LUMA, 4, 0.8), 5, KC_CONTENT_NOISY_GRADIENT,
        TRUE},
    {SMOOTH_CLAHE (MGPU_HISTEQ_LUMA, 4, 0.8), 6, KC_CONTENT_NOISY_GRADIENT}
  };

  /* Changes the brightness by gain, by offset or by both, by more than is allowed, and not at
   * all. */
#define LIT(params, ...) \
    {params, 3, KC_CONTENT_NOISY_GRADIENT,.forgets = FALSE, ##__VA_ARGS__}
  const Step lit[] = {
    LIT (SMOOTH (0.9)), LIT (SMOOTH (0.9),.gain = -20),
    LIT (SMOOTH (0.9),.gain = -5,.offset = 6),
    LIT (SMOOTH (0.5),.offset = -15), LIT (SMOOTH (0.5),.offset = -15),
    LIT (SMOOTH (0.5),.gain = -80), LIT (SMOOTH (0.5),.offset = 100)
  };
  const Step lit_tiles[] = {
    LIT (SMOOTH_CLAHE (MGPU_HISTEQ_EACH, 2, 0.9)),
    LIT (SMOOTH_CLAHE (MGPU_HISTEQ_EACH, 2, 0.9),.gain = -12),
    LIT (SMOOTH_CLAHE (MGPU_HISTEQ_EACH, 2, 0.9),.offset = 12)
  };
  /* Tiles in which nothing moves also keep their means in other light; one in 128 samples may
   * differ. */
#define HELD(...) LIT (SMOOTH_CLAHE (MGPU_HISTEQ_EACH, 3, 0.9), ##__VA_ARGS__)
  const Step held[] = {
    HELD (), HELD (.offset = 3), HELD (.covered = 1), HELD (.covered = 2),
    HELD (.covered = 9), HELD (.gain = 9,.covered = 9), HELD (.gain = -9)
  };
  const Step lit_levels[] = {
    LIT (LEVELS (0.9)), LIT (LEVELS (0.9),.gain = -12),
    LIT (LEVELS (0.9),.offset = 12)
  };

  check_stream (run, format, 65, "methods and channels by turns", N (turns));
  /* Skips the luma of RGB, for which the same kernels run. */
  if (run->quick && format != GST_VIDEO_FORMAT_GRAY8)
    return;
  check_stream (run, format, 65, "smoothed", N (smooth));
  check_stream (run, format, 65, "smoothed, tiles", N (smooth_clahe));
  check_stream (run, format, 65, "other light", N (lit));
  check_stream (run, format, 65, "other light, tiles", N (lit_tiles));
  check_stream (run, format, 65, "still tiles", N (held));
  check_stream (run, format, 770, "still tiles of a wide frame", N (held));
  check_stream (run, format, 65, "other light, levels", N (lit_levels));
}

#ifdef HAVE_OPENCV
/* Compares CLAHE with OpenCV byte for byte, on a photograph if one is installed. */
static void
check_clahe_peer (KcRun * run)
{
  static const struct
  {
    GstVideoFormat format;
    gint width, height;
    MgpuHisteqParams params;
  } cases[] = {
    {GST_VIDEO_FORMAT_GRAY8, 33, 9, CLAHE (0, 3, 2, 2.0)},
    {GST_VIDEO_FORMAT_GRAY8, 5, 3, CLAHE (0, 8, 8, 40.0)},
    {GST_VIDEO_FORMAT_GRAY8, 1, 1, CLAHE (0, 4, 4, 40.0)},
    {GST_VIDEO_FORMAT_GRAY8, 640, 480, CLAHE (0, 8, 8, 40.0)},
    {GST_VIDEO_FORMAT_GRAY8, 640, 480, CLAHE (0, 8, 8, 2.0)},
    {GST_VIDEO_FORMAT_GRAY8, 640, 481, CLAHE (0, 8, 8, 0.5)},
    {GST_VIDEO_FORMAT_GRAY8, 641, 479, CLAHE (0, 7, 5, 4.0)},
    {GST_VIDEO_FORMAT_GRAY8, 643, 360, CLAHE (0, 64, 64, 3.0)},
    {GST_VIDEO_FORMAT_GRAY8, 320, 2, CLAHE (0, 1, 9, 0.0)},
    {GST_VIDEO_FORMAT_GRAY8, 1921, 1081, CLAHE (0, 8, 8, 40.0)},
    {GST_VIDEO_FORMAT_GRAY16_LE, 1, 2, CLAHE (0, 2, 1, 40.0)},
    {GST_VIDEO_FORMAT_GRAY16_LE, 320, 240, CLAHE (0, 8, 8, 40.0)},
    {GST_VIDEO_FORMAT_GRAY16_LE, 321, 239, CLAHE (0, 8, 8, 2000.0)},
    {GST_VIDEO_FORMAT_GRAY16_LE, 331, 200, CLAHE (0, 3, 4, 0.0)}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases) && kc_goes_on (run); i++) {
    const MgpuHisteqParams *params = &cases[i].params;
    GstVideoInfo info;
    g_autoptr (KcPicture) in = NULL, want = NULL, got = NULL;
    KcRandom random;
    gpointer self;

    if (run->quick && cases[i].width > 33)
      continue;
    kc_case_begin (run, KC_RANDOM, "OpenCV, %s %dx%d, %ux%u tiles, clip %g",
        gst_video_format_to_string (cases[i].format), cases[i].width,
        cases[i].height, params->clahe.tiles_x, params->clahe.tiles_y,
        params->clahe.clip_limit);
    gst_video_info_set_format (&info, cases[i].format, cases[i].width,
        cases[i].height);
    kc_random_init (&random, i);
    in = kc_picture_make (&info, KC_LAYOUT_DEFAULT, KC_CONTENT_NATURAL,
        &random);
    want = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);
    got = kc_picture_copy (want);
    kc_opencv_histeq (params, in, want);
    self = kc_filter_create (run, &filter, &info, &info, params);
    if (self != NULL && kc_filter_process (run, &filter, self, params, in, got))
      kc_compare_picture (run, want, got);
    kc_filter_free (&filter, self);
    kc_case_end (run);
  }
}
#endif

/* Divides as the kernels' function quotient() does. */
static gfloat
quotient (gfloat n, gfloat d)
{
  union
  {
    guint32 bits;
    gfloat value;
  } r = {.value = d };
  gfloat q;

  r.bits = 0x7ef311c7u - r.bits;
  for (guint i = 0; i < 3; i++)
    r.value = fmaf (fmaf (-d, r.value, 1.0f), r.value, r.value);
  q = n * r.value;
  return fmaf (fmaf (-d, q, n), r.value, q);
}

/* Checks that the division by a table equals C's division, for all small divisors, and for some
 * divisors of each size up to 2^32. */
static void
check_quotient (KcRun * run)
{
  static const gfloat numerators[] = {
    255.0f, 1023.0f, 65535.0f, 219.0f, 876.0f, 56064.0f
  };
  guint n = run->quick ? 1u << 12 : 1u << 20;
  KcRandom random;

  kc_case_begin (run, KC_FIXED, "quotients of %u divisors", 2 * n);
  kc_random_init (&random, 1);
  for (guint i = 0; i < 2 * n; i++) {
    gfloat d = i < n ? i + 1
        : (gfloat) ((kc_random (&random) >> kc_random_below (&random, 12)) | 1);

    for (guint j = 0; j < G_N_ELEMENTS (numerators); j++) {
      if (quotient (numerators[j], d) != numerators[j] / d) {
        kc_case_fail (run, "%g / %.9g is not %.9g", numerators[j], d,
            quotient (numerators[j], d));
        i = 2 * n;
        break;
      }
    }
  }
  kc_case_end (run);
}

static void
check (KcRun * run)
{
  const KcFilter checked = {.cases = &cases_histeq,.prepare = prepare };

  kc_check_filter (run, &checked);
  check_streams (run, GST_VIDEO_FORMAT_GRAY8);
  /* Skips histograms of 65536 bins, which are too slow for an emulator. */
  if (!run->quick)
    check_streams (run, GST_VIDEO_FORMAT_GRAY16_LE);
  check_streams (run, GST_VIDEO_FORMAT_BGRA);
#ifdef HAVE_OPENCV
  check_clahe_peer (run);
#endif
  check_quotient (run);
}

/* Compares only the histogram's time with NPP, which has no equalization. */
static const KcPeer luma_peers[] = {
  {"OpenCV", kc_opencv_histeq, 0, 0.0, kc_python_histeq},
  {"NPP histogram", kc_npp_histogram, -1, 0.0},
  {NULL}
};

static const KcPeer clahe_peers[] = {
  {"OpenCV", kc_opencv_histeq, 0, 0.0, kc_python_histeq},
  {NULL}
};

static const KcPeer levels_peers[] = {
  {"OpenCV calcHist and LUT", kc_opencv_histeq, 0, 0.0},
  {NULL}
};

static const KcFilterBench benches[] = {
  {"channels=luma", "", GST_VIDEO_FORMAT_GRAY8, 512, 512, luma_peers},
  {"channels=luma", "", GST_VIDEO_FORMAT_GRAY8, 1280, 720, luma_peers},
  {"channels=luma", "", GST_VIDEO_FORMAT_GRAY8, 1920, 1080, luma_peers},
  {"channels=luma", "", GST_VIDEO_FORMAT_GRAY8, 3840, 2160, luma_peers},
  {"channels=luma", "", GST_VIDEO_FORMAT_GRAY16_LE, 1920, 1080},
  {"channels=luma", "", GST_VIDEO_FORMAT_NV12, 1920, 1080},
  {"channels=luma", "", GST_VIDEO_FORMAT_BGR, 1920, 1080},
  {"channels=each", "channels=each", GST_VIDEO_FORMAT_BGR, 1920, 1080},
  {"clahe", "method=clahe", GST_VIDEO_FORMAT_GRAY8, 640, 480, clahe_peers},
  {"clahe", "method=clahe", GST_VIDEO_FORMAT_GRAY8, 1920, 1080, clahe_peers},
  {"clahe", "method=clahe", GST_VIDEO_FORMAT_GRAY8, 3840, 2160, clahe_peers},
  {"clahe", "method=clahe", GST_VIDEO_FORMAT_GRAY16_LE, 1920, 1080,
      clahe_peers},
  {"clahe", "method=clahe", GST_VIDEO_FORMAT_NV12, 1920, 1080},
  {"smoothed", "temporal-smoothing=0.9", GST_VIDEO_FORMAT_GRAY8, 1920, 1080},
  {"clahe, smoothed", "method=clahe clip-limit=3 temporal-smoothing=0.9",
      GST_VIDEO_FORMAT_GRAY8, 1920, 1080},
  {"levels", "method=levels low-clip=0.01 high-clip=0.02 max-gain=3.5",
      GST_VIDEO_FORMAT_GRAY8, 1920, 1080, levels_peers},
  {NULL}
};

const KcFunction kc_histeq =
    { "histeq", check,.filter = &filter,.benches = benches };
