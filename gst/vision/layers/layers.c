/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fills masks of videos with two layers: see layers.h. */
#include "layers-plan.h"

#include <string.h>

#include <gst/vision/flow/flow.h>
#include <kernels/base/base-shared.h>

/* Number of earlier frames that are kept if there is no memory for LAYERS_MIN_FRAMES frames; this
 * number is sufficient to detect what stands still */
#define FEWEST_FRAMES 2

/* Preset of the optical flow that is measured in the remembered part of frames */
#define MGPU_LAYERS_PRESET MGPU_FLOW_MEDIUM

/* Size of a cell on the device, in bytes: see kernels/layers/cells.h */
#define CELL_SIZE 56

enum
{
  ROW_GROUP,
  ITEM_GROUP,
  GROUP,
  LANES
};

static const MgpuKnob knobs[] = {
  {"ROW_GROUP", {1, 64, 32}, "1 16 32 64 128",
      "number of work-items that share a row"},
  {"ITEM_GROUP", {16, 64, 32}, "1 16 32 64 128",
      "number of work-items of a work-group that fills pixels"},
  {"GROUP", {1, 64, 32}, "1 32 64 128",
      "number of work-items that share a cell"},
  {"LANES", {16, 1, 1}, "1 16",
      "number of samples that are compared at once, in a vector"},
  {NULL}
};

enum
{
  LOAD,
  JUDGE,
  STORE,
  COUNT,
  CLEAR,
  COMPARE,
  MEASURE,
  REMEMBER,
  DIFFER,
  SET_ALPHA,
  FIND_ENDS,
  FILL_LUMA,
  FILL_PLATE,
  MIX,
  SEARCH
};

/* Sets of kernels: those of FRAME_SET depend on the format of frames. */
enum
{
  FRAME_SET,
  SEARCH_SET,
  N_SETS
};

static const MgpuKernel kernels[] = {
  [LOAD] = {"layers/frame", "layers_load", FRAME_SET},
  [JUDGE] = {"layers/frame", "layers_judge", FRAME_SET},
  [STORE] = {"layers/frame", "layers_store", FRAME_SET},
  [COUNT] = {"layers/frame", "layers_count", FRAME_SET},
  [CLEAR] = {"layers/frame", "layers_clear", FRAME_SET},
  [COMPARE] = {"layers/plate", "layers_compare", FRAME_SET},
  [MEASURE] = {"layers/plate", "layers_measure", FRAME_SET},
  [REMEMBER] = {"layers/plate", "layers_remember", FRAME_SET},
  [DIFFER] = {"layers/plate", "layers_differ", FRAME_SET},
  [SET_ALPHA] = {"layers/plate", "layers_set_alpha", FRAME_SET},
  [FIND_ENDS] = {"layers/lines", "layers_find_ends", FRAME_SET},
  [FILL_LUMA] = {"layers/lines", "layers_fill_luma", FRAME_SET},
  [FILL_PLATE] = {"layers/lines", "layers_fill_plate", FRAME_SET},
  [MIX] = {"layers/mix", "layers_mix", FRAME_SET},
  [SEARCH] = {"layers/cells", "layers_search", SEARCH_SET},
  {NULL}
};

/* Indices of the masks. With look-ahead, the arriving frame and the frame that is filled have
 * separate masks; otherwise the first mask is used for both. */
enum
{
  COMING,
  LEAVING,
  N_HOLES
};

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for later
 * kernels. See kernels/layers/layers.h and plate.cl. FLOW and CONFIDENCE have a buffer for each
 * direction. The buffers after them keep the fields of several frames, for look-ahead. The buffers
 * of masks correspond to the members of MgpuLayersHole. */
enum
{
  SCENES,
  SUMS,
  PIXELS,
  VALUES,
  MASKS,
  CHANGES,
  PLATE,
  TARGET,
  PLATE_COUNTS,
  PLATES,
  UNSEEN,
  BOX,
  OPACITIES,
  LUMA,
  FLOW,
  CONFIDENCE = FLOW + MGPU_FLOW_N_FIELDS,
  KEPT_FLOW = CONFIDENCE + MGPU_FLOW_N_FIELDS,
  KEPT_CONFIDENCE = KEPT_FLOW + MGPU_FLOW_N_FIELDS,
  CELLS = KEPT_CONFIDENCE + MGPU_FLOW_N_FIELDS,
  FILLED = CELLS + 2,
  WEIGHTS,
  MASK,
  ORDER = MASK + N_HOLES,
  DEPTHS = ORDER + N_HOLES,
  ENDS = DEPTHS + N_HOLES,
  LIST = ENDS + N_HOLES,
  N_SLOTS = LIST + N_HOLES
};

struct _MgpuLayers
{
  MgpuObject object;
  gsize row[2], item[2];        /* sizes of work-groups */

  MgpuLayersParams params;
  GstVideoInfo luma_info;       /* format of the luma of the remembered part, for the flow */
  MgpuFlow *flow;               /* object that measures the flow; NULL if the part is too small */
  gint stride, area;            /* size of the reduced image on which decisions are made, in
                                 * pixels */
  gint keep;                    /* number of earlier frames in the ring */
  gint n_slots;                 /* number of all frames in the ring */
  gboolean has_room;            /* whether @keep is so large that pixels can be copied from earlier
                                 * frames */
  gint next, filled;            /* number of the next frame to be added, and of the next frame to be
                                 * filled */
  gboolean is_first;            /* whether the next frame is the first one since all frames were
                                 * forgotten */

  MgpuLayersHole holes[N_HOLES];
  guint serial;                 /* number of the newest mask */
  guint cells_at;               /* index, 0 or 1, of the slot CELLS with the cells of the last
                                 * frame */
  guint cells_serial[2];        /* serial number of the mask with which the cells were written; 0 if
                                 * there is none */
};

/* ---- Making the object ----------------------------------------------------- */

/* Makes the object that computes the flow of the part of the frames. */
static gboolean
make_flow (MgpuLayers * self, GError ** error)
{
  const MgpuRect *part = &self->params.part;

  g_clear_pointer (&self->flow, mgpu_object_free);
  gst_video_info_set_format (&self->luma_info, GST_VIDEO_FORMAT_GRAY8,
      part->width, part->height);
  if (MIN (part->width, part->height) < MGPU_FLOW_LEAST || !self->has_room)
    return TRUE;
  self->flow = mgpu_object_new (&mgpu_flow, self->object.context,
      &self->luma_info, NULL, NULL, NULL, error);
  return self->flow != NULL;
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuLayers *self = object;
  const GstVideoInfo *info = &self->object.in;
  gint *values = self->object.knobs;
  gint limit = self->object.traits->max_work_group_size;

  for (guint i = ROW_GROUP; i <= GROUP; i++)
    while (values[i] > limit)
      values[i] /= 2;
  self->row[0] = values[ROW_GROUP];
  self->item[0] = values[ITEM_GROUP];
  self->row[1] = self->item[1] = 1;
  for (guint i = 0; i < N_HOLES; i++)
    mgpu_layers_hole_init (&self->holes[i]);
  self->is_first = TRUE;
  /* Builds the programs of the flow here, so that they are counted together with the other
   * programs. The part of the frames is not known yet, but the programs do not depend on its size,
   * so that mgpu_layers_begin() finds them already built. */
  self->has_room = TRUE;
  self->params.part = (MgpuRect) {
  0, 0, MIN (GST_VIDEO_INFO_WIDTH (info), MGPU_FLOW_LEAST),
        MIN (GST_VIDEO_INFO_HEIGHT (info), MGPU_FLOW_LEAST)};
  return mgpu_object_build (self, SEARCH_SET, error) && make_flow (self, error);
}

static void
clear (gpointer object)
{
  MgpuLayers *self = object;

  for (guint i = 0; i < N_HOLES; i++)
    mgpu_layers_hole_clear (&self->holes[i]);
  mgpu_object_free (self->flow);
}

/* Appends to the macros a list with a member of each component. */
#define APPEND_LIST(options, name, info, value) \
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++) { \
    MgpuComponent c = mgpu_get_component (info, i); \
    g_string_append_printf (options, i == 0 ? " -D" name "=%d" : ",%d", \
        c.bytes >= 0 ? (gint) (value) : 0); \
  }

static void
define (gpointer object, guint set, GString * options)
{
  MgpuLayers *self = object;
  const GstVideoInfo *info = &self->object.in;

  if (set != FRAME_SET)
    return;
  g_string_append_printf (options, " -DN=%u -DIS_RGB=%d -DMORE=%d",
      GST_VIDEO_INFO_N_COMPONENTS (info), GST_VIDEO_INFO_IS_RGB (info),
      GST_VIDEO_INFO_COMP_DEPTH (info, 0) - 8);
  APPEND_LIST (options, "STEPS", info, c.pixel_stride);
  APPEND_LIST (options, "BYTES", info, c.bytes);
  APPEND_LIST (options, "SHIFTS", info, c.shift);
  APPEND_LIST (options, "MOSTS", info, c.max);
  APPEND_LIST (options, "SUBS_X", info, info->finfo->w_sub[i]);
  APPEND_LIST (options, "SUBS_Y", info, info->finfo->h_sub[i]);
}

static void
forget (gpointer object)
{
  MgpuLayers *self = object;

  self->is_first = TRUE;
  self->filled = self->next;
  if (self->flow != NULL)
    mgpu_flow.forget (self->flow);
}

/* Sets the number of frames in the ring buffer. The ring has at most MGPU_LAYERS_MAX_MIB MiB, and
 * none of its memories exceeds the limit of the device. */
static void
plan_ring (MgpuLayers * self)
{
  const MgpuRect *part = &self->params.part;
  guint64 n = (guint64) part->width * part->height;
  guint n_components = GST_VIDEO_INFO_N_COMPONENTS (&self->object.in);
  guint64 pixels = (guint64) self->area * sizeof (guint32);
  guint64 values = n * n_components * sizeof (guint16);
  guint64 all = pixels + values + 3 * n;
  guint64 most = MIN (self->object.traits->max_allocation_size, G_MAXINT);
  guint64 limit = (guint64) MGPU_LAYERS_MAX_MIB << 20;

  for (self->keep = LAYERS_FRAMES; self->keep > LAYERS_MIN_FRAMES; self->keep--) {
    guint64 slots = self->keep + 1 + self->params.later;

    if (slots * all <= limit && slots * MAX (pixels, values) <= most)
      break;
  }
  self->n_slots = self->keep + 1 + self->params.later;
  self->has_room = self->n_slots * all <= limit
      && self->n_slots * MAX (pixels, values) <= most;
  if (!self->has_room)
    self->keep = FEWEST_FRAMES;
  self->n_slots = self->keep + 1 + self->params.later;
}

gboolean
mgpu_layers_begin (MgpuLayers * self, const MgpuLayersParams * params,
    GError ** error)
{
  self->params = *params;
  self->stride = GST_ROUND_UP_16 (params->part.width) + 2 * LAYERS_PAD;
  self->area = self->stride * (params->part.height + 2 * LAYERS_PAD_ROWS);
  plan_ring (self);
  for (guint i = 0; i < N_HOLES; i++) {
    mgpu_layers_hole_clear (&self->holes[i]);
    mgpu_layers_hole_init (&self->holes[i]);
  }
  /* Frees the memories, because their sizes change. */
  for (guint i = 0; i < N_SLOTS; i++)
    g_clear_pointer (&self->object.slots[i], gst_memory_unref);
  memset (self->cells_serial, 0, sizeof (self->cells_serial));
  self->next = 0;
  forget (self);
  return make_flow (self, error);
}

guint
mgpu_layers_get_n_frames (const MgpuLayers * self)
{
  return self->has_room ? self->keep : 0;
}

/* ---- Memories --------------------------------------------------------------- */

static gsize
count_cells (const MgpuLayers * self)
{
  const MgpuRect *part = &self->params.part;

  return (gsize) ((part->width + LAYERS_CELL - 1) / LAYERS_CELL)
      * ((part->height + LAYERS_CELL - 1) / LAYERS_CELL);
}

static void
launch_clear (MgpuLayers * self, GstMgpuJob * job, guint slot, gsize n,
    guint value)
{
  gst_mgpu_job_set_args (job, self->object.kernels[CLEAR], "miu",
      mgpu_slot_write (self, slot, job, 0), (gint) n, value);
  mgpu_launch_items (job, self->object.kernels[CLEAR], MIN (n, 65536), 64);
}

/* Allocates the memories whose content is kept from frame to frame. */
static gboolean
ensure (MgpuLayers * self, GstMgpuJob * job)
{
  const MgpuRect *part = &self->params.part;
  gsize n = (gsize) part->width * part->height;
  gsize n_values = n * GST_VIDEO_INFO_N_COMPONENTS (&self->object.in);
  gsize ring = (gsize) self->n_slots * self->area;
  const gsize sizes[] = {
    [SCENES] = (LAYERS_SCENES + self->n_slots) * sizeof (gint32),
    [SUMS] = LAYERS_N_SUMS * sizeof (guint32),
    [PIXELS] = ring * sizeof (guint32),
    [VALUES] = self->n_slots * n_values * sizeof (guint16),
    [MASKS] = self->n_slots * n,
    [CHANGES] = 2 * self->n_slots * n,
    [PLATE] = 2 * n_values * sizeof (gint32),
    [TARGET] = 2 * n_values * sizeof (gint32),
    [PLATE_COUNTS] = 2 * n,
    [PLATES] = 2 * (gsize) self->area * sizeof (guint32),
    [UNSEEN] = n,
    [BOX] = 2 * (gsize) self->area * sizeof (guint32),
    [OPACITIES] = n
  };

  if (mgpu_slot_has (self, SCENES, sizes[SCENES]))
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    if (!mgpu_slot_ensure_zeros (self, i, job, sizes[i]))
      return FALSE;
  for (guint i = 0; i < 2; i++)
    if (!mgpu_slot_ensure_zeros (self, CELLS + i, job,
            count_cells (self) * CELL_SIZE))
      return FALSE;
  launch_clear (self, job, PIXELS, ring, G_MAXUINT32);
  return TRUE;
}

/* Copies a mask, and the data that the host computed from it, to the device if the mask has
 * changed. */
static gboolean
upload_hole (MgpuLayers * self, GstMgpuJob * job, guint i)
{
  MgpuLayersHole *hole = &self->holes[i];
  const MgpuRect *part = &self->params.part;
  gsize n = (gsize) part->width * part->height;

  if (!hole->is_uploaded)
    hole->is_uploaded = mgpu_slot_upload (self, MASK + i, job, hole->mask, n, 0)
        && mgpu_slot_upload (self, ORDER + i, job, hole->order->data,
        hole->order->len * sizeof (gint), sizeof (gint))
        && mgpu_slot_upload (self, DEPTHS + i, job, hole->depths->data,
        hole->depths->len, sizeof (gint))
        && mgpu_slot_upload (self, LIST + i, job, hole->cells->data,
        hole->cells->len * sizeof (gint), sizeof (gint));
  return hole->is_uploaded;
}

/* Enqueues, once for each mask, the kernel that finds the ends of lines through the pixels of the
 * mask. */
static void
find_ends (MgpuLayers * self, GstMgpuJob * job, guint i)
{
  MgpuLayersHole *hole = &self->holes[i];
  cl_kernel kernel = self->object.kernels[FIND_ENDS];
  gint n = hole->order->len;

  if (hole->has_ends || n == 0)
    return;
  gst_mgpu_job_set_args (job, kernel, "mmimii",
      mgpu_slot_read (self, MASK + i, job), mgpu_slot_read (self, ORDER + i,
          job), n, mgpu_slot_write (self, ENDS + i, job,
          sizeof (cl_ushort2) * LINES * n), self->params.part.width,
      self->params.part.height);
  mgpu_launch_items (job, kernel, n, self->item[0]);
  hole->has_ends = TRUE;
}

/* ---- Adding a frame ---------------------------------------------------------- */

/* Arguments that most kernels have */
#define RING "ii"
#define RING_OF(self, number) (number), (self)->n_slots
#define PART "iiii"
#define PART_OF(self) (self)->params.part.width, (self)->params.part.height, \
    (self)->stride, (self)->area

static void
launch_rows (MgpuLayers * self, GstMgpuJob * job, guint kernel, guint n)
{
  mgpu_launch_planes (job, self->object.kernels[kernel], n, self->row[0],
      self->params.part.height, 1, 1, self->row);
}

/* Offsets and strides of the components of a frame */
#define LAYOUT "iiiiiiii"
#define LAYOUT_OF(l) (l).offsets[0], (l).offsets[1], (l).offsets[2], \
    (l).offsets[3], (l).strides[0], (l).strides[1], (l).strides[2], (l).strides[3]

typedef struct
{
  gint offsets[4], strides[4];
} Layout;

static Layout
get_layout (const MgpuImage * image)
{
  Layout layout = { {0}, {0} };

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&image->info); i++) {
    MgpuComponent c = mgpu_get_component (&image->info, i);

    layout.offsets[i] = c.offset;
    layout.strides[i] = c.stride;
  }
  return layout;
}

static void
enqueue_load (MgpuLayers * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * luma, gint number)
{
  const MgpuRect *part = &self->params.part;
  MgpuComponent to = mgpu_get_component (&luma->info, 0);
  Layout layout = get_layout (in);

  gst_mgpu_job_set_args (job, self->object.kernels[LOAD],
      "m" LAYOUT "mii" PART "iimmmmim", gst_mgpu_job_read (job, in->memory),
      LAYOUT_OF (layout), mgpu_slot_read (self, MASK + COMING, job), part->x,
      part->y, PART_OF (self), number % self->n_slots,
      (number + self->n_slots - 1) % self->n_slots,
      mgpu_slot_write (self, PIXELS, job, 0), mgpu_slot_write (self, VALUES,
          job, 0), mgpu_slot_write (self, MASKS, job, 0),
      gst_mgpu_job_write (job, luma->memory), to.stride,
      mgpu_slot_write (self, SUMS, job, 0));
  launch_rows (self, job, LOAD, 1);
  gst_mgpu_job_set_args (job, self->object.kernels[JUDGE], "mm" RING "ii",
      mgpu_slot_write (self, SUMS, job, 0), mgpu_slot_write (self, SCENES, job,
          0), RING_OF (self, number), (gint) self->params.later,
      (gint) self->is_first);
  mgpu_launch_items (job, self->object.kernels[JUDGE], 1, 1);
}

static void
enqueue_plate (MgpuLayers * self, GstMgpuJob * job, gint number)
{
  cl_kernel *kernels = self->object.kernels;
  gint lag = MIN (LAYERS_LAG, self->keep / 2);
  cl_mem pixels = mgpu_slot_read (self, PIXELS, job);
  cl_mem masks = mgpu_slot_read (self, MASKS, job);
  cl_mem state = mgpu_slot_write (self, SCENES, job, 0);
  cl_mem box = mgpu_slot_write (self, BOX, job, 0);
  cl_mem changes = mgpu_slot_write (self, CHANGES, job, 0);
  cl_mem sums = mgpu_slot_write (self, SUMS, job, 0);
  cl_mem plate = mgpu_slot_write (self, PLATE, job, 0);
  cl_mem plates = mgpu_slot_write (self, PLATES, job, 0);
  cl_mem unseen = mgpu_slot_write (self, UNSEEN, job, 0);
  gint width = self->params.part.width;

  gst_mgpu_job_set_args (job, kernels[COMPARE], "mmm" RING "i" PART "m",
      pixels, masks, state, RING_OF (self, number), lag, PART_OF (self), box);
  launch_rows (self, job, COMPARE, 2);
  gst_mgpu_job_set_args (job, kernels[MEASURE], "m" RING "iiiimm", box,
      RING_OF (self, number), width, self->params.part.height, self->stride,
      self->area, changes, sums);
  launch_rows (self, job, MEASURE, 2);
  gst_mgpu_job_set_args (job, kernels[REMEMBER], "mmmmmm" RING "i" PART "mmmm",
      pixels, mgpu_slot_read (self, VALUES, job), masks, changes, sums, state,
      RING_OF (self, number), lag, PART_OF (self), plate,
      mgpu_slot_write (self, PLATE_COUNTS, job, 0), plates, unseen);
  launch_rows (self, job, REMEMBER, 1);
  gst_mgpu_job_set_args (job, kernels[FILL_PLATE], "mmm" RING PART "mmm",
      unseen, sums, state, RING_OF (self, number), PART_OF (self), plate,
      mgpu_slot_write (self, TARGET, job, 0), plates);
  launch_rows (self, job, FILL_PLATE, 1);
}

/* Computes the opacities of frame @number and, if @n is 2, also of the frame that is half as
 * old. */
static void
enqueue_alpha (MgpuLayers * self, GstMgpuJob * job, gint number, guint n)
{
  cl_kernel *kernels = self->object.kernels;
  cl_mem state = mgpu_slot_read (self, SCENES, job);
  cl_mem box = mgpu_slot_write (self, BOX, job, 0);
  cl_mem pixels = mgpu_slot_write (self, PIXELS, job, 0);
  gint oldest = self->next - 1 - self->keep - (gint) self->params.later;

  gst_mgpu_job_set_args (job, kernels[DIFFER], "mmmm" RING PART "m", pixels,
      mgpu_slot_read (self, MASKS, job), mgpu_slot_read (self, PLATES, job),
      state, RING_OF (self, number), PART_OF (self), box);
  launch_rows (self, job, DIFFER, n);
  gst_mgpu_job_set_args (job, kernels[SET_ALPHA], "mm" RING "iiiiimm", box,
      state, RING_OF (self, number), oldest, self->params.part.width,
      self->stride, self->area, (gint) self->params.camera_moves, pixels,
      mgpu_slot_write (self, OPACITIES, job, 0));
  launch_rows (self, job, SET_ALPHA, n);
}

/* Returns: the size of the flow fields */
static MgpuFlowSize
get_flow_size (const MgpuLayers * self)
{
  return mgpu_flow_get_size (self->flow, MGPU_LAYERS_PRESET);
}

/* Copies the flow fields of frame @number, which are needed until the frames before it are
 * filled. */
static void
keep_flow (MgpuLayers * self, GstMgpuJob * job, gint number)
{
  MgpuFlowSize size = get_flow_size (self);
  gsize n = (gsize) size.width * size.height;
  gsize slots = self->params.later + 2, slot = number % slots;

  for (guint i = 0; i < MGPU_FLOW_N_FIELDS; i++) {
    GstMgpuMemory *from[] = { (GstMgpuMemory *) self->object.slots[FLOW + i],
      (GstMgpuMemory *) self->object.slots[CONFIDENCE + i]
    };
    const gsize bytes[] = { 2 * sizeof (gint16) * n, n };
    const guint to[] = { KEPT_FLOW + i, KEPT_CONFIDENCE + i };

    for (guint k = 0; k < 2; k++)
      if (mgpu_slot_ensure (self, to[k], job, slots * bytes[k]))
        gst_mgpu_job_copy_rect (job, from[k], 0, bytes[k],
            (GstMgpuMemory *) self->object.slots[to[k]], slot * bytes[k],
            bytes[k], bytes[k], 1);
  }
}

/* Measures the flow of frame @number. */
static void
enqueue_flow (MgpuLayers * self, GstMgpuJob * job, const MgpuImage * luma,
    gint number)
{
  const MgpuLayersHole *hole = &self->holes[COMING];
  cl_kernel kernel = self->object.kernels[FILL_LUMA];
  const MgpuFlowParams params = { TRUE, MGPU_LAYERS_PRESET,
    self->params.later > 0 ? MGPU_FLOW_BOTH : MGPU_FLOW_TO_PREVIOUS,
    MGPU_FLOW_STEADY, FALSE
  };
  MgpuFlowSize size = get_flow_size (self);
  MgpuComponent c = mgpu_get_component (&luma->info, 0);
  gsize n = (gsize) size.width * size.height;
  MgpuFlowField fields[MGPU_FLOW_N_FIELDS];

  find_ends (self, job, COMING);
  if (hole->order->len > 0) {
    gst_mgpu_job_set_args (job, kernel, "mimmii", mgpu_slot_read (self,
            ORDER + COMING, job), (gint) hole->order->len,
        mgpu_slot_read (self, ENDS + COMING, job),
        gst_mgpu_job_write (job, luma->memory), c.stride,
        self->params.part.width);
    mgpu_launch_items (job, kernel, hole->order->len, self->item[0]);
  }
  for (guint i = 0; i < MGPU_FLOW_N_FIELDS; i++) {
    if (!mgpu_slot_ensure_zeros (self, FLOW + i, job, 2 * sizeof (gint16) * n)
        || !mgpu_slot_ensure_zeros (self, CONFIDENCE + i, job, n))
      return;
    fields[i] = (MgpuFlowField) {
    (GstMgpuMemory *) self->object.slots[FLOW + i],
          (GstMgpuMemory *) self->object.slots[CONFIDENCE + i]};
  }
  mgpu_flow_enqueue (self->flow, job, &params, luma, fields);
  if (self->params.later > 0)
    keep_flow (self, job, number);
}

void
mgpu_layers_add (MgpuLayers * self, GstMgpuJob * job, const MgpuImage * in,
    const guint8 * unknown)
{
  gint number = self->next;
  MgpuImage luma;

  mgpu_layers_hole_set (&self->holes[COMING], &self->object.in,
      &self->params.part, unknown, &self->serial);
  if (!ensure (self, job) || !upload_hole (self, job, COMING)
      || !mgpu_slot_image (self, LUMA, job, &self->luma_info, &luma))
    return;
  self->next++;
  enqueue_load (self, job, in, &luma, number);
  enqueue_plate (self, job, number);
  enqueue_alpha (self, job, number, 2);
  if (self->flow != NULL)
    enqueue_flow (self, job, &luma, number);
  self->is_first = FALSE;
}

/* ---- Filling a frame --------------------------------------------------------- */

/* Returns: the table of the weights 4096 * 2^(-i / 45) */
static cl_mem
read_weights (MgpuLayers * self, GstMgpuJob * job)
{
  /* 2^(-1/45), in units of 2^-30 */
  const guint64 factor = 1057329415;
  guint64 w = 1 << 30;
  guint16 table[LAYERS_WEIGHTS];

  if (self->object.slots[WEIGHTS] != NULL)
    return mgpu_slot_read (self, WEIGHTS, job);
  for (guint i = 0; i < LAYERS_WEIGHTS; i++) {
    table[i] = (w + (1 << 17)) >> 18;
    w = (w * factor + (1 << 29)) >> 30;
  }
  if (!mgpu_slot_upload (self, WEIGHTS, job, table, sizeof (table), 0))
    return NULL;
  return mgpu_slot_read (self, WEIGHTS, job);
}

static void
enqueue_search (MgpuLayers * self, GstMgpuJob * job, guint which, gint number)
{
  cl_kernel kernel = self->object.kernels[SEARCH];
  const MgpuLayersHole *hole = &self->holes[which];
  MgpuFlowSize size = { 0, 0, 0 };
  gsize group = self->object.knobs[GROUP];
  guint now = 1 - self->cells_at;
  gint later = self->params.later, slots = later + 2;
  guint flow = later > 0 ? KEPT_FLOW : FLOW;
  guint confidence = later > 0 ? KEPT_CONFIDENCE : CONFIDENCE;
  cl_mem cells = mgpu_slot_write (self, CELLS + now, job, 0);
  cl_mem fields[4] = { cells, cells, cells, cells };

  if (self->flow != NULL) {
    size = get_flow_size (self);
    for (guint i = 0; i < 2; i++) {
      fields[2 * i] = mgpu_slot_read (self, flow + i, job);
      fields[2 * i + 1] = mgpu_slot_read (self, confidence + i, job);
    }
  }
  if (self->cells_serial[now] != hole->serial)
    launch_clear (self, job, CELLS + now,
        count_cells (self) * CELL_SIZE / sizeof (guint32), 0);
  gst_mgpu_job_set_args (job, kernel, "mmm" RING "iii" PART "mmmmmmiiiiimm",
      mgpu_slot_read (self, PIXELS, job), mgpu_slot_read (self, PLATES, job),
      mgpu_slot_read (self, SCENES, job), RING_OF (self, number),
      self->next - 1 - self->keep - later, self->has_room ? self->keep : 0,
      later, PART_OF (self), mgpu_slot_read (self, LIST + which, job),
      mgpu_slot_read (self, CELLS + self->cells_at, job), fields[0], fields[1],
      fields[2], fields[3], (gint) (self->flow != NULL),
      later > 0 ? number % slots * size.width * size.height : 0,
      later > 0 ? (number + 1) % slots * size.width * size.height : 0,
      size.shift, size.width, cells, mgpu_slot_write (self, SUMS, job, 0));
  mgpu_launch_items (job, kernel, hole->cells->len * group, group);
  self->cells_at = now;
  self->cells_serial[now] = hole->serial;
}

static void
enqueue_mix (MgpuLayers * self, GstMgpuJob * job, guint which, gint number)
{
  const MgpuRect *part = &self->params.part;
  cl_kernel kernel = self->object.kernels[MIX];
  gint n = self->holes[which].order->len;
  gsize size = (gsize) part->width * part->height
      * GST_VIDEO_INFO_N_COMPONENTS (&self->object.in) * sizeof (guint16);

  gst_mgpu_job_set_args (job, kernel, "mmimmmmm" RING "i" PART "mmmmm",
      mgpu_slot_read (self, ORDER + which, job), mgpu_slot_read (self,
          DEPTHS + which, job), n, mgpu_slot_read (self, ENDS + which, job),
      mgpu_slot_read (self, PIXELS, job), mgpu_slot_read (self, VALUES, job),
      mgpu_slot_read (self, OPACITIES, job), mgpu_slot_read (self, SCENES, job),
      RING_OF (self, number), self->next - 1 - self->keep
      - (gint) self->params.later, PART_OF (self), mgpu_slot_read (self, PLATE,
          job), mgpu_slot_read (self, CELLS + self->cells_at, job),
      read_weights (self, job), mgpu_slot_write (self, FILLED, job, size),
      mgpu_slot_write (self, SUMS, job, 0));
  mgpu_launch_items (job, kernel, n, self->item[0]);
}

static void
enqueue_store (MgpuLayers * self, GstMgpuJob * job, const MgpuImage * out,
    guint which)
{
  const MgpuRect *part = &self->params.part;
  Layout layout = get_layout (out);

  gst_mgpu_job_set_args (job, self->object.kernels[STORE],
      "m" LAYOUT "miiiim", gst_mgpu_job_write (job, out->memory),
      LAYOUT_OF (layout), mgpu_slot_read (self, MASK + which, job), part->x,
      part->y, part->width, part->height, mgpu_slot_read (self, FILLED, job));
  launch_rows (self, job, STORE, 1);
}

void
mgpu_layers_fill (MgpuLayers * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out, const guint8 * unknown, GstMgpuMemory * before,
    GstMgpuMemory * counts)
{
  guint which = self->params.later > 0 ? LEAVING : COMING;
  gint number = self->filled;

  mgpu_image_copy_planes (job, in, out, ~0u);
  if (unknown != NULL)
    mgpu_layers_hole_set (&self->holes[which], &self->object.in,
        &self->params.part, unknown, &self->serial);
  self->filled = MIN (number + 1, self->next);
  if (unknown != NULL && self->holes[which].order->len > 0
      && number < self->next && upload_hole (self, job, which)) {
    if (which == LEAVING)
      enqueue_alpha (self, job, number, 1);
    find_ends (self, job, which);
    enqueue_search (self, job, which, number);
    enqueue_mix (self, job, which, number);
    enqueue_store (self, job, out, which);
  }
  if (job->error != NULL || !mgpu_slot_has (self, SUMS, 1))
    return;
  gst_mgpu_job_set_args (job, self->object.kernels[COUNT], "mm" RING "mim",
      mgpu_slot_write (self, SUMS, job, 0), mgpu_slot_write (self, SCENES, job,
          0), RING_OF (self, number), gst_mgpu_job_read (job, before != NULL
          ? before : counts), (gint) (before != NULL), gst_mgpu_job_write (job,
          counts));
  mgpu_launch_items (job, self->object.kernels[COUNT], 1, 1);
}

const MgpuAlgorithm mgpu_layers = {
  .size = sizeof (MgpuLayers),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init,
  .define = define,
  .forget = forget,
  .clear = clear
};
