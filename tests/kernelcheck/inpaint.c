/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks inpainting of single frames, and compares its time with OpenCV's. */
#include "inpaint-video.h"
#include "peers.h"

#include <gst/vision/inpaint/inpaint-plan.h>
#include <gst/vision/inpaint/inpaint.h>

#include "../reference/inpaint.h"

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_GRAY8,
  GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_Y444, GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_BGR, GST_VIDEO_FORMAT_YV12, GST_VIDEO_FORMAT_NV21,
  GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_I420_10LE,
  GST_VIDEO_FORMAT_RGBx, GST_VIDEO_FORMAT_xRGB, GST_VIDEO_FORMAT_BGRx,
  GST_VIDEO_FORMAT_xBGR, GST_VIDEO_FORMAT_ARGB, GST_VIDEO_FORMAT_BGRA,
  GST_VIDEO_FORMAT_ABGR, GST_VIDEO_FORMAT_UNKNOWN
};

/* Shapes of the unknown pixels. Numbers are fractions of the frame's size. */
typedef enum
{
  MASK_NONE,
  MASK_ALL,
  MASK_ALL_BUT_ONE,
  MASK_PIXEL,                   /* in the middle */
  MASK_BOX,                     /* a box in the middle, a fifth of the frame's size */
  MASK_CORNERS,                 /* three of them */
  MASK_BORDERS,                 /* a hole that touches all four edges */
  MASK_OBJECTS,                 /* several holes, some far apart, some near each other */
  MASK_SPECKS,                  /* single pixels */
  MASK_DISC,                    /* mask of the benchmark, one object of an odd shape */
  MASK_MAN,                     /* 76x128 pixels */
  MASK_SQUARE,                  /* 200x200 pixels */
  MASK_SIGN,                    /* 80x80 pixels */
  MASK_WIDE                     /* 300x200 pixels */
} Mask;

typedef struct
{
  Mask mask;
  gint patch_size;
  gdouble search_factor;
  gint mask_dilate;
  MgpuInpaintShortcuts shortcuts;
  gboolean forbidden;           /* a mask with which the left half must not be copied */
  gint width, height;           /* 0: as it comes */
  gboolean seam, blend;
  MgpuInpaintMethod method;
} Params;

#define ALL MGPU_INPAINT_ALL_SHORTCUTS

/* Number of pixels of the largest picture that Oclgrind fills from coarse to fine */
#define MAX_SLOW 1300

static const Params params_list[] = {
  {MASK_BOX, 5, 1, 0, ALL, FALSE, 0, 0},
  {MASK_BOX, 9, -1, 1, ALL, FALSE, 37, 31},
  {MASK_BOX, 3, 0.05, 0, 0, FALSE, 50, 21},
  {MASK_BOX, 7, 0, 2, MGPU_INPAINT_EARLY, FALSE, 36, 33},
  {MASK_BOX, 5, -1, 0, MGPU_INPAINT_EARLY | MGPU_INPAINT_SEEDED, TRUE, 51, 24},
  {MASK_OBJECTS, 5, 1, 0, ALL, FALSE, 61, 33},
  {MASK_PIXEL, 33, -1, 0, ALL, FALSE, 71, 40},
  {MASK_NONE, 9, 1, 3, ALL, FALSE, 0, 0},
  {MASK_ALL, 9, 1, 0, ALL, FALSE, 0, 0},
  {MASK_ALL_BUT_ONE, 3, 1, 0, ALL, FALSE, 23, 18},
  {MASK_PIXEL, 3, 0, 0, ALL, FALSE, 17, 18},
  {MASK_PIXEL, 9, 1, 0, ALL, FALSE, 0, 0},
  {MASK_CORNERS, 5, 0.5, 0, ALL, FALSE, 40, 25},
  {MASK_BORDERS, 5, 2, 0, ALL, FALSE, 35, 27},
  {MASK_OBJECTS, 5, 1, 0, ALL, FALSE, 91, 41},
  {MASK_OBJECTS, 3, 1, 1, MGPU_INPAINT_SIDE_BY_SIDE, FALSE, 91, 41},
  {MASK_DISC, 3, -1, 0, MGPU_INPAINT_AHEAD, FALSE, 61, 57},
  {MASK_OBJECTS, 7, -1, 0, MGPU_INPAINT_EARLY, FALSE, 86, 38},
  {MASK_BOX, 7, -1, 0, ALL, FALSE, 37, 20, FALSE, TRUE},
  {MASK_SPECKS, 5, 1, 0, ALL, TRUE, 57, 20},
  {MASK_DISC, 5, 0.2, 0, ALL, FALSE, 73, 74},
  /* Patches that are larger than the frame, so that there is no source */
  {MASK_BOX, 33, 1, 0, ALL, FALSE, 31, 26},
  {MASK_OBJECTS, 5, 1, 9, ALL, FALSE, 51, 27},
  {MASK_BOX, 5, 1, 0, ALL, FALSE, 53, 42, TRUE},
  {MASK_CORNERS, 3, 1, 0, ALL, FALSE, 38, 27, TRUE},
  {MASK_BORDERS, 5, 2, 0, ALL, FALSE, 35, 27, TRUE},
  {MASK_SPECKS, 5, 1, 0, ALL, FALSE, 57, 20, TRUE},
  {MASK_OBJECTS, 5, 1, 0, ALL, FALSE, 61, 33, FALSE, TRUE},
  {MASK_CORNERS, 5, 0.5, 0, ALL, FALSE, 40, 25, TRUE, TRUE},
  {MASK_PIXEL, 33, -1, 3, ALL, FALSE, 82, 41, FALSE, TRUE},
  {MASK_BORDERS, 3, 2, 0, ALL, FALSE, 35, 27, TRUE, TRUE},
  {MASK_DISC, 7, 0.5, 0, ALL, FALSE, 46, 43, FALSE, TRUE},
  {MASK_BOX, 33, 1, 0, ALL, FALSE, 31, 26, FALSE, TRUE},
  {MASK_SPECKS, 3, 0.2, 0, ALL, FALSE, 37, 20},
  {MASK_DISC, 5, 0.2, 0, ALL, FALSE, 73, 74, TRUE},
  {MASK_BORDERS, 5, 2, 0, ALL, FALSE, 35, 27,.method = MGPU_INPAINT_HARMONIC},
  {MASK_OBJECTS, 33, 1, 1, ALL, TRUE, 61, 33,.method = MGPU_INPAINT_HARMONIC},
  {MASK_ALL_BUT_ONE, 3, 1, 0, ALL, FALSE, 23, 18,.method = MGPU_INPAINT_AUTO},
  {MASK_SPECKS, 3, 1, 0, ALL, FALSE, 37, 20,.method = MGPU_INPAINT_AUTO},
  {MASK_DISC, 5, 0.2, 0, ALL, FALSE, 46, 43,.method = MGPU_INPAINT_AUTO},
  {MASK_BOX, 9, 1, 0, ALL, FALSE, 40, 31,.method = MGPU_INPAINT_PATCHMATCH},
  {MASK_BORDERS, 5, -1, 2, ALL, FALSE, 53, 47, TRUE, TRUE,
      .method = MGPU_INPAINT_PATCHMATCH},
  {MASK_CORNERS, 3, 0.5, 0, ALL, TRUE, 90, 61,
      .method = MGPU_INPAINT_PATCHMATCH},
  {MASK_DISC, 5, 1, 12, ALL, FALSE, 91, 95, TRUE,
      .method = MGPU_INPAINT_PATCHMATCH},
  {MASK_PIXEL, 3, 0, 0, ALL, FALSE, 17, 18,
      .method = MGPU_INPAINT_PATCHMATCH},
  {MASK_BOX, 9, 2, 2, ALL, FALSE, 99, 80,.method = MGPU_INPAINT_AUTO},
  /* Wide holes, for which shades (polynomials) are fitted to the surroundings */
  {MASK_BOX, 5, 1, 4, ALL, FALSE, 41, 31,.method = MGPU_INPAINT_HARMONIC},
  {MASK_OBJECTS, 5, 0.1, 8, ALL, TRUE, 121, 70,
      .method = MGPU_INPAINT_HARMONIC},
  {MASK_BOX, 5, -1, 4, ALL, FALSE, 42, 30, TRUE, TRUE,
      .method = MGPU_INPAINT_AUTO},
  {MASK_CORNERS, 5, 1, 0, ALL, FALSE, 130, 90, TRUE,
      .method = MGPU_INPAINT_AUTO},
  {MASK_DISC, 5, 0.5, 3, ALL, FALSE, 190, 140, TRUE,
      .method = MGPU_INPAINT_PATCHMATCH},
  /* More source patches than each pixel tries at first, so that random ones are tried */
  {MASK_BORDERS, 5, -1, 4, ALL, FALSE, 191, 139, TRUE,
      .method = MGPU_INPAINT_PATCHMATCH},
  {MASK_PIXEL, 5, 1, 0, ALL, FALSE, 1, 1, TRUE,
      .method = MGPU_INPAINT_PATCHMATCH},
  {MASK_PIXEL, 5, 1, 0, ALL, FALSE, 7, 15, TRUE,
      .method = MGPU_INPAINT_PATCHMATCH},
  {MASK_BOX, 5, 1, 2, ALL, FALSE, 67, 50,.method = MGPU_INPAINT_DIRECTIONAL},
  {MASK_BORDERS, 5, 1, 0, ALL, FALSE, 35, 27,
      .method = MGPU_INPAINT_DIRECTIONAL},
  {MASK_OBJECTS, 5, 1, 1, ALL, TRUE, 61, 33,
      .method = MGPU_INPAINT_DIRECTIONAL},
  {MASK_SPECKS, 5, 1, 0, ALL, FALSE, 37, 20,
      .method = MGPU_INPAINT_DIRECTIONAL},
  /* A whole row and a whole column are unknown. */
  {MASK_ALL_BUT_ONE, 3, 1, 0, ALL, FALSE, 23, 18,
      .method = MGPU_INPAINT_DIRECTIONAL},
  /* Known pixels are farther away than lines usually reach. */
  {MASK_BOX, 5, 1, 45, ALL, FALSE, 191, 150,
      .method = MGPU_INPAINT_DIRECTIONAL}
};

static void
set_box (guint8 * mask, gint width, gint height, gint x0, gint y0, gint x1,
    gint y1)
{
  for (gint y = MAX (y0, 0); y < MIN (y1, height); y++)
    for (gint x = MAX (x0, 0); x < MIN (x1, width); x++)
      mask[y * width + x] = 128 + (x + y) % 128;
}

/* Sets a box of @width x @height pixels in the middle. */
static void
set_middle (guint8 * m, gint w, gint h, gint width, gint height)
{
  gint x = w / 2 - width / 2, y = h / 2 - height / 2;

  set_box (m, w, h, x, y, x + width, y + height);
}

/* Returns: a mask, in which the values of known pixels are just too dark to count */
static guint8 *
mask_new (Mask mask, gint w, gint h)
{
  guint8 *m = g_malloc ((gsize) w * h);

  for (gint i = 0; i < w * h; i++)
    m[i] = i % 128;
  switch (mask) {
    case MASK_NONE:
      break;
    case MASK_ALL_BUT_ONE:
    case MASK_ALL:
      set_box (m, w, h, 0, 0, w, h);
      if (mask == MASK_ALL_BUT_ONE)
        m[h / 3 * w + w / 3] = 0;
      break;
    case MASK_PIXEL:
      m[h / 2 * w + w / 2] = 255;
      break;
    case MASK_BOX:
      set_box (m, w, h, w * 2 / 5, h * 2 / 5, w * 3 / 5 + 1, h * 3 / 5 + 1);
      break;
    case MASK_CORNERS:
      set_box (m, w, h, 0, 0, w / 6, h / 4);
      set_box (m, w, h, w - w / 5, 0, w, h / 5);
      set_box (m, w, h, w - 3, h - 2, w, h);
      break;
    case MASK_BORDERS:
      set_box (m, w, h, 0, h / 2, w, h / 2 + 2);
      set_box (m, w, h, w / 3, 0, w / 3 + 3, h);
      break;
    case MASK_OBJECTS:
      for (gint i = 0; i < 5; i++)
        set_box (m, w, h, i * w / 5 + 3, i % 3 * h / 3 + i, i * w / 5 + 9 + i,
            i % 3 * h / 3 + 7);
      m[h / 2 * w + 1] = 200;
      break;
    case MASK_SPECKS:
      for (gint y = 1; y < h; y += 7)
        for (gint x = y % 5; x < w; x += 6)
          m[y * w + x] = 130;
      break;
    case MASK_DISC:
      for (gint y = -h / 6; y <= h / 6; y++)
        set_box (m, w, h, w / 2 - (h / 6 - ABS (y)), h / 2 + y,
            w / 2 + (h / 6 - ABS (y)) + 1, h / 2 + y + 1);
      break;
    case MASK_MAN:
      set_middle (m, w, h, 76, 128);
      break;
    case MASK_SQUARE:
      set_middle (m, w, h, 200, 200);
      break;
    case MASK_SIGN:
      set_middle (m, w, h, 80, 80);
      break;
    case MASK_WIDE:
      set_middle (m, w, h, 300, 200);
      break;
  }
  return m;
}

static guint8 *
forbidden_new (const Params * params, gint width, gint height)
{
  guint8 *mask;

  if (!params->forbidden)
    return NULL;
  mask = g_malloc0 ((gsize) width * height);
  set_box (mask, width, height, 0, 0, width / 2, height);
  return mask;
}

/* ---- Inpainting as a filter -------------------------------------------------- */

static gboolean
prepare (gconstpointer data, GstVideoInfo * in, GstVideoInfo * out)
{
  const Params *params = data;

  if (params->width > 0)
    gst_video_info_set_format (in, GST_VIDEO_INFO_FORMAT (in), params->width,
        params->height);
  *out = *in;
  return TRUE;
}

static gpointer
create (GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * out, gconstpointer data, GError ** error)
{
  const Params *params = data;
  gint width = GST_VIDEO_INFO_WIDTH (in), height = GST_VIDEO_INFO_HEIGHT (in);
  MgpuInpaintParams p = { params->patch_size, params->search_factor,
    params->shortcuts, params->method
  };
  MgpuInpaint *self = mgpu_object_new (&mgpu_inpaint, context, in, NULL, NULL,
      NULL, error);

  if (self != NULL) {
    guint8 *mask = mask_new (params->mask, width, height);
    guint8 *forbidden = forbidden_new (params, width, height);
    guint8 *unknown = g_malloc ((gsize) width * height);

    mgpu_inpaint_dilate (mask, width, width, height, params->mask_dilate,
        unknown);
    mgpu_inpaint_set_mask (self, unknown, forbidden, &p);
    mgpu_inpaint_set_seam (self, params->seam);
    mgpu_inpaint_set_blend (self, params->blend);
    g_free (mask);
    g_free (unknown);
    g_free (forbidden);
  }
  return self;
}

static void
enqueue (gpointer self, GstMgpuJob * job, const MgpuWork * work)
{
  mgpu_inpaint_enqueue (self, job, work->in, work->out, NULL, NULL);
}

static void
reference (gconstpointer data, const KcPicture * in, KcPicture * out)
{
  const Params *params = data;
  gint width = GST_VIDEO_INFO_WIDTH (&in->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&in->info);
  guint n = GST_VIDEO_INFO_N_COMPONENTS (&in->info);
  g_autofree guint8 *mask = mask_new (params->mask, width, height);
  g_autofree guint8 *forbidden = forbidden_new (params, width, height);
  RefInpaint ref = { params->patch_size, params->search_factor,
    params->mask_dilate, mask, forbidden, params->seam, params->blend,
    (RefInpaintMethod) params->method
  };
  RefPlane from[4], to[4];

  kc_picture_copy_planes (in, out, ~0u);
  for (guint i = 0; i < n; i++) {
    from[i] = kc_picture_plane (in, i);
    to[i] = kc_picture_plane (out, i);
  }
  if (!ref_inpaint (from, to, n, GST_VIDEO_INFO_IS_RGB (&in->info), &ref, NULL))
    g_error ("out of memory");
}

static const KcFilter filter_template = {
  .formats = formats,
  .n_sizes = 2,
  .prepare = prepare,
  .create = create,
  .enqueue = enqueue,
  .free = mgpu_object_free,
  .reference = reference
};

static void
check (KcRun * run)
{
  static const gchar *const names[] = {
    "nothing", "everything", "all but one", "pixel", "box", "corners",
    "borders", "objects", "specks", "disc", "man", "square", "sign", "wide"
  };
  static const gchar *const methods[] = {
    "", ", harmonic", ", patchmatch", ", auto", ", directional"
  };
  /* Skips large pictures that are filled from coarse to fine under Oclgrind, which takes
   * minutes. */
  gboolean is_slow = kc_is_oclgrind (run);
  KcVariant variants[G_N_ELEMENTS (params_list)];
  KcFilter filter = filter_template;
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (variants); i++) {
    const Params *p = &params_list[i];

    if (is_slow && p->method != MGPU_INPAINT_EXEMPLAR
        && p->width * p->height > MAX_SLOW)
      continue;
    variants[n].text = g_strdup_printf ("hole: %s, patch-size=%d "
        "search-factor=%g mask-dilate=%d shortcuts %x%s%s%s%s",
        names[p->mask],
        p->patch_size, p->search_factor, p->mask_dilate, p->shortcuts,
        p->forbidden ? ", half forbidden" : "", p->seam ? ", no seams" : "",
        p->blend ? ", blended" : "", methods[p->method]);
    variants[n].params = p;
    variants[n++].max_pixels = 30000;
  }
  if (n < G_N_ELEMENTS (variants))
    g_print ("left out: %u variants that Oclgrind takes minutes for\n",
        (guint) G_N_ELEMENTS (variants) - n);
  filter.variants = variants;
  filter.n_variants = n;
  kc_check_filter (run, &filter);
  for (guint i = 0; i < n; i++)
    g_free ((gchar *) variants[i].text);
  kc_inpaint_video_check (run);
  kc_inpaint_background_check (run);
  kc_inpaint_layers_check (run);
}

/* ---- Timing ------------------------------------------------------------------ */

#ifdef HAVE_OPENCV_PHOTO
static gdouble
run_peer (KcInpaintPeer peer, const Params * params, const KcPicture * in,
    KcPicture * out)
{
  g_autofree guint8 *mask =
      mask_new (params->mask, GST_VIDEO_INFO_WIDTH (&in->info),
      GST_VIDEO_INFO_HEIGHT (&in->info));

  kc_opencv_inpaint (peer, mask, in, out);
  return -1;
}

#define PEER(name, peer) \
static gdouble \
name (gconstpointer params, const KcPicture * in, KcPicture * out) \
{ \
  return run_peer (peer, params, in, out); \
}

PEER (run_telea, KC_INPAINT_TELEA);
PEER (run_ns, KC_INPAINT_NS);
PEER (run_shiftmap, KC_INPAINT_SHIFTMAP);
PEER (run_fsr_fast, KC_INPAINT_FSR_FAST);
#else
#define run_telea NULL
#define run_ns NULL
#define run_shiftmap NULL
#define run_fsr_fast NULL
#endif

static void
bench_hole (KcRun * run, Mask mask, gint patch_size, gdouble search_factor,
    const KcPeer * peers)
{
  const Params params = { mask, patch_size, search_factor, 0, ALL };
  gboolean is_man = mask == MASK_MAN;
  g_autofree gchar *what =
      g_strdup_printf ("%s, patch %d, search %g", is_man ? "76x128"
      : "200x200", patch_size, search_factor);
  const KcFilterBench bench = {
    .what = what,
    .params = &params,
    .format = GST_VIDEO_FORMAT_RGB,
    .width = is_man ? 512 : 1920,
    .height = is_man ? 384 : 1080,
    .peers = peers
  };

  kc_bench_filter (run, &filter_template, &bench, 1);
}

/* Measures the time of mgpuinpaint's defaults with a hole in the middle of a frame,
 *  and of exemplars alone. */
static void
bench_auto (KcRun * run)
{
  static const Params sign =
      { MASK_SIGN, 9, 1, 0, ALL, FALSE, 0, 0, TRUE, TRUE, MGPU_INPAINT_AUTO };
  static const Params exemplar =
      { MASK_SIGN, 9, 1, 0, ALL, FALSE, 0, 0, TRUE, TRUE,
    MGPU_INPAINT_EXEMPLAR
  };
  static const Params wide =
      { MASK_WIDE, 9, 1, 0, ALL, FALSE, 0, 0, TRUE, TRUE, MGPU_INPAINT_AUTO };
  static const KcFilterBench benches[] = {
    {"80x80, auto", NULL, GST_VIDEO_FORMAT_NV12, 640, 480, NULL, &sign},
    {"80x80, exemplar", NULL, GST_VIDEO_FORMAT_NV12, 640, 480, NULL, &exemplar},
    {"300x200, auto", NULL, GST_VIDEO_FORMAT_NV12, 640, 480, NULL, &wide}
  };

  kc_bench_filter (run, &filter_template, benches, G_N_ELEMENTS (benches));
}

static void
bench (KcRun * run)
{
  static const gdouble factors[] = { -1, 2, 1, 0.5, 0.2, 0.05 };
  static const gint patches[] = { 9, 13, 17 };
  /* The peers (other libraries) compute something else than this project. Slow peers run only
   * once. */
  static const KcPeer peers[] = {
    {"OpenCV Telea", run_telea, -1, 0},
    {"OpenCV NS", run_ns, -1, 0},
    {"OpenCV SHIFTMAP", run_shiftmap, -1, 0},
    {"OpenCV FSR_FAST", run_fsr_fast, -1, 0},
    {NULL, NULL, 0, 0}
  };

  if (!run->tunes && kc_bench_wants (run, "quality"))
    kc_inpaint_quality_print (run);
  for (guint f = 0; f < G_N_ELEMENTS (factors); f++)
    for (guint p = 0; p < G_N_ELEMENTS (patches) && kc_goes_on (run); p++)
      bench_hole (run, MASK_MAN, patches[p], factors[f], patches[p] == 9
          && factors[f] < 0 ? peers : NULL);
  bench_auto (run);
  /* Skips the comparison, because the reference alone takes half a minute. */
  if (run->only != NULL) {
    bench_hole (run, MASK_SQUARE, 9, -1, NULL);
    bench_hole (run, MASK_SQUARE, 17, 0.05, NULL);
  }
}

const KcFunction kc_inpaint = { "inpaint", check, bench };
