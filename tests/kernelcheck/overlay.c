/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks the drawing of keypoints, boxes and text, and measures its time. */
#include "kernelcheck.h"

#include <math.h>
#include <gst/vision/overlay/overlay.h>

#include "../reference/overlay.h"

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_GRAY8,
  GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_BGRA, GST_VIDEO_FORMAT_Y444, GST_VIDEO_FORMAT_GRAY16_LE,
  GST_VIDEO_FORMAT_I420_10LE, GST_VIDEO_FORMAT_YV12, GST_VIDEO_FORMAT_NV21,
  GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_BGR,
  GST_VIDEO_FORMAT_RGBx, GST_VIDEO_FORMAT_xRGB, GST_VIDEO_FORMAT_BGRx,
  GST_VIDEO_FORMAT_xBGR, GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_ARGB,
  GST_VIDEO_FORMAT_ABGR, GST_VIDEO_FORMAT_UNKNOWN
};

typedef struct
{
  gint64 x, y, width, height;
  const gchar *label;
  gint64 id;                    /* 0: none */
} Region;

/* Shapes to draw. Keypoints are random ones all over the frame and around it, of sizes up to
 * max_size, followed by some with invalid values. */
typedef struct
{
  MgpuOverlayStyle style;
  const gchar *text;
  guint n_keypoints;
  gfloat max_size;
  const Region *regions;
  guint n_regions;
  gboolean has_trails;          /* whether random points, and some with invalid values, are joined
                                 * by lines */
} Scene;

static const Region usual_regions[] = {
  {3, 4, 20, 12, "cat 0.87"}, {10, 2, 60, 50, NULL}, {0, 0, 1, 1, NULL}
};

static const Region odd_regions[] = {
  {-5, -3, 12, 9, "left \xff over"}, {7, 7, 0, 5, "none"},
  {2, 2, 3, 3, ""}, {-2147483648LL, 5, 4294967295LL, 3, NULL},
  {5, -2147483648LL, 3, 2147483658LL, "high"},
  {4294967295LL, 4294967295LL, 4294967295LL, 4294967295LL, "far"},
  {12, 9, 4294967295LL, 4294967295LL, "a label that is wider than most frames"}
};

static const Region crowd[] = {
  {20, 30, 40, 12, "a 1"}, {24, 31, 40, 12, "b 2"}, {22, 29, 40, 12, "c 3"},
  {30, 33, 30, 12, "d 4"}, {21, 32, 40, 12, "e 5"}, {23, 30, 40, 12, "f 6"}
};

static const Region objects[] = {
  {3, 4, 20, 12, "cat #1", 1}, {10, 2, 60, 50, NULL, 23},
  {1, 9, 9, 9, NULL, 0x7fffffffffffffff}
};

#define GREEN 0xff00ff00
#define REGIONS(list) (list), G_N_ELEMENTS (list)

static const Scene few = { {GREEN, 0xffffc000, 0xffffffff, 1.5}, "9 keypoints",
9, 20, REGIONS (usual_regions)
};
static const Scene nothing = { {GREEN, GREEN, GREEN, 1}, NULL, 0, 0, NULL, 0 };
static const Scene odd = { {0x80ff3010, 0x60103090, 0x4020c0ff, 2.3},
"two\nlines", 12, 150, REGIONS (odd_regions)
};
static const Scene many = { {0xffc08020, 0, 0, 1}, "not seen", 100, 9,
REGIONS (usual_regions)
};
static const Scene thick = { {0xff0000ff, 0xff010203, 0xfffefdfc, 16}, NULL, 6,
60, REGIONS (usual_regions)
};

static const Scene tracks = { {GREEN, 0xb0ffc000, 0xffffffff, 2.5}, NULL, 3, 20,
REGIONS (objects), TRUE
};

static const Scene crowded = { {GREEN, 0xffffc000, 0xffffffff, 1.5}, "6", 0, 0,
REGIONS (crowd)
};

static const KcVariant variants[] = {
  {"few shapes", &few, 0},
  {"nothing", &nothing, 0},
  {"odd shapes", &odd, 80000},
  {"many shapes", &many, 20000},
  {"thick lines", &thick, 20000},
  {"trails", &tracks, 20000},
  {"labels near each other", &crowded, 20000},
};

/* ---- Letters ---------------------------------------------------------------- */

/* Makes an image of the size of a text without a font: each pixel has a random coverage, often none
 * or full. */
static void
make_letters (const gchar * text, gint size, const GstVideoInfo * info,
    MgpuTextImage * image)
{
  gint lines = 1, line = 0, longest = 0;
  guint8 *coverage;
  KcRandom random;

  for (const gchar * c = text; *c != '\0'; c++) {
    line = *c == '\n' ? 0 : line + 1;
    lines += *c == '\n';
    longest = MAX (longest, line);
  }
  image->width = MIN (longest * size * 5 / 8, GST_VIDEO_INFO_WIDTH (info));
  image->height = MIN (lines * size * 5 / 4, GST_VIDEO_INFO_HEIGHT (info));
  coverage = g_malloc (image->width * image->height + 1);
  kc_random_init (&random, longest + 100 * lines);
  for (gint i = 0; i < image->width * image->height; i++) {
    guint value = kc_random_below (&random, 1024);

    coverage[i] = value < 384 ? 0 : value >= 640 ? 255 : value - 384;
  }
  image->coverage = coverage;
}

static void
clear_letters (MgpuTextImage * image)
{
  g_free ((gpointer) image->coverage);
}

/* ---- Ours ---------------------------------------------------------------- */

static gpointer
create (GstMgpuContext * context, const GstVideoInfo * in,
    const GstVideoInfo * out, gconstpointer params, GError ** error)
{
  return mgpu_object_new (&mgpu_overlay, context, in, NULL, NULL, NULL, error);
}

/* (transfer full) */
static GstMgpuKeypoint *
make_keypoints (const Scene * scene, const GstVideoInfo * info, guint * n)
{
  static const GstMgpuKeypoint bad[] = {
    {NAN, 5, 9, 0, 0, 0, 0}, {5, NAN, 9, 0, 0, 0, 0}, {5, 5, NAN, 0, 0, 0, 0},
    {5, 5, -1, 0, 0, 0, 0}, {INFINITY, 5, 9, 0, 0, 0, 0},
    {5, -INFINITY, 9, 0, 0, 0, 0}, {1e30f, 5, 9, 0, 0, 0, 0},
    {60001, 5, 9, 0, 0, 0, 0}, {-60000, 60000, 9, 0, 0, 0, 0},
    {7, 6, INFINITY, 45, 0, 0, 0}, {3, 8, 1e9f, 180, 0, 0, 0},
    {-2040, 6, 4094, 12, 0, 0, 0}, {5, 2050, 9999, 271, 0, 0, 0},
    {9, 9, 0, NAN, 0, 0, 0}, {8, 3, 6, INFINITY, 0, 0, 0},
    {4, 4, 7, 360, 0, 0, 0}, {6, 4, 7, 361, 0, 0, 0}
  };
  gint width = GST_VIDEO_INFO_WIDTH (info);
  gint height = GST_VIDEO_INFO_HEIGHT (info);
  guint n_bad = scene->max_size > 100 ? G_N_ELEMENTS (bad) : 0;
  GstMgpuKeypoint *list = g_new0 (GstMgpuKeypoint, scene->n_keypoints + n_bad);
  KcRandom random;

  kc_random_init (&random, width + 5000 * height);
  for (guint i = 0; i < scene->n_keypoints; i++) {
    list[i].x = (gint) kc_random_below (&random, 100 * (width + 20)) / 100.f
        - 10;
    list[i].y = (gint) kc_random_below (&random, 100 * (height + 20)) / 100.f
        - 10;
    list[i].size = kc_random_below (&random, 1000) / 1000.f * scene->max_size;
    list[i].angle = i % 5 == 4 ? -1 : kc_random_below (&random, 36000) / 100.f;
  }
  for (guint i = 0; i < n_bad; i++)
    list[scene->n_keypoints + i] = bad[i];
  *n = scene->n_keypoints + n_bad;
  return list;
}

#define N_POINTS 12

/* Makes the path of an object: random positions in the frame and around it, some repeated, some far
 * away or missing. */
static void
make_points (const GstVideoInfo * info, guint id, MgpuOverlayPoint * points)
{
  gint width = GST_VIDEO_INFO_WIDTH (info);
  gint height = GST_VIDEO_INFO_HEIGHT (info);
  KcRandom random;

  kc_random_init (&random, width + 5000 * height + id);
  for (guint i = 0; i < N_POINTS; i++) {
    points[i].x = (gint) kc_random_below (&random, 100 * (width + 20)) / 100.
        - 10;
    points[i].y = (gint) kc_random_below (&random, 100 * (height + 20)) / 100.
        - 10;
    if (i % 4 == 3)
      points[i] = points[i - 1];
  }
  points[5] = (MgpuOverlayPoint) {
  30000, -40000};
  points[8] = (MgpuOverlayPoint) {
  NAN, 3};
  points[10] = (MgpuOverlayPoint) {
  7, 60001};
}

static void
enqueue (gpointer self, GstMgpuJob * job, const MgpuWork * work)
{
  const MgpuImage *in = work->in;
  const Scene *scene = work->params;
  gint size = mgpu_overlay_get_text_size (self);
  GstMgpuKeypoint *keypoints;
  MgpuTextImage image;
  guint n;

  mgpu_overlay_begin (self, &scene->style);
  if (scene->text != NULL) {
    make_letters (scene->text, size, &in->info, &image);
    mgpu_overlay_add_text (self, &image);
    clear_letters (&image);
  }
  for (guint i = 0; i < scene->n_regions; i++) {
    const Region *r = &scene->regions[i];

    make_letters (r->label != NULL ? r->label : "", size, &in->info, &image);
    mgpu_overlay_add_region (self, r->id > 0 ? r->id : -1, r->x, r->y, r->width,
        r->height, r->label != NULL ? &image : NULL);
    clear_letters (&image);
  }
  for (guint id = 0; scene->has_trails && id < 3; id++) {
    MgpuOverlayPoint points[N_POINTS];

    make_points (&in->info, id, points);
    mgpu_overlay_add_trail (self, id, points, N_POINTS);
  }
  keypoints = make_keypoints (scene, &in->info, &n);
  mgpu_overlay_add_keypoints (self, keypoints, n);
  g_free (keypoints);
  mgpu_overlay_enqueue (self, job, in, work->out);
}

/* ---- The reference ------------------------------------------------------- */

typedef struct
{
  RefOverlay frame;
  RefOverlayColour keypoint, region, text, behind_text, ids[12];
  const GstVideoInfo *info;
  gint text_size, width, height;
} Canvas;

static void
canvas_init (Canvas * canvas, const Scene * scene, const KcPicture * out)
{
  const GstVideoInfo *info = &out->info;
  const MgpuOverlayStyle *style = &scene->style;
  RefColour colour = {
    .rgb = GST_VIDEO_INFO_IS_RGB (info),.gray = GST_VIDEO_INFO_IS_GRAY (info),
    .full_range = info->colorimetry.range != GST_VIDEO_COLOR_RANGE_16_235,
    .max = (1 << GST_VIDEO_INFO_COMP_DEPTH (info, 0)) - 1
  };
  guint last = MIN (GST_VIDEO_INFO_N_COMPONENTS (info), 3) - 1;

  if (!gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix, &colour.kr,
          &colour.kb)) {
    colour.kr = 0.299;
    colour.kb = 0.114;
  }
  canvas->frame.n_planes = last + 1;
  for (guint i = 0; i <= last; i++)
    canvas->frame.plane[i] = kc_picture_plane (out, i);
  canvas->frame.chroma_width = 1 << info->finfo->w_sub[last];
  canvas->frame.chroma_height = 1 << info->finfo->h_sub[last];
  ref_overlay_colour (style->keypoint_colour, &colour, &canvas->keypoint);
  ref_overlay_colour (style->region_colour, &colour, &canvas->region);
  ref_overlay_colour (style->text_colour, &colour, &canvas->text);
  ref_overlay_colour (0, &colour, &canvas->behind_text);
  canvas->behind_text.opacity = (canvas->text.opacity * 208 + 127) / 255;
  for (guint i = 0; i < 12; i++)
    ref_overlay_colour ((style->region_colour & 0xff000000)
        | ref_overlay_id_colours[i], &colour, &canvas->ids[i]);

  canvas->width = GST_VIDEO_INFO_WIDTH (info);
  canvas->height = GST_VIDEO_INFO_HEIGHT (info);
  canvas->text_size = MAX (canvas->height / 30, 13);
  canvas->info = info;
}

static void
draw_text (const Canvas * canvas, const MgpuTextImage * image, gint x, gint y,
    gint padding)
{
  if (image->width == 0)
    return;
  ref_overlay_box (&canvas->frame, &canvas->behind_text, 16 * x, 16 * y,
      16 * (x + image->width + 2 * padding), 16 * (y + image->height));
  ref_overlay_image (&canvas->frame, &canvas->text, x + padding, y,
      image->width, image->height, image->coverage);
}

/* A rectangle in pixels: x, y, width, height */
typedef struct
{
  gint64 at[4];
} Place;

static gboolean
meets (const Place * a, const Place * b)
{
  return a->at[0] < b->at[0] + b->at[2] && b->at[0] < a->at[0] + a->at[2]
      && a->at[1] < b->at[1] + b->at[3] && b->at[1] < a->at[1] + a->at[3];
}

/* Finds the position of a label that does not overlap the @n earlier labels. Returns: FALSE if the
 * region is not visible */
static gboolean
find_place (const Canvas * canvas, const Region * region,
    const MgpuTextImage * image, gint line, const Place * before, guint n,
    Place * place)
{
  gint64 w = image->width + 2 * (canvas->text_size / 4), h = image->height;
  gint64 x = region->x, y = region->y;
  gint64 right = x + region->width, bottom = y + region->height;
  const gint64 places[5][3] = {
    {y >= h, x, y - h}, {1, x, MAX (y, 0) + line},
    {bottom + h <= canvas->height, x, bottom}, {y >= h, right - w, y - h},
    {right + w <= canvas->width, right, y}
  };
  Place first = { {-1} };

  if (region->width == 0 || region->height == 0 || x >= canvas->width
      || y >= canvas->height || right <= 0 || bottom <= 0 || image->width == 0)
    return FALSE;
  for (guint i = 0; i < 5; i++) {
    gboolean is_free = TRUE;

    if (!places[i][0])
      continue;
    *place = (Place) { {
    MAX (MIN (places[i][1], canvas->width - w), 0),
            MAX (MIN (places[i][2], canvas->height - h), 0), w, h}
    };
    if (first.at[0] < 0)
      first = *place;
    for (guint j = 0; j < n; j++)
      is_free &= !meets (place, &before[j]);
    if (is_free)
      return TRUE;
  }
  *place = first;
  return TRUE;
}

/* Finds the positions of the text and of all labels; a width of 0 stands for none. Returns:
 * (transfer full): the positions of the labels */
static Place *
find_places (const Canvas * canvas, const Scene * scene)
{
  gint line = (gint) floor (scene->style.line_width * 16 + 0.5) / 16, n = 0;
  g_autofree Place *taken = g_new (Place, scene->n_regions + 1);
  Place *places = g_new0 (Place, scene->n_regions + 1);
  MgpuTextImage image;

  if (scene->text != NULL) {
    gint margin = canvas->text_size / 2;

    make_letters (scene->text, canvas->text_size, canvas->info, &image);
    taken[n++] = (Place) { {
    margin, margin, image.width + 2 * (canvas->text_size / 3), image.height}
    };
    clear_letters (&image);
  }
  for (guint i = 0; i < scene->n_regions; i++) {
    const Region *r = &scene->regions[i];

    if (r->label == NULL)
      continue;
    make_letters (r->label, canvas->text_size, canvas->info, &image);
    if (find_place (canvas, r, &image, line, taken, n, &places[i]))
      taken[n++] = places[i];
    clear_letters (&image);
  }
  return places;
}

static void
reference (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const Scene *scene = params;
  gdouble line_width = scene->style.line_width;
  GstMgpuKeypoint *keypoints;
  MgpuTextImage image;
  Canvas canvas;
  Place *places;
  guint n;

  kc_picture_copy_planes (in, out, ~0u);
  canvas_init (&canvas, scene, out);
  places = find_places (&canvas, scene);
  keypoints = make_keypoints (scene, &out->info, &n);
  /* Draws the first keypoint last, so that it lies on top. */
  while (n-- > 0)
    ref_overlay_keypoint (&canvas.frame, &canvas.keypoint, line_width,
        keypoints[n].x, keypoints[n].y, keypoints[n].size, keypoints[n].angle);
  g_free (keypoints);
  for (guint id = scene->has_trails ? 3 : 0; id-- > 0;) {
    MgpuOverlayPoint points[N_POINTS];

    make_points (&out->info, id, points);
    for (guint i = N_POINTS - 1; i-- > 0;)
      ref_overlay_line (&canvas.frame, &canvas.ids[id], line_width,
          points[i].x, points[i].y, points[i + 1].x, points[i + 1].y);
  }
  for (guint i = scene->n_regions; i-- > 0;) {
    const Region *region = &scene->regions[i];

    ref_overlay_region (&canvas.frame, region->id > 0
        ? &canvas.ids[region->id % 12] : &canvas.region, line_width, region->x,
        region->y, region->width, region->height);
    if (places[i].at[2] == 0)
      continue;
    make_letters (region->label, canvas.text_size, canvas.info, &image);
    draw_text (&canvas, &image, places[i].at[0], places[i].at[1],
        canvas.text_size / 4);
    clear_letters (&image);
  }
  g_free (places);
  if (scene->text != NULL) {
    make_letters (scene->text, canvas.text_size, canvas.info, &image);
    draw_text (&canvas, &image, canvas.text_size / 2, canvas.text_size / 2,
        canvas.text_size / 3);
    clear_letters (&image);
  }
}

static const KcFilter filter = {
  .formats = formats,
  .variants = variants,
  .n_variants = G_N_ELEMENTS (variants),
  .n_sizes = 4,
  .create = create,
  .enqueue = enqueue,
  .free = mgpu_object_free,
  .reference = reference
};

/* ---- Successive scenes --------------------------------------------------- */

/* Enlarges, shrinks and reuses drawing plans while the device reads the previous ones, and compares
 * all frames at the end. */
static void
check_frames (KcRun * run)
{
  static const Scene *const scenes[] = {
    &few, &many, &nothing, &odd, &few, &many, &many, &thick, &nothing, &few
  };
  KcPicture *want[G_N_ELEMENTS (scenes)], *in;
  KcFrame *frames[G_N_ELEMENTS (scenes)], *in_frame;
  GError *error = NULL;
  GstVideoInfo info;
  KcRandom random;
  gpointer self;

  kc_case_begin (run, KC_FIXED, "%d scenes alternately, 65x33",
      (gint) G_N_ELEMENTS (scenes));
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 65, 33);
  kc_random_init (&random, 7);
  in = kc_picture_make (&info, KC_LAYOUT_DEFAULT, KC_CONTENT_RANDOM, &random);
  in_frame = kc_frame_new (run, in);
  self = create (run->context, &info, &info, NULL, &error);
  if (self == NULL)
    kc_case_fail_error (run, error);
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++) {
    GstMgpuJob job;

    want[i] = kc_picture_new (&info, KC_LAYOUT_DEFAULT, &random);
    frames[i] = kc_frame_new (run, want[i]);
    reference (scenes[i], in, want[i]);
    if (self == NULL || in_frame == NULL || frames[i] == NULL)
      continue;
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    enqueue (self, &job, &(MgpuWork) {
        scenes[i], &in_frame->image, NULL, &frames[i]->image}
    );
    if (!gst_mgpu_job_end (&job, &error))
      kc_case_fail_error (run, error);
  }
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++) {
    g_autoptr (KcPicture) got = kc_picture_copy (want[i]);

    if (frames[i] != NULL && kc_frame_read (run, frames[i], got))
      kc_compare_picture (run, want[i], got);
    kc_picture_free (want[i]);
    kc_frame_free (frames[i]);
  }
  mgpu_object_free (self);
  kc_frame_free (in_frame);
  kc_picture_free (in);
  kc_case_end (run);
}

static void
check (KcRun * run)
{
  kc_check_filter (run, &filter);
  check_frames (run);
}

static void
bench (KcRun * run)
{
  static const Scene keypoints = { {GREEN, 0xffffc000, 0xffffffff, 1.5},
  "500 keypoints   16.7 ms", 500, 16, NULL, 0
  };
  static const GstVideoFormat bench_formats[] = {
    GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_BGRx
  };

  for (guint i = 0; i < G_N_ELEMENTS (bench_formats); i++) {
    const KcFilterBench what = {
      .what = "500 keypoints",
      .params = &keypoints,
      .format = bench_formats[i],
      .width = 768,
      .height = 576
    };

    kc_bench_filter (run, &filter, &what, 1);
  }
}

const KcFunction kc_overlay = { "overlay", check, bench };
