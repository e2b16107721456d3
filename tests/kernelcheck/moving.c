/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks motion detection on streams, and measures its time. */
#include "peers.h"

#include <math.h>
#include <string.h>

#include <gst/vision/moving/moving-private.h>

#include "../reference/moving.h"
#include "../reference/samples.h"

static const GstVideoFormat formats[] = {
  GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_GRAY8, GST_VIDEO_FORMAT_BGRx,
  GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_P010_10LE, GST_VIDEO_FORMAT_YUY2,
  GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_Y42B,
  GST_VIDEO_FORMAT_Y444, GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_I420_10LE,
  GST_VIDEO_FORMAT_ARGB
};

#define DEFAULTS {640, 1, 0.0005, 1, 12, MGPU_MOVING_SHADOWS_REMOVE, MGPU_MOVING_LIGHT_FIELD}

/* Events of a stream, by the number of the frame */
#define BLACK 52
#define ONE_GRAY 54
#define ENDS_FLAT 55
#define STEP_OF_LIGHT 58
#define DROPS_EVIDENCE 56
#define DISABLED 62
#define FORGETS 64
#define N_FRAMES 66

typedef struct
{
  gint width, height;
  MgpuMovingParams params;
  gboolean has_region;
} Variant;

static const Variant variants[] = {
  {97, 71, DEFAULTS},
  {321, 200, {64, 4, 0, 1, 0.2, MGPU_MOVING_SHADOWS_KEEP,
          MGPU_MOVING_LIGHT_FIELD}, TRUE},
  {130, 61, {65, 0.25, 0.0005, 0.05, 0, MGPU_MOVING_SHADOWS_REMOVE,
          MGPU_MOVING_LIGHT_TONE}},
  {1, 1, DEFAULTS},
  {16, 40, {640, 1, 0, 1, 3600, MGPU_MOVING_SHADOWS_REMOVE,
          MGPU_MOVING_LIGHT_OFF}},
  {15, 90, DEFAULTS},
  {2, 300, {100, 2, 0, 1, 60, MGPU_MOVING_SHADOWS_KEEP,
          MGPU_MOVING_LIGHT_FIELD}, TRUE},
  {700, 9, DEFAULTS},
  {352, 288, {2048, 1, 0.0005, 1, 12, MGPU_MOVING_SHADOWS_REMOVE,
          MGPU_MOVING_LIGHT_FIELD}},
  {641, 479, {64, 1, 0, 1, 0.04, MGPU_MOVING_SHADOWS_REMOVE,
          MGPU_MOVING_LIGHT_FIELD}, TRUE},
};

typedef struct
{
  KcKind kind;
  GstVideoFormat format;
  KcLayout layout;
  KcContent content;            /* content of the frames; KC_CONTENT_OWN: the scene of this file */
  gboolean is_full_range;
  Variant variant;
  gint n_frames;
} Case;

/* ---- Frames ----------------------------------------------------------------- */

static guint
hash (gint x, gint y, gint seed)
{
  guint h = (guint) x * 0x9e3779b1u ^ (guint) y * 0x85ebca77u
      ^ (guint) seed * 0xc2b2ae3du;

  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  return (h ^ h >> 13) & 255;
}

/* Returns the brightness of color @c at (@x, @y), in units of 1/256 of the width and height: a
 * uniform gray frame, or a texture in front of which a box moves, with a shadow next to it. Another
 * box leaves its place, and a shadow appears without an object. */
static gint
get_scene (gint c, gint x, gint y, gint t)
{
  gint box = 20 + 5 * (t - 40), v = 60 + hash (x / 16, y / 16, c) / 2;

  if (t >= BLACK && t < ENDS_FLAT)
    return t < ONE_GRAY ? 1 : 140;
  if (x >= box && x < box + 60 && y >= 80 && y < 200)
    return 40 + hash (x / 8 - box / 8, y / 8, c + 9) * 3 / 4;
  if (x >= box + 60 && x < box + 110 && y >= 120 && y < 200)
    v = v * 6 / 10;
  if (t >= 48 && x < 100 && y >= 216)
    v = v * 7 / 10;
  if (t < 46 && x >= 140 && x < 240 && y < 48)
    v = 235;
  return v;
}

static void
draw (KcPicture * picture, gint t, KcRandom * random)
{
  const GstVideoInfo *info = &picture->info;
  gboolean is_yuv = GST_VIDEO_INFO_IS_YUV (info);

  for (guint c = 0; c < MIN (GST_VIDEO_INFO_N_COMPONENTS (info), 3); c++) {
    RefPlane plane = kc_picture_plane (picture, c);
    gint range = plane.hi - plane.lo;

    for (gint y = 0; y < plane.height; y++)
      for (gint x = 0; x < plane.width; x++) {
        gint v = get_scene (c, x * 256 / plane.width, y * 256 / plane.height,
            t);

        if (is_yuv && c > 0)
          v = t >= BLACK && t < ENDS_FLAT ? 128 : 96 + v / 4;
        else if (t >= STEP_OF_LIGHT)
          v = v * 3 / 4 + x * 20 / plane.width;
        v = plane.lo + range * v / 255
            + (gint) kc_random_below (random, 5 * range / 255 + 1);
        ref_set (&plane, x, y, CLAMP (v, 0, plane.max));
      }
  }
}

static KcPicture *
draw_region (const GstVideoInfo * info, KcRandom * random)
{
  GstVideoInfo grey;
  KcPicture *picture;
  RefPlane plane;

  gst_video_info_set_format (&grey, GST_VIDEO_FORMAT_GRAY8,
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
  picture = kc_picture_new (&grey, KC_LAYOUT_PADDED, random);
  plane = kc_picture_plane (picture, 0);
  for (gint y = 0; y < plane.height; y++)
    for (gint x = 0; x < plane.width; x++)
      ref_set (&plane, x, y, 3 * x > 2 * y ? 128 : 127);
  return picture;
}

/* ---- Comparing -------------------------------------------------------------- */

typedef struct
{
  KcRun *run;
  const Case *c;
  MgpuMoving *self;
  RefMoving *reference;
  MgpuMovingOutputs outputs;
} Stream;

static gboolean
compare_bytes (Stream * stream, const gchar * name, KcType type, gint width,
    gint height, gconstpointer want, gconstpointer got, gsize got_stride)
{
  gsize size = type == KC_U8 ? 1 : type == KC_U16 ? 2 : 4;
  const KcArray a = { name, type, want, width * size, size, width, height };
  const KcArray b = { name, type, got, got_stride, size, width, height };

  return kc_compare_array (stream->run, &a, &b);
}

/* Compares planes of the motion detector's state. */
static gboolean
compare_state (Stream * stream)
{
  static const gchar *const names[] = { "value", "m0", "m1", "w0", "w1" };
  MgpuMoving *self = stream->self;
  RefMoving *r = stream->reference;
  const uint16_t *words[] = { r->value, r->m[0], r->m[1], r->w[0], r->w[1] };
  const gint word_planes[] = { MOVING_VALUE, MOVING_M0, MOVING_M1, MOVING_W0,
    MOVING_W1
  };
  const struct
  {
    const gchar *name;
    const uint8_t *want;
    gint plane;
  } bytes[] = {
    {"s0", r->s[0], MOVING_S0}, {"s1", r->s[1], MOVING_S1},
    {"blink", r->blink, MOVING_BLINK}, {"smoothed", r->smoothed,
        MOVING_SMOOTHED}, {"evidence", r->evidence, MOVING_EVIDENCE},
    {"shade", r->shade, MOVING_SHADE}, {"ghost", r->ghost,
        MOVING_GHOST}, {"bits", r->mask, MOVING_BITS},
    {"cb", r->cb, MOVING_CB}, {"cr", r->cr, MOVING_CR}, {"cb0", r->cb0,
        MOVING_CB0}, {"cr0", r->cr0, MOVING_CR0}
  };
  gsize n_words = (gsize) MOVING_N_WORDS * self->plane * 2;
  gsize n_bytes = (gsize) MOVING_N_BYTES * self->plane;
  gsize at = MOVING_MARGIN_ROWS * self->stride + MOVING_MARGIN;
  g_autofree guint16 *got_words = g_malloc (n_words);
  g_autofree guint8 *got_bytes = g_malloc (n_bytes);
  GstMgpuJob job;
  gboolean ok;

  gst_mgpu_job_begin (&job, stream->run->queue, stream->run->stats);
  mgpu_slot_download (self, MGPU_MOVING_WORDS, &job, got_words, n_words);
  mgpu_slot_download (self, MGPU_MOVING_BYTES, &job, got_bytes, n_bytes);
  ok = kc_end_job (stream->run, &job);
  for (guint i = 0; i < G_N_ELEMENTS (words) && ok; i++)
    ok = compare_bytes (stream, names[i], KC_U16, r->width, r->height,
        words[i], got_words + at + (gsize) word_planes[i] * self->plane,
        2 * self->stride);
  for (guint i = 0; i < G_N_ELEMENTS (bytes) && ok; i++)
    if (r->has_chroma || bytes[i].name[0] != 'c')
      ok = compare_bytes (stream, bytes[i].name, KC_U8, r->width, r->height,
          bytes[i].want, got_bytes + at + (gsize) bytes[i].plane * self->plane,
          self->stride);
  return ok;
}

static void
convert_results (const RefMovingResults * from, guint n_learned,
    MgpuMovingResults * to)
{
  to->head = (MgpuMovingHead) {
  from->n_regions, from->n_dropped, from->n_ghosts, from->n_moving,
        from->light, from->has_tone, from->n_active, from->brightness,
        from->n_strong, from->n_survived, from->frame_energy,
        from->model_energy, n_learned, from->is_flat};
  for (gint i = 0; i < from->n_regions; i++) {
    const RefMovingRegion *r = &from->regions[i];

    to->regions[i] = (MgpuMovingRegion) {
    r->x0, r->y0, r->x1, r->y1, r->area, r->evidence, r->frame_edge,
          r->model_edge, r->n_shadow, r->cell};
  }
}

static gboolean
compare_results (Stream * stream, const RefMovingResults * results,
    guint n_learned)
{
  KcRun *run = stream->run;
  const RefMoving *r = stream->reference;
  gsize cells = r->columns * r->rows, n = (gsize) r->width * r->height;
  g_autofree MgpuMovingResults *want = g_new0 (MgpuMovingResults, 1);
  g_autofree MgpuMovingResults *got = g_new0 (MgpuMovingResults, 1);
  g_autofree guint8 *shown = g_malloc (n);
  g_autofree guint16 *labels = g_new (guint16, cells);
  g_autofree guint16 *heat = g_new (guint16, cells);
  const MgpuMovingSize *s = &stream->self->size;
  g_autofree guint16 *light = g_malloc (s->light_bytes);
  gsize size;

  convert_results (results, n_learned, want);
  if (!kc_memory_read (run, stream->outputs.results, got)
      || !kc_memory_read (run, stream->outputs.mask, shown)
      || !kc_memory_read (run, stream->outputs.labels, labels)
      || !kc_memory_read (run, stream->outputs.heat, heat)
      || !kc_memory_read (run, stream->outputs.light, light))
    return FALSE;
  size = sizeof (MgpuMovingHead) + CLAMP (want->head.n_regions, 0,
      MOVING_MAX_REGIONS) * sizeof (MgpuMovingRegion);
  return compare_bytes (stream, "results", KC_I32, size / 4, 1, want, got, size)
      && compare_bytes (stream, "mask", KC_U8, r->width, r->height, r->shown,
      shown, r->width)
      && compare_bytes (stream, "labels", KC_U16, r->columns, r->rows,
      r->numbers, labels, 2 * r->columns)
      && compare_bytes (stream, "heat", KC_U16, r->columns, r->rows, r->heat,
      heat, 2 * r->columns)
      && compare_bytes (stream, "light", KC_U16, r->width, r->height, r->light,
      light + s->light_offset, 2 * s->light_stride);
}

/* ---- Streams ---------------------------------------------------------------- */

static gboolean
outputs_init (Stream * stream)
{
  const RefMoving *r = stream->reference;
  gsize cells = r->columns * r->rows * sizeof (guint16);
  gsize n = (gsize) r->width * r->height;
  gsize n_light = stream->self->size.light_bytes;
  g_autofree guint8 *poison = g_malloc0 (MAX (MAX (n_light, cells),
          sizeof (MgpuMovingResults)));

  stream->outputs.results = kc_memory_new (stream->run, poison,
      sizeof (MgpuMovingResults));
  stream->outputs.mask = kc_memory_new (stream->run, poison, n);
  stream->outputs.labels = kc_memory_new (stream->run, poison, cells);
  stream->outputs.heat = kc_memory_new (stream->run, poison, cells);
  stream->outputs.light = kc_memory_new (stream->run, poison, n_light);
  return stream->outputs.light != NULL && stream->outputs.results != NULL
      && stream->outputs.mask != NULL && stream->outputs.labels != NULL
      && stream->outputs.heat != NULL;
}

static void
outputs_clear (MgpuMovingOutputs * outputs)
{
  kc_memory_free (outputs->results);
  kc_memory_free (outputs->mask);
  kc_memory_free (outputs->labels);
  kc_memory_free (outputs->heat);
  kc_memory_free (outputs->light);
}

static void
set_params (const GstVideoInfo * info, const MgpuMovingParams * from,
    RefMovingParams * to)
{
  gdouble rate = info->fps_n > 0 ? (gdouble) info->fps_n / info->fps_d : 25;

  *to = (RefMovingParams) {
  from->sensitivity, from->min_area, from->max_area,
        from->absorb_time * rate, from->shadows == MGPU_MOVING_SHADOWS_KEEP,
        (RefMovingLight) from->light};
}

static gboolean
check_frame (Stream * stream, gint t, KcPicture * in, KcPicture * region)
{
  KcRun *run = stream->run;
  const MgpuMovingParams *params = &stream->c->variant.params;
  g_autoptr (KcFrame) frame = kc_frame_new (run, in);
  g_autoptr (KcFrame) region_frame = region != NULL
      ? kc_frame_new (run, region) : NULL;
  RefPlane planes[GST_VIDEO_MAX_COMPONENTS], region_plane;
  RefMovingFrame want = {.n_planes = stream->reference->has_chroma ? 3 : 1 };
  RefMovingResults results;
  RefMovingParams ref_params;
  GstMgpuJob job;

  if (frame == NULL || (region != NULL && region_frame == NULL))
    return FALSE;
  kc_picture_planes (in, planes);
  memcpy (want.planes, planes, sizeof (want.planes));
  want.is_rgb = GST_VIDEO_INFO_IS_RGB (&in->info);
  want.is_enabled = t != DISABLED;
  want.drops_evidence = t == DROPS_EVIDENCE;
  if (region != NULL) {
    region_plane = kc_picture_plane (region, 0);
    want.region = &region_plane;
  }
  set_params (&in->info, params, &ref_params);
  if (t == DROPS_EVIDENCE)
    mgpu_moving_drop_evidence (stream->self);
  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_moving_enqueue (stream->self, &job, params, &frame->image,
      region != NULL ? &region_frame->image : NULL, want.is_enabled,
      &stream->outputs);
  if (!kc_end_job (run, &job)
      || !ref_moving (stream->reference, &ref_params, &want, &results))
    return FALSE;
  return compare_results (stream, &results, stream->reference->n_learned - 1)
      && ((t % 8 != 1 && t != N_FRAMES - 1) || compare_state (stream));
}

static void
check_stream (Stream * stream, const GstVideoInfo * info, KcRandom * random)
{
  const Case *c = stream->c;
  g_autoptr (KcPicture) region = c->variant.has_region
      ? draw_region (info, random) : NULL;

  for (gint t = 0; t < c->n_frames; t++) {
    g_autoptr (KcPicture) in =
        kc_picture_make (info, c->layout,
        c->content == KC_CONTENT_OWN ? KC_CONTENT_RANDOM : c->content, random);
    if (c->content == KC_CONTENT_OWN)
      draw (in, t, random);
    if (t == FORGETS) {
      mgpu_moving.forget (stream->self);
      ref_moving_forget (stream->reference);
    }
    if (!check_frame (stream, t, in, region)) {
      kc_case_fail (stream->run, "frame %d", t);
      break;
    }
  }
}

static void
check_case (KcRun * run, const Case * c, KcRandom * random)
{
  const MgpuMovingParams *p = &c->variant.params;
  Stream stream = {.run = run,.c = c };
  GError *error = NULL;
  GstVideoInfo info;

  gst_video_info_set_format (&info, c->format, c->variant.width,
      c->variant.height);
  if (c->is_full_range)
    info.colorimetry.range = GST_VIDEO_COLOR_RANGE_0_255;
  kc_case_begin (run, c->kind,
      "%s %dx%d, layout %d, content %d%s%s, sensitivity "
      "%g, analysis %u, area %g to %g, absorb %g, shadows %d, light %d",
      GST_VIDEO_INFO_NAME (&info), c->variant.width, c->variant.height,
      c->layout, c->content, c->is_full_range ? ", full range" : "",
      c->variant.has_region ? ", region" : "", p->sensitivity, p->analysis_size,
      p->min_area, p->max_area, p->absorb_time, p->shadows, p->light);
  stream.self =
      mgpu_object_new (&mgpu_moving, run->context, &info, NULL, NULL, p,
      &error);
  stream.reference =
      ref_moving_new (c->variant.width, c->variant.height, p->analysis_size,
      GST_VIDEO_INFO_N_COMPONENTS (&info) >= 3);
  if (stream.self == NULL)
    kc_case_fail_error (run, error);
  else if (outputs_init (&stream))
    check_stream (&stream, &info, random);
  outputs_clear (&stream.outputs);
  ref_moving_free (stream.reference);
  mgpu_object_free ((gpointer) stream.self);
  kc_case_end (run);
}

static void
check (KcRun * run)
{
  guint n = kc_is_oclgrind (run) ? 2 : run->quick ? 4 : G_N_ELEMENTS (variants);
  guint n_formats = run->quick ? 3 : G_N_ELEMENTS (formats), turn = 0;
  KcRandom random;

  kc_random_init (&random, 1);
  for (guint i = 0; i < n; i++)
    for (guint f = 0; f < n_formats && kc_goes_on (run); f++, turn++) {
      const Case c = {
        KC_FIXED, formats[f], turn % KC_N_LAYOUTS,
        turn % 5 == 4 ? turn / 5 % KC_N_CONTENTS : KC_CONTENT_OWN,
        turn % 3 == 1, variants[i], kc_is_oclgrind (run) ? 3 : N_FRAMES
      };

      if (!kc_is_oclgrind (run) || f < 1)
        check_case (run, &c, &random);
    }
}

/* ---- Timing ------------------------------------------------------------------ */

/* Number of frames that show only the background, and number of frames in which a box moves in front
 * of it. The first N_LEARNED frames of a stream repeat the still frames, all later ones the moving
 * frames. The box covers each pixel in at most an eighth of the moving frames, so it does not become
 * background. */
#define N_STILL 4
#define N_MOVING 32
#define N_LEARNED (MGPU_MOVING_WARM_UP + 2)

typedef enum
{
  PART_BACKGROUND,
  PART_SHADOW,
  PART_BOX
} Part;

typedef struct
{
  KcRun *run;
  const gchar *what;
  MgpuMoving *self;
  MgpuMovingParams params;
  KcFrame *frames[N_STILL + N_MOVING];
  KcPicture *stack;             /* the frames for the peers, GRAY8 or BGR, one below the other */
  KcPicture pictures[N_STILL + N_MOVING];       /* the frames of @stack */
  MgpuMovingOutputs outputs;
  guint turn;
} Bench;

/* Returns: the index in Bench.frames of frame *@turn of a contestant's stream. Increases *@turn. */
static guint
get_next (guint * turn)
{
  guint t = (*turn)++;

  return t < N_LEARNED ? t % N_STILL : N_STILL + (t - N_LEARNED) % N_MOVING;
}

/* Returns: what the moving frame @t shows at (@x, @y), in units of 1/256 of the width and height */
static Part
get_part (gint x, gint y, guint t)
{
  gint box_x = 16 * (gint) (t % 16) - 32, box_y = t < 16 ? 24 : 144;

  x -= box_x;
  y -= box_y;
  if (x < 0 || y < 0 || y >= 85)
    return PART_BACKGROUND;
  return x < 64 ? PART_BOX : x < 80 && y >= 43 ? PART_SHADOW : PART_BACKGROUND;
}

/* Draws the moving frame @t, or a still frame if @t is negative. */
static void
draw_passing (KcPicture * picture, gint t, KcRandom * random)
{
  gboolean is_yuv = GST_VIDEO_INFO_IS_YUV (&picture->info);

  draw (picture, 0, random);
  for (guint c = 0;
      c < MIN (GST_VIDEO_INFO_N_COMPONENTS (&picture->info), 3) && t >= 0;
      c++) {
    RefPlane plane = kc_picture_plane (picture, c);
    gint dark = is_yuv && c > 0 ? 128 : plane.lo;

    for (gint y = 0; y < plane.height; y++)
      for (gint x = 0; x < plane.width; x++) {
        gint u = x * 256 / plane.width, v = y * 256 / plane.height;
        Part part = get_part (u, v, t);

        if (part == PART_BOX)
          ref_set (&plane, x, y, plane.lo + (plane.hi - plane.lo)
              * (gint) hash (u / 8 - 2 * t, v / 8, c + 9) / 255);
        else if (part == PART_SHADOW)
          ref_set (&plane, x, y, dark + ((gint) ref_get (&plane, x,
                      y) - dark) * 6 / 10);
      }
  }
}

static gdouble
time_ours (gpointer data)
{
  Bench *bench = data;
  KcRun *run = bench->run;
  guint64 before = kc_device_time (run);
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_moving_enqueue (bench->self, &job, &bench->params,
      &bench->frames[get_next (&bench->turn)]->image, NULL, TRUE,
      &bench->outputs);
  return kc_finish (run, &job, bench->outputs.mask != NULL
      ? bench->outputs.mask : bench->outputs.results, before);
}

#ifdef HAVE_OPENCV_VIDEO
/* Minimum recall and precision of the masks. A contestant with a lower value does not find the box,
 * and its time would say nothing. */
#define MIN_SCORE 0.6

/* Numbers of pixels, summed over masks: pixels of the box, pixels that are marked as moving, and
 * pixels that are both */
typedef struct
{
  guint64 in_box, marked, found;
} Score;

/* Compares a mask of the moving frame @t with the box. @mask: @width x @height bytes */
static void
add_mask (Score * score, const guint8 * mask, gint width, gint height, guint t)
{
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      gboolean in_box = get_part ((2 * x + 1) * 128 / width,
          (2 * y + 1) * 128 / height, t) == PART_BOX;
      gboolean is_marked = mask[y * width + x] == MOVING_MASK;

      score->in_box += in_box;
      score->marked += is_marked;
      score->found += in_box && is_marked;
    }
}

/* Prints recall and precision, which show that the contestants found the same in their times. */
static void
print_score (Bench * bench, const gchar * name, const Score * score)
{
  gdouble recall = (gdouble) score->found / score->in_box;
  gdouble precision = (gdouble) score->found / MAX (score->marked, 1);

  g_print ("  %-40s %-8s recall %.3f, precision %.3f\n", bench->what, name,
      recall, precision);
  if (recall < MIN_SCORE || precision < MIN_SCORE)
    kc_case_fail (bench->run, "%s, %s: recall %.3f, precision %.3f",
        bench->what, name, recall, precision);
}

/* A background subtractor of OpenCV, which has a stream of its own */
typedef struct
{
  const Bench *bench;
  KcSubtractor *subtractor;
  KcPicture *mask;
  guint turn;
} Peer;

/* Sets the call of SuBSENSE in pybgs (the Python module of bgslibrary), which also learns the
 * background first. */
static void
set_pybgs (KcPython * python, const Bench * bench)
{
  const GstVideoInfo *info = &bench->pictures[0].info;
  g_autofree gchar *prepare = g_strdup_printf ("import itertools, pybgs; "
      "name = 'pybgs'; f = a.reshape(%d, %d, %d, -1); "
      "k = itertools.chain([i %% %d for i in range(%d)], "
      "itertools.cycle(range(%d, %d))); s = pybgs.SuBSENSE(); "
      "[s.apply(f[next(k)]) for i in range(%d)]",
      N_STILL + N_MOVING, GST_VIDEO_INFO_HEIGHT (info),
      GST_VIDEO_INFO_WIDTH (info), N_STILL, N_LEARNED, N_STILL,
      N_STILL + N_MOVING, N_LEARNED);

  python->a = kc_python_plane (bench->stack, 0);
  kc_python_set (python, prepare, "s.apply(f[next(k)])");
}

static gdouble
time_peer (gpointer data)
{
  Peer *peer = data;

  return kc_opencv_subtract (peer->subtractor,
      &peer->bench->pictures[get_next (&peer->turn)], peer->mask);
}

/* Lets the kernels of this project and the peers learn the background, compares their masks with the
 * box, and times them. */
static void
bench_peers (Bench * bench)
{
  static const gchar *const names[] = { "OpenCV MOG2", "OpenCV KNN" };
  KcPython python = { NULL };
  KcContestant contestants[1 + KC_N_SUBTRACTORS] =
      { {"ours", time_ours, bench, &python} };
  MgpuMovingSize size = mgpu_moving_get_size (bench->self);
  gsize n = (gsize) size.width * size.height;
  g_autofree guint8 *mask = g_malloc0 (n);
  Score scores[1 + KC_N_SUBTRACTORS] = { {0} };
  Peer peers[KC_N_SUBTRACTORS];
  GstVideoInfo info;

  bench->outputs.mask = kc_memory_new (bench->run, mask, n);
  if (bench->outputs.mask == NULL)
    return;
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8,
      GST_VIDEO_INFO_WIDTH (&bench->pictures[0].info),
      GST_VIDEO_INFO_HEIGHT (&bench->pictures[0].info));
  for (guint i = 0; i < KC_N_SUBTRACTORS; i++) {
    peers[i] = (Peer) {
    bench, kc_opencv_subtractor_new (i),
          kc_picture_new (&info, KC_LAYOUT_TIGHT, NULL)};
    contestants[1 + i] = (KcContestant) {
    names[i], time_peer, &peers[i]};
  }
  for (guint t = 0; t < N_LEARNED + N_MOVING; t++)
    for (guint i = 0; i < G_N_ELEMENTS (contestants); i++) {
      contestants[i].run (contestants[i].data);
      if (t < N_LEARNED)
        continue;
      if (i > 0)
        add_mask (&scores[i],
            peers[i - 1].mask->data + peers[i - 1].mask->info.offset[0],
            GST_VIDEO_INFO_WIDTH (&info), GST_VIDEO_INFO_HEIGHT (&info),
            t - N_LEARNED);
      else if (kc_memory_read (bench->run, bench->outputs.mask, mask))
        add_mask (&scores[i], mask, size.width, size.height, t - N_LEARNED);
    }
  for (guint i = 0; i < G_N_ELEMENTS (contestants); i++)
    print_score (bench, contestants[i].name, &scores[i]);
  if (GST_VIDEO_INFO_FORMAT (&bench->pictures[0].info) == GST_VIDEO_FORMAT_BGR)
    set_pybgs (&python, bench);
  kc_bench (bench->run, bench->what, contestants, G_N_ELEMENTS (contestants));
  kc_python_clear (&python);
  for (guint i = 0; i < KC_N_SUBTRACTORS; i++) {
    kc_opencv_subtractor_free (peers[i].subtractor);
    kc_picture_free (peers[i].mask);
  }
}
#else
#define bench_peers bench_ours
#endif

/* Lets the kernels of this project learn the background, and times them. */
static void
bench_ours (Bench * bench)
{
  const KcContestant ours = { "ours", time_ours, bench };

  for (guint i = 0; i < N_LEARNED; i++)
    time_ours (bench);
  kc_bench (bench->run, bench->what, &ours, 1);
}

/* Allocates the frames for the peers. */
static void
make_pictures (Bench * bench, const GstVideoInfo * info)
{
  GstVideoFormat format = GST_VIDEO_INFO_IS_GRAY (info)
      ? GST_VIDEO_FORMAT_GRAY8 : GST_VIDEO_FORMAT_BGR;
  gint width = GST_VIDEO_INFO_WIDTH (info), height =
      GST_VIDEO_INFO_HEIGHT (info);
  GstVideoInfo all, one;

  gst_video_info_set_format (&one, format, width, height);
  gst_video_info_set_format (&all, format, width,
      G_N_ELEMENTS (bench->pictures) * height);
  bench->stack = kc_picture_new (&all, KC_LAYOUT_TIGHT, NULL);
  one.stride[0] = bench->stack->info.stride[0];
  one.offset[0] = bench->stack->info.offset[0];
  for (guint i = 0; i < G_N_ELEMENTS (bench->pictures); i++) {
    gsize at = (gsize) i * height * one.stride[0];

    bench->pictures[i] = (KcPicture) {
    one, bench->stack->data + at, bench->stack->size - at};
  }
}

/* Draws frame @i, and copies it to the device. Converts it for the peers, so that the conversion is
 * not timed. */
static gboolean
add_frame (Bench * bench, guint i, const GstVideoInfo * info, KcRandom * random)
{
  g_autoptr (KcPicture) picture =
      kc_picture_new (info, KC_LAYOUT_DEFAULT, random);

  draw_passing (picture, (gint) i - N_STILL, random);
  bench->frames[i] = kc_frame_new (bench->run, picture);
  if (bench->stack != NULL)
    kc_gstreamer_convert (picture, &bench->pictures[i], FALSE, 1);
  return bench->frames[i] != NULL;
}

static gboolean
bench_init (Bench * bench, const GstVideoInfo * info)
{
  g_autofree guint8 *zeros = g_malloc0 (sizeof (MgpuMovingResults));
  GError *error = NULL;
  KcRandom random;
  gboolean ok = TRUE;

  kc_random_init (&random, 3);
  bench->self = mgpu_object_new (&mgpu_moving, bench->run->context, info, NULL,
      NULL, &bench->params, &error);
  if (bench->self == NULL) {
    kc_case_fail_error (bench->run, error);
    return FALSE;
  }
  bench->outputs.results =
      kc_memory_new (bench->run, zeros, sizeof (MgpuMovingResults));
  if (bench->run->peers)
    make_pictures (bench, info);
  for (guint i = 0; i < G_N_ELEMENTS (bench->frames) && ok; i++)
    ok = add_frame (bench, i, info, &random);
  return ok && bench->outputs.results != NULL;
}

static void
bench_format (KcRun * run, GstVideoFormat format, gint width, gint height)
{
  g_autofree gchar *what = g_strdup_printf ("moving %s %dx%d",
      gst_video_format_to_string (format), width, height);
  Bench bench = {.run = run,.what = what,.params = DEFAULTS };
  GstVideoInfo info;

  if (!kc_bench_wants (run, what))
    return;
  kc_case_begin (run, KC_RANDOM, "%s", what);
  gst_video_info_set_format (&info, format, width, height);
  if (bench_init (&bench, &info)) {
    if (run->peers)
      bench_peers (&bench);
    else
      bench_ours (&bench);
  }
  mgpu_object_free ((gpointer) bench.self);
  outputs_clear (&bench.outputs);
  for (guint i = 0; i < G_N_ELEMENTS (bench.frames); i++)
    kc_frame_free (bench.frames[i]);
  g_clear_pointer (&bench.stack, kc_picture_free);
  kc_case_end (run);
}

static void
bench (KcRun * run)
{
  bench_format (run, GST_VIDEO_FORMAT_NV12, 1920, 1080);
  bench_format (run, GST_VIDEO_FORMAT_NV12, 1280, 720);
  bench_format (run, GST_VIDEO_FORMAT_NV12, 640, 480);
  bench_format (run, GST_VIDEO_FORMAT_GRAY8, 1920, 1080);
  bench_format (run, GST_VIDEO_FORMAT_BGRx, 1920, 1080);
}

const KcFunction kc_moving = { "moving", check, bench };
