/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks maps of lenses, and the frames that are computed with them, and measures the times of
 * both. */
#include "warp-planes.h"
#include "peers.h"

#include <gst/vision/warp/remap.h>

#include "../reference/remap.h"

/* A camera and a view for frames of any size; focal lengths are in widths of the frame. */
typedef struct
{
  MgpuLens lens;
  gdouble focal;
  gdouble k[MGPU_CAMERA_COEFFICIENTS];
  gdouble xi, alpha, beta;
  MgpuProjection projection;
  gdouble view_focal;           /* field of view; 0: the camera matrix is kept */
  gdouble pan, tilt, roll;      /* in degrees */
  MgpuWarpEdges edges;
  MgpuInterpolation interpolation;
  gint samples;
  gint percent;                 /* size of the new frame in percent of the old frame's size */
  gboolean has_colour;
} Remap;

/* Coefficients of real lenses, some of which fit badly */
#define BROWN -0.2663726, -0.0385889, 0.001783195, -0.000281221, 0.2383915
#define FOLD 0.2958944, -1.035466
#define POLE -24.22728, 147.4473, 0.001825062, -0.0003469869, -8.50938, \
    -23.95293, 140.8124, 31.60732
#define TILT -32.30333, 262.6572, 0.004253353, 0.04837102, -18.88063, -32.02611, \
    253.7441, 52.90502, -0.0308515, -0.01511377, -0.001959779, -0.006279351, \
    -0.003988759, 0.1257478
#define FISHEYE -0.009673145, -6.76154e-05, -0.001781341, -5.409396e-05

static const Remap remaps[] = {
  {MGPU_LENS_BROWN, 0.84, {BROWN}, 0, 0, 1, MGPU_PROJECTION_PERSPECTIVE, 0, 0,
      0,
      0, MGPU_WARP_BLACK, MGPU_INTERPOLATION_BILINEAR, 1, 100, FALSE},
  {MGPU_LENS_BROWN, 0.84, {BROWN}, 0, 0, 1, MGPU_PROJECTION_PERSPECTIVE, 0.5, 5,
      -7, 12, MGPU_WARP_REPEAT, MGPU_INTERPOLATION_CUBIC, 1, 100, FALSE},
  {MGPU_LENS_BROWN, 0.84, {POLE}, 0, 0, 1, MGPU_PROJECTION_PERSPECTIVE, 0.6, 0,
      0, 0, MGPU_WARP_MIRROR, MGPU_INTERPOLATION_LANCZOS, 1, 100, FALSE},
  {MGPU_LENS_BROWN, 0.84, {TILT}, 0, 0, 1, MGPU_PROJECTION_PERSPECTIVE, 0.8, 0,
      0, 0, MGPU_WARP_BLACK, MGPU_INTERPOLATION_BILINEAR, 2, 100, FALSE},
  {MGPU_LENS_FISHEYE, 0.3, {FISHEYE}, 0, 0, 1, MGPU_PROJECTION_PERSPECTIVE, 0.4,
      40, 20, 0, MGPU_WARP_BLACK, MGPU_INTERPOLATION_BILINEAR, 2, 80, FALSE},
  {MGPU_LENS_FISHEYE, 0.15, {FISHEYE}, 0, 0, 1, MGPU_PROJECTION_EQUIRECT, 0.16,
      0, 0, 0, MGPU_WARP_BLACK, MGPU_INTERPOLATION_CUBIC, 1, 100, TRUE},
  {MGPU_LENS_OMNI, 0.4, {-0.05, 0.01, 3e-4, -2e-4}, 1.2, 0, 1,
      MGPU_PROJECTION_CYLINDER, 0.3, 0, 10, 0, MGPU_WARP_REPEAT,
      MGPU_INTERPOLATION_BILINEAR, 4, 100, FALSE},
  {MGPU_LENS_DOUBLE_SPHERE, 0.24, {0}, -0.2, 0.55, 1,
      MGPU_PROJECTION_STEREOGRAPHIC, 0.2, 0, 0, 90, MGPU_WARP_MIRROR,
      MGPU_INTERPOLATION_CUBIC, 4, 90, FALSE},
  {MGPU_LENS_DOUBLE_SPHERE, 0.3, {0}, 0, 0.6, 1.2, MGPU_PROJECTION_FISHEYE, 0.1,
      0, 0, 0, MGPU_WARP_REPEAT, MGPU_INTERPOLATION_LANCZOS, 2, 100, TRUE},
  {MGPU_LENS_FOV, 0.4, {0.9}, 0, 0, 1, MGPU_PROJECTION_PERSPECTIVE, 0, 0, 0, 0,
      MGPU_WARP_BLACK, MGPU_INTERPOLATION_LANCZOS, 1, 100, FALSE},
  /* View that looks straight up in a sphere */
  {MGPU_LENS_EQUIRECT, 1, {0}, 0, 0, 1, MGPU_PROJECTION_PERSPECTIVE, 0.5, 0, 90,
      0, MGPU_WARP_BLACK, MGPU_INTERPOLATION_BILINEAR, 1, 80, FALSE},
  {MGPU_LENS_EQUIRECT, 1, {0}, 0, 0, 1, MGPU_PROJECTION_EQUIRECT,
      0.15915494309189535, 150, 30, 5, MGPU_WARP_MIRROR,
      MGPU_INTERPOLATION_LANCZOS, 4, 100, FALSE},
  {MGPU_LENS_EQUIRECT, 1, {0}, 0, 0, 1, MGPU_PROJECTION_PERSPECTIVE, 0.5, 175,
      0, 0, MGPU_WARP_BLACK, MGPU_INTERPOLATION_CUBIC, 2, 100, FALSE},
  /* A fold (end of the lens model) inside of the frame, and rays behind the camera */
  {MGPU_LENS_BROWN, 0.84, {FOLD}, 0, 0, 1, MGPU_PROJECTION_PERSPECTIVE, 0.4, 0,
      0, 0, MGPU_WARP_REPEAT, MGPU_INTERPOLATION_BILINEAR, 1, 100, TRUE},
  {MGPU_LENS_BROWN, 0.84, {FOLD}, 0, 0, 1, MGPU_PROJECTION_PERSPECTIVE, 0.4,
      120,
      0, 0, MGPU_WARP_MIRROR, MGPU_INTERPOLATION_LANCZOS, 1, 100, FALSE}
};

static KcVariant variants[] = {
  {"Brown", &remaps[0]},
  {"Brown, turned, repeated, cubic", &remaps[1]},
  {"pole, mirrored, Lanczos", &remaps[2]},
  {"tilt, 2 samples", &remaps[3]},
  {"fisheye to perspective, 2 samples", &remaps[4]},
  {"fisheye to equirect, cubic, colour", &remaps[5]},
  {"omni to cylinder, 4 samples", &remaps[6]},
  {"double sphere to stereographic, mirrored, cubic, 4 samples", &remaps[7]},
  {"EUCM to fisheye, Lanczos, 2 samples", &remaps[8]},
  {"FOV, Lanczos", &remaps[9]},
  {"zenith of a sphere", &remaps[10]},
  {"sphere to sphere, Lanczos, 4 samples", &remaps[11]},
  {"back of a sphere, cubic, 2 samples", &remaps[12]},
  {"fold, colour", &remaps[13]},
  {"behind the camera, mirrored, Lanczos", &remaps[14]}
};

static const gint colours[GST_VIDEO_MAX_COMPONENTS] = { 200, 30, 90, 120 };

/* ---- Cameras and views -------------------------------------------------------------- */

static void
make_camera (const Remap * remap, const GstVideoInfo * info,
    MgpuCamera * camera)
{
  *camera = (MgpuCamera) {
  .lens = remap->lens,.xi = remap->xi,.alpha = remap->alpha,.beta =
        remap->beta,.width = info->width,.height = info->height};
  camera->focal[0] = remap->focal * info->width;
  camera->focal[1] = remap->focal * info->width * 1.001;
  camera->centre[0] = (info->width - 1) / 2.0 + 0.01 * info->width;
  camera->centre[1] = (info->height - 1) / 2.0 - 0.02 * info->height;
  memcpy (camera->k, remap->k, sizeof (camera->k));
}

/* Multiplies the rotation @r from the left by a rotation of @angle degrees, in the plane of the
 * axes @i and @j. */
static void
turn (gdouble r[9], guint i, guint j, gdouble angle)
{
  gdouble s, c;

  mgpu_lens_sincos (angle * (G_PI / 180), &s, &c);
  for (guint k = 0; k < 3; k++) {
    gdouble a = r[3 * i + k], b = r[3 * j + k];

    r[3 * i + k] = c * a - s * b;
    r[3 * j + k] = s * a + c * b;
  }
}

static void
make_view (const Remap * remap, const GstVideoInfo * info, MgpuView * view)
{
  gdouble focal = remap->view_focal > 0 ? remap->view_focal : remap->focal;
  const gdouble identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };

  *view = (MgpuView) {
    .projection = remap->projection,.focal = { focal * info->width,
      focal * info->width
    },.centre = { (info->width - 1) / 2.0,
      (info->height - 1) / 2.0
  },.width = info->width,.height = info->height};
  memcpy (view->turn, identity, sizeof (identity));
  turn (view->turn, 2, 0, -remap->pan);
  turn (view->turn, 1, 2, -remap->tilt);
  turn (view->turn, 0, 1, -remap->roll);
}

static MgpuLensMap *
make_map (const Remap * remap, const GstVideoInfo * in,
    const GstVideoInfo * out)
{
  MgpuLensModel model;
  MgpuCamera camera;
  MgpuView view;

  make_camera (remap, in, &camera);
  make_view (remap, out, &view);
  mgpu_lens_model_init (&model, &camera);
  return mgpu_lens_map_new (&model, &view);
}

/* Computes the same map with the reference. */
static void
refer_map (const Remap * remap, const GstVideoInfo * in,
    const GstVideoInfo * out, RefMap * map)
{
  MgpuCamera camera;
  MgpuView view;
  RefCamera ref_camera = { 0 };
  RefView ref_view = { 0 };

  make_camera (remap, in, &camera);
  make_view (remap, out, &view);
  ref_camera.lens = (RefLens) camera.lens;
  memcpy (ref_camera.focal, camera.focal, sizeof (camera.focal));
  memcpy (ref_camera.centre, camera.centre, sizeof (camera.centre));
  memcpy (ref_camera.k, camera.k, sizeof (camera.k));
  ref_camera.xi = camera.xi;
  ref_camera.alpha = camera.alpha;
  ref_camera.beta = camera.beta;
  ref_camera.width = camera.width;
  ref_camera.height = camera.height;
  ref_view.projection = (RefProjection) view.projection;
  memcpy (ref_view.focal, view.focal, sizeof (view.focal));
  memcpy (ref_view.centre, view.centre, sizeof (view.centre));
  memcpy (ref_view.turn, view.turn, sizeof (view.turn));
  ref_view.width = view.width;
  ref_view.height = view.height;
  ref_camera_prepare (&ref_camera);
  ref_map_make (&ref_camera, &ref_view, map);
}

/* ---- Maps ------------------------------------------------------------------------------ */

static void
compare_words (KcRun * run, const gchar * name, const gint32 * want,
    const MgpuLensMap * map, guint first, guint n)
{
  const KcArray a = { name, KC_I32, want, n * 4, 4, n, 1 };
  const KcArray b = { name, KC_I32,
    &g_array_index (map->words, gint32, first), n * 4, 4, n, 1
  };

  if (n == 0)
    return;
  if (first + n > map->words->len)
    kc_case_fail (run, "%s: %u words of %u", name, n, map->words->len - first);
  else
    kc_compare_array (run, &a, &b);
}

/* Compares the map of a variant with the reference's. */
static void
check_map (KcRun * run, const KcVariant * variant, gint width, gint height)
{
  g_autoptr (MgpuLensMap) map = NULL;
  GstVideoInfo info;
  RefMap want;
  guint n, cells;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, width, height);
  kc_case_begin (run, KC_FIXED, "map %dx%d, %s", width, height, variant->text);
  map = make_map (variant->params, &info, &info);
  refer_map (variant->params, &info, &info, &want);
  n = want.columns * want.rows;
  cells = (want.columns - 3) * (want.rows - 3);
  if (map->columns != want.columns || map->rows != want.rows
      || map->wrap != want.wrap || (gint) map->n_exact != want.n_exact
      || (map->margins > 0) != (want.margins != NULL))
    kc_case_fail (run, "%dx%d nodes, %u exact cells, margins: %u; not %dx%d, "
        "%d, %d", map->columns, map->rows, map->n_exact, map->margins,
        want.columns, want.rows, want.n_exact, want.margins != NULL);
  else {
    compare_words (run, "nodes", want.nodes, map, map->nodes, 2 * n);
    if (want.margins != NULL)
      compare_words (run, "margins", want.margins, map, map->margins, n);
    compare_words (run, "cells", want.cells, map, map->cells, cells);
    compare_words (run, "exact", want.exact, map, map->exact,
        512 * want.n_exact);
  }
  ref_map_clear (&want);
  kc_case_end (run);
}

/* ---- Frames ---------------------------------------------------------------------------- */

/* An object, and the map for its sizes */
typedef struct
{
  gpointer remap;
  MgpuLensMap *map;
  MgpuRemapParams params;
} Object;

static gboolean
prepare (gconstpointer params, GstVideoInfo * in, GstVideoInfo * out)
{
  const Remap *remap = params;

  /* Chroma sites of all kinds */
  kc_warp_prepare (remap->interpolation == MGPU_INTERPOLATION_CUBIC
      ? GST_VIDEO_CHROMA_SITE_COSITED : remap->edges == MGPU_WARP_BLACK
      ? GST_VIDEO_CHROMA_SITE_NONE : GST_VIDEO_CHROMA_SITE_MPEG2,
      remap->percent, in, out);
  return TRUE;
}

static void
object_free (gpointer data)
{
  Object *self = data;

  mgpu_object_free (self->remap);
  mgpu_lens_map_free (self->map);
  g_free (self);
}

static gpointer
create (GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * out, gconstpointer params, GError ** error)
{
  const Remap *remap = params;
  Object *self = g_new0 (Object, 1);

  self->map = make_map (remap, in, out);
  self->params = (MgpuRemapParams) {
  self->map, 1, remap->edges, remap->interpolation, remap->samples,
        remap->has_colour ? colours : NULL};
  self->remap = mgpu_object_new (&mgpu_remap, context, in, NULL, out, NULL,
      error);
  if (self->remap == NULL)
    g_clear_pointer (&self, object_free);
  return self;
}

static void
enqueue (gpointer data, GstMgpuJob * job, const MgpuWork * work)
{
  Object *self = data;
  const MgpuWork remapped = { &self->params, work->in, NULL, work->out };

  mgpu_remap.enqueue (self->remap, job, &remapped);
}

static void
reference (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const Remap *remap = params;
  RefWarpPlane from[KC_WARP_PLANES];
  RefPlane to[KC_WARP_PLANES];
  guint n = kc_warp_planes (in, out, from, to);
  RefMap map;

  refer_map (remap, &in->info, &out->info, &map);
  for (guint i = 0; i < n; i++)
    ref_remap (&from[i], &to[i], &map, (RefEdges) remap->edges,
        (RefInterpolation) remap->interpolation, remap->samples,
        remap->has_colour && i < GST_VIDEO_INFO_N_COMPONENTS (&in->info)
        ? colours[i] : from[i].black);
  ref_map_clear (&map);
}

static const KcFilter filter = {
  .formats = all_formats,
  .variants = variants,
  .n_variants = G_N_ELEMENTS (variants),
  .n_sizes = 3,
  .prepare = prepare,
  .create = create,
  .enqueue = enqueue,
  .free = object_free,
  .reference = reference
};

static void
check (KcRun * run)
{
  for (guint i = 0; i < G_N_ELEMENTS (variants) && kc_goes_on (run); i++) {
    check_map (run, &variants[i], 161, 99);
    check_map (run, &variants[i], 1, 1);
    if (!run->quick)
      check_map (run, &variants[i], 1280, 720);
  }
  kc_check_filter (run, &filter);
}

#if defined (HAVE_OPENCV) || defined (HAVE_NPP)
/* Sets @x and @y to the exact positions of the pixels of @out in @in. They are kept for the next
 * call with the same parameters and size. */
static void
find_places (gconstpointer params, const KcPicture * in, const KcPicture * out,
    const gfloat ** x, const gfloat ** y)
{
  static gconstpointer last;
  static GArray *places[2];
  guint n = out->info.width * out->info.height;
  gboolean is_new = last != params || places[0]->len != n;
  MgpuLensModel model;
  MgpuCamera camera;
  MgpuView view;

  for (guint i = 0; is_new && i < 2; i++) {
    g_clear_pointer (&places[i], g_array_unref);
    places[i] = g_array_sized_new (FALSE, FALSE, sizeof (gfloat), n);
  }
  make_camera (params, &in->info, &camera);
  make_view (params, &out->info, &view);
  mgpu_lens_model_init (&model, &camera);
  for (guint k = 0; is_new && k < n; k++) {
    gdouble place[2];

    mgpu_view_find_place (&view, &model, k % out->info.width,
        k / out->info.width, place);
    for (guint i = 0; i < 2; i++) {
      gfloat value = place[i];

      g_array_append_val (places[i], value);
    }
  }
  last = params;
  *x = (const gfloat *) places[0]->data;
  *y = (const gfloat *) places[1]->data;
}
#endif

#ifdef HAVE_OPENCV
static gdouble
run_opencv (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const gfloat *x, *y;

  find_places (params, in, out, &x, &y);
  kc_opencv_remap (x, y, in, out);
  return -1;
}
#else
#define run_opencv NULL
#endif

#ifdef HAVE_NPP
static gdouble
run_npp (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const gfloat *x, *y;

  find_places (params, in, out, &x, &y);
  return kc_npp_remap (x, y, in, out);
}
#else
#define run_npp NULL
#endif

static void
bench (KcRun * run)
{
  /* OpenCV 4 rounds positions to 1/32 pixel, this project to 1/256. */
  static const KcPeer peers[] = {
    {"OpenCV", run_opencv, 4, 1.0},
    {"NPP", run_npp, -1, 0},
    {NULL, NULL, 0, 0}
  };
  static const KcFilterBench list[] = {
    {"bilinear", NULL, GST_VIDEO_FORMAT_GRAY8, 1920, 1080, peers, &remaps[0]},
    {"bilinear", NULL, GST_VIDEO_FORMAT_GRAY8, 3840, 2160, peers, &remaps[0]},
    {"bilinear", NULL, GST_VIDEO_FORMAT_NV12, 1920, 1080, NULL, &remaps[0]},
    {"cubic", NULL, GST_VIDEO_FORMAT_NV12, 1920, 1080, NULL, &remaps[1]},
    {"lanczos", NULL, GST_VIDEO_FORMAT_NV12, 1920, 1080, NULL, &remaps[9]},
    {"zenith", NULL, GST_VIDEO_FORMAT_NV12, 1920, 1080, NULL, &remaps[10]}
  };

  kc_bench_filter (run, &filter, list, G_N_ELEMENTS (list));
}

const KcFunction kc_remap = { "remap", check, bench };
