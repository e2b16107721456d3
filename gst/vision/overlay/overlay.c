/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Draws keypoints, boxes and text on frames. */
#include "overlay-private.h"

#include <gst/vision/base/array.h>
#include <gst/vision/base/map.h>

/* Number of slots (scratch buffers in device memory) for drawing plans. A drawing plan contains
 * the tables of the shapes and tiles of a frame, which the kernel reads. The slots are used
 * cyclically, because the device may still read earlier plans while the host writes the next
 * plan. */
#define N_PLANS 4

/* The height of letters is the height of the frame divided by TEXT_PART, but at least MIN_TEXT
 * pixels */
#define TEXT_PART 30
#define MIN_TEXT 13

/* Indices into the array @knobs, which lists the tuning parameters (knobs) of the kernels */
enum
{
  LANES,
  GROUP
};

static const MgpuKnob knobs[] = {
  {"LANES", {16, 4, 4}, "4 16", "number of columns that a work-item computes"},
  {"GROUP", {16, 64, 64}, "16 32 64 128",
      "number of work-items in a work-group"},
  {NULL}
};

static const MgpuKernel kernels[] = {
  {"overlay/overlay", "overlay_draw", 0}, {NULL}
};

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuOverlay *self = object;
  const GstVideoInfo *info = &self->object.in;
  gint *group = &self->object.knobs[GROUP];
  gsize n_tiles;

  *group = MIN ((gsize) * group, self->object.traits->max_work_group_size);
  self->columns = (GST_VIDEO_INFO_WIDTH (info) + TILE_WIDTH - 1) / TILE_WIDTH;
  self->rows = (GST_VIDEO_INFO_HEIGHT (info) + TILE_HEIGHT - 1) / TILE_HEIGHT;
  self->text_size = MAX (GST_VIDEO_INFO_HEIGHT (info) / TEXT_PART, MIN_TEXT);
  self->shapes = g_array_new (FALSE, FALSE, sizeof (Shape));
  self->tiles = g_array_new (FALSE, FALSE, sizeof (Tile));
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->places = g_array_new (FALSE, FALSE, sizeof (GstVideoRectangle));
  self->texts = g_byte_array_new ();
  n_tiles = (gsize) self->columns * self->rows;
  self->tile_of = g_new (gint32, n_tiles);
  memset (self->tile_of, 0xff, n_tiles * sizeof (gint32));
  return TRUE;
}

static void
define (gpointer object, guint set, GString * options)
{
  const GstVideoInfo *info = &((MgpuOverlay *) object)->object.in;
  guint chroma = GST_VIDEO_INFO_N_COMPONENTS (info) > 1 ? 1 : 0;

  g_string_append_printf (options, " -DBYTES=%d -DSHIFT=%u "
      "-DCHROMA_WIDTH=%d -DCHROMA_HEIGHT=%d",
      GST_VIDEO_INFO_COMP_DEPTH (info, 0) > 8 ? 2 : 1, info->finfo->shift[0],
      1 << info->finfo->w_sub[chroma], 1 << info->finfo->h_sub[chroma]);
}

static void
clear (gpointer object)
{
  MgpuOverlay *self = object;

  g_array_unref (self->shapes);
  g_array_unref (self->tiles);
  g_array_unref (self->entries);
  g_array_unref (self->places);
  g_byte_array_unref (self->texts);
  g_free (self->tile_of);
}

gint
mgpu_overlay_get_text_size (const MgpuOverlay * self)
{
  return self->text_size;
}

gboolean
mgpu_overlay_is_empty (MgpuOverlay * self)
{
  return self->tiles->len == 0;
}

/* ---- Work on the device -------------------------------------------------- */

/* Gets the scratch buffer for the next drawing plan (tables of shapes and tiles), with @size
 * bytes or more. Mapping this buffer waits until the device no longer reads the previous plan in
 * it. Returns: (transfer none) (nullable): the memory; NULL after an error, which is in @job */
static GstMemory *
ensure_plan (MgpuOverlay * self, GstMgpuJob * job, gsize size)
{
  guint slot = self->next_plan;
  gsize room = 4096;

  self->next_plan = (self->next_plan + 1) % N_PLANS;
  while (room < size)
    room *= 2;
  return mgpu_slot_ensure (self, slot, job, room)
      ? self->object.slots[slot] : NULL;
}

static void
write_header (MgpuOverlay * self, const MgpuImage * out, gint32 * words)
{
  guint n = GST_VIDEO_INFO_N_COMPONENTS (&out->info) > 1 ? 3 : 1;
  gint32 tiles = PLAN_SHAPES + SHAPE_SIZE * self->shapes->len;
  gint32 entries = tiles + 3 * self->tiles->len;

  words[PLAN_WIDTH] = GST_VIDEO_INFO_WIDTH (&out->info);
  words[PLAN_HEIGHT] = GST_VIDEO_INFO_HEIGHT (&out->info);
  words[PLAN_COMPONENTS] = n;
  words[PLAN_TILES] = tiles;
  words[PLAN_ENTRIES] = entries;
  words[PLAN_TEXTS] = entries + 2 * self->entries->len;
  for (guint i = 0; i < n; i++) {
    MgpuComponent c = mgpu_get_component (&out->info, i);

    words[PLAN_COMPONENT (i)] = c.offset;
    words[PLAN_COMPONENT (i) + 1] = c.stride;
    words[PLAN_COMPONENT (i) + 2] = c.pixel_stride;
  }
  words[PLAN_PIXELS] = GST_VIDEO_INFO_IS_RGB (&out->info)
      ? (gint32) out->info.offset[0] : -1;
  memcpy (words + PLAN_COLOUR (0), self->colours, sizeof (self->colours));
}

static GstMgpuMemory *
upload_plan (MgpuOverlay * self, GstMgpuJob * job, const MgpuImage * out)
{
  gsize words = PLAN_SHAPES + SHAPE_SIZE * (gsize) self->shapes->len
      + 3 * (gsize) self->tiles->len + 2 * (gsize) self->entries->len;
  GstMemory *plan = ensure_plan (self, job, words * sizeof (gint32)
      + self->texts->len);
  gint32 *at;
  GstMapInfo map;

  if (plan == NULL || !mgpu_map_in_job (job, plan, &map, GST_MAP_WRITE))
    return NULL;
  at = (gint32 *) map.data;
  write_header (self, out, at);
  at += PLAN_SHAPES;
  at = mgpu_append (at, self->shapes->data, self->shapes->len * sizeof (Shape));
  at = mgpu_append (at, self->tiles->data, self->tiles->len * sizeof (Tile));
  at = mgpu_append (at, self->entries->data,
      self->entries->len * sizeof (Entry));
  mgpu_append (at, self->texts->data, self->texts->len);
  gst_memory_unmap (plan, &map);
  return (GstMgpuMemory *) plan;
}

void
mgpu_overlay_enqueue (MgpuOverlay * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out)
{
  gint items = TILE_WIDTH / self->object.knobs[LANES] * TILE_HEIGHT / 2;
  cl_kernel draw = self->object.kernels[0];
  GstMgpuMemory *plan;

  mgpu_image_copy_planes (job, in, out, ~0u);
  if (mgpu_overlay_is_empty (self))
    return;
  plan = upload_plan (self, job, out);
  if (plan == NULL)
    return;
  gst_mgpu_job_set_args (job, draw, "mmi",
      gst_mgpu_job_write (job, out->memory), gst_mgpu_job_read (job, plan),
      (gint) self->tiles->len);
  mgpu_launch_items (job, draw, self->tiles->len * items,
      self->object.knobs[GROUP]);
}

#define MEMBER(name) G_STRUCT_OFFSET (MgpuOverlayStyle, name)

static const MgpuParam params[] = {
  {"keypoint-color", MGPU_PARAM_UINT, MEMBER (keypoint_colour), 0, G_MAXUINT,
        0xff00ff00, NULL,
      "Color of keypoints, opacity first (big-endian ARGB)"},
  {"region-color", MGPU_PARAM_UINT, MEMBER (region_colour), 0, G_MAXUINT,
        0xffffc000, NULL,
      "Color of the lines around regions of interest, opacity first "
        "(big-endian ARGB)"},
  {"text-color", MGPU_PARAM_UINT, MEMBER (text_colour), 0, G_MAXUINT,
        0xffffffff, NULL,
      "Color of text and labels, opacity first (big-endian ARGB)"},
  {"line-width", MGPU_PARAM_DOUBLE, MEMBER (line_width), MIN_LINE_WIDTH,
        MAX_LINE_WIDTH, 1.5, NULL,
      "Width of all lines that are drawn, in pixels"},
  {NULL}
};

const MgpuAlgorithm mgpu_overlay = {
  .size = sizeof (MgpuOverlay),
  .params_size = sizeof (MgpuOverlayStyle),
  .params = params,
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_PLANS,
  .init = init,
  .define = define,
  .clear = clear
};
