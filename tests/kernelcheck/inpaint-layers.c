/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks filling the masks of videos with what passes behind them: masks at all edges and masks
 * that move, frames that are filled after later ones have arrived, a scene cut, and sizes smaller
 * than a cell. */
#include "inpaint-video.h"

#include <gst/vision/layers/layers.h>

#include "../reference/inpaint-video.h"
#include "../reference/samples.h"

/* Number of frames of a case, and the first frame of another scene */
#define N_FRAMES 41
#define N_QUICK_FRAMES 22
#define N_OCLGRIND_FRAMES 4
#define CUT_FRAME 33
#define QUICK_CUT_FRAME 16

typedef struct
{
  GstVideoFormat format;
  gint width, height;
  MgpuRect hole;
  gint speed;                   /* number of columns by which the hole moves from frame to frame */
  guint later;
} Case;

static const Case cases[] = {
  {GST_VIDEO_FORMAT_I420, 121, 57, {50, 0, 11, 57}, 0, 0},
  {GST_VIDEO_FORMAT_P010_10LE, 90, 41, {40, 9, 8, 32}, 0, 2},
  {GST_VIDEO_FORMAT_RGBA, 70, 45, {0, 0, 9, 45}, 0, 0},
  {GST_VIDEO_FORMAT_NV12, 100, 50, {20, 10, 14, 30}, 2, 3},
  {GST_VIDEO_FORMAT_GRAY8, 290, 60, {130, 0, 16, 60}, 0, 0},
  {GST_VIDEO_FORMAT_YUY2, 83, 44, {70, 0, 13, 44}, 0, 1},
  {GST_VIDEO_FORMAT_GRAY16_LE, 64, 48, {0, 38, 64, 10}, 0, 0},
  {GST_VIDEO_FORMAT_BGR, 75, 40, {10, 0, 50, 7}, 0, 5},
  {GST_VIDEO_FORMAT_I420, 16, 16, {7, 0, 3, 16}, 0, 0},
  {GST_VIDEO_FORMAT_I420, 15, 40, {7, 3, 3, 30}, 0, 0},
  {GST_VIDEO_FORMAT_Y41B, 61, 33, {30, 5, 3, 20}, -1, 0},
  {GST_VIDEO_FORMAT_ARGB, 3, 2, {1, 0, 1, 2}, 0, 0},
  {GST_VIDEO_FORMAT_I420, 1, 1, {0, 0, 1, 1}, 0, 0}
};

/* A case without flow, with few pixels */
#define OCLGRIND_CASE 9

/* A frame that the device has not filled yet. @want: the frame filled by the reference; NULL: not
 * yet */
typedef struct
{
  KcPicture *in, *want;
  gint number;
} Shot;

/* A stream of frames, with the state of the device and of the reference that fill it */
typedef struct
{
  KcRun *run;
  const Case *c;
  GstVideoInfo info;
  MgpuLayers *layers;
  RefVideo *reference;
  MgpuRect part;
  guint8 *luma_before;          /* luma of the previous frame, for the flow; NULL: none */
  gint32 *values;               /* samples of the previous frame, to find scene cuts */
  guint8 *mask;
  GQueue shots;                 /* of Shot */
  gint next, first;             /* number of the next frame, and of the first frame of the scene */
  GstMgpuMemory *counts;
} Stream;

/* Sets the pixels to fill, and for each pixel of the part the pixels that share a sample with
 * it. */
static void
set_hole (const Stream * stream, gint number, guint8 * unknown, guint8 * mask)
{
  const Case *c = stream->c;
  gint columns = 1, rows = 1;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&stream->info); i++) {
    columns = MAX (columns, 1 << stream->info.finfo->w_sub[i]);
    rows = MAX (rows, 1 << stream->info.finfo->h_sub[i]);
  }
  memset (unknown, 0, (gsize) c->width * c->height);
  memset (mask, 0, (gsize) stream->part.width * stream->part.height);
  for (gint y = 0; y < c->height; y++)
    for (gint x = 0; x < c->width; x++) {
      gint u = x - c->hole.x - c->speed * number, v = y - c->hole.y;

      if (u < 0 || v < 0 || u >= c->hole.width || v >= c->hole.height)
        continue;
      unknown[y * c->width + x] = 1;
      for (gint k = 0; k < columns * rows; k++) {
        gint to_x = x / columns * columns + k % columns - stream->part.x;
        gint to_y = y / rows * rows + k / columns - stream->part.y;

        if (to_x < stream->part.width && to_y < stream->part.height)
          mask[to_y * stream->part.width + to_x] = 1;
      }
    }
}

/* Sets the sample values of the pixels of the part, in planes. */
static void
get_values (const Stream * stream, const KcPicture * picture, gint32 * values)
{
  const MgpuRect *part = &stream->part;

  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&stream->info); c++) {
    RefPlane plane = kc_picture_plane (picture, c);

    for (gint y = 0; y < part->height; y++)
      for (gint x = 0; x < part->width; x++)
        *values++ = ref_get (&plane,
            (part->x + x) >> stream->info.finfo->w_sub[c],
            (part->y + y) >> stream->info.finfo->h_sub[c]);
  }
}

/* Writes the pixels of the mask to a picture; a sample that several pixels share becomes their
 * mean. */
static void
put_values (const Stream * stream, const gint32 * values, const guint8 * mask,
    KcPicture * picture)
{
  const MgpuRect *part = &stream->part;
  gint size = part->width * part->height;

  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&stream->info); c++) {
    gint sub_x = stream->info.finfo->w_sub[c];
    gint sub_y = stream->info.finfo->h_sub[c];
    RefPlane plane = kc_picture_plane (picture, c);

    for (gint y = 0; y < plane.height; y++)
      for (gint x = 0; x < plane.width; x++) {
        gint sum = 0, n = 0;

        for (gint v = y << sub_y; v < (y + 1) << sub_y; v++)
          for (gint u = x << sub_x; u < (x + 1) << sub_x; u++) {
            gint i = u - part->x, j = v - part->y, at = j * part->width + i;

            if (i < 0 || j < 0 || i >= part->width || j >= part->height
                || !mask[at])
              continue;
            sum += values[c * size + at];
            n++;
          }
        if (n > 0)
          ref_set (&plane, x, y, (sum + n / 2) / n);
      }
  }
}

static void
flow_clear (RefFlow * field)
{
  g_free (field->flow);
  g_free (field->confidence);
}

/* Computes the flow from the luma @from to the luma @to. */
static RefFlow
measure_flow (const Stream * stream, guint8 * from, guint8 * to)
{
  const RefFlowParams params = { REF_FLOW_MEDIUM, 0 };
  gint width = stream->part.width, height = stream->part.height;
  RefPlane planes[2] = { {from, width, 1, width, height, 1, 0, 255, 0, 255},
  {to, width, 1, width, height, 1, 0, 255, 0, 255}
  };
  RefFlow field;
  gsize n;

  ref_flow_size (&params, width, height, &field);
  n = (gsize) field.width * field.height;
  field.flow = g_new (gint16, 2 * n);
  field.confidence = g_malloc (n);
  if (!ref_flow (&params, &planes[0], &planes[1], NULL, &field))
    g_error ("out of memory");
  return field;
}

/* Adds a frame to the reference. */
static void
add_reference (Stream * stream, const gint32 * values, const guint8 * mask)
{
  RefVideo *r = stream->reference;
  gint width = stream->part.width, height = stream->part.height;
  guint8 *luma = g_malloc ((gsize) width * height), *before =
      stream->luma_before;
  gboolean has_flow = before != NULL && MIN (width, height) >= 16;
  gboolean has_back = has_flow && stream->c->later > 0;
  RefFlow flow = { 0 }, back = { 0 };

  ref_video_luma (values, r->n, r->is_rgb, r->depth, mask, width, height, luma);
  if (has_flow)
    flow = measure_flow (stream, luma, before);
  if (has_back) {
    back = measure_flow (stream, before, luma);
    ref_flow_compare (&flow, &back);
    ref_flow_compare (&back, &flow);
  }
  if (!ref_video_add (r, values, mask, has_flow ? &flow : NULL,
          has_back ? &back : NULL))
    g_error ("out of memory");
  flow_clear (&flow);
  flow_clear (&back);
  g_free (stream->luma_before);
  stream->luma_before = luma;
}

/* Fills a frame with the reference. */
static void
fill_reference (Stream * stream, Shot * shot)
{
  gsize n = (gsize) stream->part.width * stream->part.height;
  g_autofree guint8 *unknown = g_malloc ((gsize) stream->c->width
      * stream->c->height);
  g_autofree guint8 *mask = g_malloc (n);
  g_autofree gint32 *values = g_new0 (gint32, n * stream->reference->n);

  if (shot->want != NULL)
    return;
  set_hole (stream, shot->number, unknown, mask);
  ref_video_fill (stream->reference, shot->number - stream->first, mask,
      values);
  shot->want = kc_picture_copy (shot->in);
  put_values (stream, values, mask, shot->want);
}

/* Fills the oldest frame, and compares it with the reference. */
static void
fill_frame (Stream * stream)
{
  KcRun *run = stream->run;
  g_autofree Shot *shot = g_queue_pop_head (&stream->shots);
  g_autoptr (KcPicture) got = kc_picture_copy (shot->in);
  g_autoptr (KcFrame) in_frame = kc_frame_new (run, shot->in);
  g_autoptr (KcFrame) out_frame = kc_frame_new (run, got);
  g_autofree guint8 *unknown = g_malloc ((gsize) stream->c->width
      * stream->c->height);
  g_autofree guint8 *mask = g_malloc ((gsize) stream->part.width
      * stream->part.height);
  GstMgpuJob job;

  fill_reference (stream, shot);
  set_hole (stream, shot->number, unknown, mask);
  if (in_frame != NULL && out_frame != NULL) {
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_layers_fill (stream->layers, &job, &in_frame->image,
        &out_frame->image, unknown, NULL, stream->counts);
    if (kc_end_job (run, &job) && kc_frame_read (run, out_frame, got)
        && !kc_compare_picture (run, shot->want, got))
      kc_case_fail (run, "frame %d", shot->number);
  }
  kc_picture_free (shot->in);
  kc_picture_free (shot->want);
}

/* Begins another scene in the reference. Fills the frames of the previous scene before. */
static void
begin_scene (Stream * stream)
{
  const GstVideoInfo *info = &stream->info;

  for (GList * i = stream->shots.head; i != NULL; i = i->next)
    fill_reference (stream, i->data);
  if (stream->reference != NULL)
    ref_video_free (stream->reference);
  stream->reference = ref_video_new (stream->part.width, stream->part.height,
      GST_VIDEO_INFO_N_COMPONENTS (info), GST_VIDEO_INFO_IS_RGB (info),
      GST_VIDEO_INFO_COMP_DEPTH (info, 0), REF_VIDEO_KEEP, stream->c->later);
  if (stream->reference == NULL)
    g_error ("out of memory");
  g_clear_pointer (&stream->luma_before, g_free);
  stream->first = stream->next;
}

/* Returns: whether a frame begins a scene: a quarter of the pixels that it and the previous frame
 * show differ by more than 32 levels. Scenes have more frames than the device keeps. */
static gboolean
is_cut (const Stream * stream, const gint32 * values, const guint8 * mask)
{
  const RefVideo *r = stream->reference;
  gint size = r->width * r->height, n = 0, changed = 0;

  if (stream->next - stream->first <= (gint) stream->c->later)
    return FALSE;
  for (gint i = 0; i < size; i++)
    if (!mask[i] && !stream->mask[i]) {
      RefVideoPixel a = ref_video_pixel (values, size, r->n, r->is_rgb,
          r->depth, i);
      RefVideoPixel b = ref_video_pixel (stream->values, size, r->n, r->is_rgb,
          r->depth, i);

      n++;
      changed += ABS (a.c[0] - b.c[0]) > 32;
    }
  return 4 * changed > n;
}

static void
add_frame (Stream * stream, KcPicture * picture)
{
  KcRun *run = stream->run;
  gsize n = (gsize) stream->part.width * stream->part.height;
  g_autofree guint8 *unknown = g_malloc ((gsize) stream->c->width
      * stream->c->height);
  guint8 *mask = g_malloc (n);
  gint32 *values = g_new (gint32, n * stream->reference->n);
  g_autoptr (KcFrame) frame = kc_frame_new (run, picture);
  Shot *shot = g_new0 (Shot, 1);
  GstMgpuJob job;

  set_hole (stream, stream->next, unknown, mask);
  get_values (stream, picture, values);
  if (stream->next > 0 && is_cut (stream, values, mask))
    begin_scene (stream);
  add_reference (stream, values, mask);
  g_free (stream->values);
  g_free (stream->mask);
  stream->values = values;
  stream->mask = mask;
  shot->in = picture;
  shot->number = stream->next++;
  g_queue_push_tail (&stream->shots, shot);
  if (frame == NULL)
    return;
  gst_mgpu_job_begin (&job, run->queue, run->stats);
  mgpu_layers_add (stream->layers, &job, &frame->image, unknown);
  kc_end_job (run, &job);
}

static gboolean
begin_stream (Stream * stream)
{
  const Case *c = stream->c;
  g_autofree guint8 *unknown = g_malloc0 ((gsize) c->width * c->height);
  g_autofree guint8 *zeros = g_malloc0 (LAYERS_N_COUNTS * sizeof (guint64));
  MgpuLayersParams params = { {0, 0, c->width, c->height}, c->later, FALSE };
  GError *error = NULL;

  for (gint y = 0; y < c->hole.height && c->speed == 0; y++)
    memset (unknown + (c->hole.y + y) * c->width + c->hole.x, 1, c->hole.width);
  if (c->speed == 0)
    params.part = mgpu_layers_find_part (&stream->info, unknown,
        MGPU_LAYERS_MARGIN);
  stream->part = params.part;
  stream->counts = kc_memory_new (stream->run, zeros,
      LAYERS_N_COUNTS * sizeof (guint64));
  stream->layers = mgpu_object_new (&mgpu_layers, stream->run->context,
      &stream->info, NULL, NULL, NULL, &error);
  if (stream->layers == NULL || !mgpu_layers_begin (stream->layers, &params,
          &error)) {
    kc_case_fail_error (stream->run, error);
    return FALSE;
  }
  begin_scene (stream);
  return stream->counts != NULL;
}

/* Inverts the samples of a picture, which then looks like the picture of another scene. */
static void
invert (KcPicture * picture)
{
  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&picture->info); c++) {
    RefPlane plane = kc_picture_plane (picture, c);

    for (gint y = 0; y < plane.height; y++)
      for (gint x = 0; x < plane.width; x++)
        ref_set (&plane, x, y, plane.max - ref_get (&plane, x, y));
  }
}

static void
check_case (KcRun * run, const Case * c)
{
  Stream stream = {.run = run,.c = c };
  gint n_frames = kc_is_oclgrind (run) ? N_OCLGRIND_FRAMES
      : run->quick ? N_QUICK_FRAMES : N_FRAMES;
  gint cut = run->quick ? QUICK_CUT_FRAME : CUT_FRAME;
  KcRandom random;

  kc_random_init (&random, 7);
  gst_video_info_set_format (&stream.info, c->format, c->width, c->height);
  kc_case_begin (run, KC_FIXED, "layers: %s %dx%d, hole %dx%d at (%d, %d) %+d, "
      "%u later", gst_video_format_to_string (c->format), c->width, c->height,
      c->hole.width, c->hole.height, c->hole.x, c->hole.y, c->speed, c->later);
  if (begin_stream (&stream)) {
    for (gint i = 0; i < n_frames; i++) {
      KcPicture *picture = kc_picture_new (&stream.info, i % KC_N_LAYOUTS,
          &random);

      kc_inpaint_paint_passing (picture, i, &random);
      if (i >= cut)
        invert (picture);
      add_frame (&stream, picture);
      while (g_queue_get_length (&stream.shots) > c->later)
        fill_frame (&stream);
    }
    while (!g_queue_is_empty (&stream.shots))
      fill_frame (&stream);
  }
  mgpu_object_free ((gpointer) stream.layers);
  kc_memory_free (stream.counts);
  ref_video_free (stream.reference);
  g_free (stream.luma_before);
  g_free (stream.values);
  g_free (stream.mask);
  kc_case_end (run);
}

void
kc_inpaint_layers_check (KcRun * run)
{
  guint n = run->quick ? 4 : G_N_ELEMENTS (cases);

  /* Skips larger frames under Oclgrind, which takes too long for their flow. */
  if (kc_is_oclgrind (run)) {
    check_case (run, &cases[OCLGRIND_CASE]);
    return;
  }
  for (guint i = 0; i < n && kc_goes_on (run); i++)
    check_case (run, &cases[i]);
}
