/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpuflowmeta
 * @title: GstMgpuFlowMeta
 * @short_description: motion of each pixel since the previous frame
 */
#include <gst/mgpu/gstmgpuflowmeta.h>

#include "gstmgpumeta-private.h"
#include <gst/mgpu/gstmgpuenum-private.h>
#include <gst/mgpu/gstmgpulog-private.h>

#include <string.h>

#define GST_CAT_DEFAULT gst_mgpu_meta_debug

#define N_FIELDS 2

/* The flow fields between a frame and the previous frame. All copies of a GstMgpuFlowMeta share
 * them, except copies for cropped frames. */
struct _GstMgpuFlowTables
{
  GstMiniObject parent;
  guint width, height, shift;
  guint left, top, stride;      /* index of the first sample in the memories, and number of samples
                                 * in a row of the memories; a cropped frame uses a part of the
                                 * memories */
  guint64 previous_offset;
  GstBuffer *flow[N_FIELDS], *confidence[N_FIELDS];     /* memories of the fields; NULL: not
                                                         * measured */
};

static const GEnumValue flow_fields[] = {
  {GST_MGPU_FLOW_FIELD_TO_PREVIOUS, "To the previous frame", "to-previous"},
  {GST_MGPU_FLOW_FIELD_FROM_PREVIOUS, "From the previous frame",
      "from-previous"},
  {0, NULL, NULL}
};

/**
 * gst_mgpu_flow_field_get_type:
 *
 * Registers #GstMgpuFlowField on the first call.
 *
 * Returns: the type that #GST_TYPE_MGPU_FLOW_FIELD stands for
 *
 * Since: 1.1
 */
GST_MGPU_DEFINE_ENUM (GstMgpuFlowField, gst_mgpu_flow_field, flow_fields);

static void
tables_free (GstMiniObject * object)
{
  g_autofree GstMgpuFlowTables *tables = (GstMgpuFlowTables *) object;

  for (guint i = 0; i < N_FIELDS; i++) {
    gst_clear_buffer (&tables->flow[i]);
    gst_clear_buffer (&tables->confidence[i]);
  }
}

/* Returns: whether a transform only crops the frame, or leaves it unchanged. Sets @left and @top to
 * the number of columns and rows, in pixels, that are removed there */
static gboolean
is_crop (const GstMgpuMetaTransform * t, gint * left, gint * top)
{
  *left = -t->matrix[0][2];
  *top = -t->matrix[1][2];
  return t->matrix[0][0] == 1 && t->matrix[0][1] == 0 && t->matrix[1][0] == 0
      && t->matrix[1][1] == 1 && *left == -t->matrix[0][2]
      && *top == -t->matrix[1][2] && *left >= 0 && *top >= 0
      && t->x == 0 && t->y == 0
      && t->width == GST_VIDEO_INFO_WIDTH (t->out_info)
      && t->height == GST_VIDEO_INFO_HEIGHT (t->out_info)
      && *left + t->width <= GST_VIDEO_INFO_WIDTH (t->in_info)
      && *top + t->height <= GST_VIDEO_INFO_HEIGHT (t->in_info);
}

/* Returns: (transfer full): the data of a meta for a part of the frame that begins at the upper
 * left corner of a sample */
static GstMgpuFlowTables *
tables_crop (const GstMgpuFlowTables * from, guint left, guint top, guint width,
    guint height)
{
  GstMgpuFlowTables *to = gst_mgpu_tables_new (sizeof (*to), tables_free);
  guint most = (1 << from->shift) - 1;

  to->shift = from->shift;
  to->left = from->left + (left >> to->shift);
  to->top = from->top + (top >> to->shift);
  to->stride = from->stride;
  to->width = (width + most) >> to->shift;
  to->height = (height + most) >> to->shift;
  to->previous_offset = from->previous_offset;
  for (guint i = 0; i < N_FIELDS; i++)
    if (from->flow[i] != NULL) {
      to->flow[i] = gst_buffer_ref (from->flow[i]);
      to->confidence[i] = gst_buffer_ref (from->confidence[i]);
    }
  return to;
}

/* Copies the meta if the whole frame was copied or only its format changed. If the frame was
 * cropped, and the crop begins at the corner of a sample, copies the part of the meta that is left.
 * Otherwise drops the meta, because the flow would belong to other pixels. */
static gboolean
flow_meta_transform (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
    GQuark type, gpointer data)
{
  GstMgpuFlowTables *tables = ((GstMgpuFlowMeta *) meta)->tables;
  GstMgpuMetaTransform t;
  gint left, top;

  if (!gst_mgpu_meta_transform_parse (&t, type, data))
    return gst_mgpu_meta_pass_on (dest, meta, buffer, type, data);
  if (!is_crop (&t, &left, &top)
      || ((left | top) & ((1 << tables->shift) - 1)) != 0) {
    GST_LOG ("dropping the optical flow, because the frame was scaled, rotated "
        "or cropped between samples");
    return FALSE;
  }
  gst_mgpu_meta_add (dest, meta->info, tables_crop (tables, left, top, t.width,
          t.height));
  return TRUE;
}

/**
 * gst_mgpu_flow_meta_api_get_type:
 *
 * Registers the API of #GstMgpuFlowMeta on the first call.
 *
 * Returns: the type that #GST_MGPU_FLOW_META_API_TYPE stands for
 *
 * Since: 1.1
 */
/**
 * gst_mgpu_flow_meta_get_info: (skip)
 *
 * Registers #GstMgpuFlowMeta on the first call.
 *
 * Returns: (transfer none): the #GstMetaInfo that this kind of meta is registered with
 *
 * Since: 1.1
 */
GST_MGPU_DEFINE_META (GstMgpuFlowMeta, gst_mgpu_flow_meta,
    flow_meta_transform, GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
    GST_META_TAG_VIDEO_ORIENTATION_STR);

/**
 * gst_buffer_add_mgpu_flow_meta: (skip)
 * @buffer: (transfer none): a writable frame
 * @width: number of samples in a row of a field
 * @height: number of rows
 * @shift: a sample stands for a square of 2^@shift pixels
 * @previous_offset: offset of the buffer of the previous frame, or %GST_BUFFER_OFFSET_NONE
 *
 * Attaches optical flow without fields to a frame, instead of the flow that the frame had.
 *
 * Returns: (transfer none): the new meta
 *
 * Since: 1.1
 */
GstMgpuFlowMeta *
gst_buffer_add_mgpu_flow_meta (GstBuffer * buffer, guint width, guint height,
    guint shift, guint64 previous_offset)
{
  GstMgpuFlowTables *tables;

  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);

  tables = gst_mgpu_tables_new (sizeof (*tables), tables_free);
  tables->width = tables->stride = width;
  tables->height = height;
  tables->shift = shift;
  tables->previous_offset = previous_offset;
  return gst_mgpu_meta_add (buffer, gst_mgpu_flow_meta_get_info (), tables);
}

/**
 * gst_mgpu_flow_meta_set_field: (skip)
 * @meta: a #GstMgpuFlowMeta
 * @field: which field
 * @flow: (transfer full): two #gint16 for each sample, in one #GstMgpuMemory; the device may
 *   still be
 *   computing them
 * @confidence: (transfer full): a byte for each sample, in one #GstMgpuMemory
 *
 * Sets a field of a meta that has just been added to a frame.
 *
 * Since: 1.1
 */
void
gst_mgpu_flow_meta_set_field (GstMgpuFlowMeta * meta, GstMgpuFlowField field,
    GstBuffer * flow, GstBuffer * confidence)
{
  g_return_if_fail (field < N_FIELDS);

  gst_clear_buffer (&meta->tables->flow[field]);
  gst_clear_buffer (&meta->tables->confidence[field]);
  meta->tables->flow[field] = flow;
  meta->tables->confidence[field] = confidence;
}

/**
 * gst_buffer_get_mgpu_flow_meta:
 * @buffer: a frame
 *
 * Finds the optical flow of a frame.
 *
 * Returns: (transfer none) (nullable): the meta with the flow between @buffer and the previous
 *   frame
 *
 * Since: 1.1
 */
GstMgpuFlowMeta *
gst_buffer_get_mgpu_flow_meta (GstBuffer * buffer)
{
  return (GstMgpuFlowMeta *) gst_buffer_get_meta (buffer,
      GST_MGPU_FLOW_META_API_TYPE);
}

/**
 * gst_mgpu_flow_meta_get_field:
 * @meta: a #GstMgpuFlowMeta
 * @field: which field
 * @width: (out) (optional): number of samples in a row
 * @height: (out) (optional): number of rows
 * @shift: (out) (optional): a sample stands for a square of 2^@shift pixels
 *
 * Gets the size of a field.
 *
 * Returns: whether the field was measured
 *
 * Since: 1.1
 */
gboolean
gst_mgpu_flow_meta_get_field (GstMgpuFlowMeta * meta, GstMgpuFlowField field,
    guint * width, guint * height, guint * shift)
{
  g_return_val_if_fail (field < N_FIELDS, FALSE);

  if (width != NULL)
    *width = meta->tables->width;
  if (height != NULL)
    *height = meta->tables->height;
  if (shift != NULL)
    *shift = meta->tables->shift;
  return meta->tables->flow[field] != NULL;
}

/**
 * gst_mgpu_flow_meta_get_previous_offset:
 * @meta: a #GstMgpuFlowMeta
 *
 * Identifies the previous frame. Frames between it and this frame may have been dropped.
 *
 * Returns: the offset of the buffer of that frame, or %GST_BUFFER_OFFSET_NONE
 *
 * Since: 1.1
 */
guint64
gst_mgpu_flow_meta_get_previous_offset (GstMgpuFlowMeta * meta)
{
  return meta->tables->previous_offset;
}

/* Returns: the index of sample (@x, @y) in the memories */
static gsize
find_sample (const GstMgpuFlowTables * t, guint x, guint y)
{
  return (gsize) (t->top + y) * t->stride + t->left + x;
}

/* Returns: whether the rows of the fields follow each other without gaps from the beginning of the
 * memories */
static gboolean
is_packed (const GstMgpuFlowTables * t)
{
  return t->top == 0 && t->width == t->stride;
}

/* Reads the memory of a field or of its confidence, up to the last sample. @size: size of a sample,
 * in bytes. The memory may be longer. */
static GBytes *
read_memory (const GstMgpuFlowTables * t, GstBuffer * samples, gsize size)
{
  return gst_mgpu_bytes_from_part (samples, 0,
      size * (find_sample (t, t->width - 1, t->height - 1) + 1));
}

/* Reads the samples of a field or of its confidence. */
static GBytes *
read_samples (const GstMgpuFlowTables * t, GstBuffer * samples, gsize size)
{
  g_autoptr (GBytes) all = read_memory (t, samples, size);
  gsize row = size * t->width;
  const guint8 *from;
  guint8 *to;

  if (all == NULL || is_packed (t))
    return g_steal_pointer (&all);
  from = g_bytes_get_data (all, NULL);
  to = g_malloc (row * t->height);
  for (guint y = 0; y < t->height; y++)
    memcpy (to + y * row, from + size * find_sample (t, 0, y), row);
  return g_bytes_new_take (to, row * t->height);
}

/**
 * gst_mgpu_flow_meta_get_bytes:
 * @meta: a #GstMgpuFlowMeta
 * @field: which field
 *
 * Reads a field. Blocks until the device has computed it.
 *
 * Returns: (transfer full) (nullable): two #gint16 for each sample; %NULL when the field was not
 *   measured or cannot be read
 *
 * Since: 1.1
 */
GBytes *
gst_mgpu_flow_meta_get_bytes (GstMgpuFlowMeta * meta, GstMgpuFlowField field)
{
  g_return_val_if_fail (field < N_FIELDS, NULL);

  return read_samples (meta->tables, meta->tables->flow[field],
      2 * sizeof (gint16));
}

/**
 * gst_mgpu_flow_meta_get_confidence:
 * @meta: a #GstMgpuFlowMeta
 * @field: which field
 *
 * Reads the confidence of a field. Blocks until the device has computed it.
 *
 * Returns: (transfer full) (nullable): a byte for each sample; %NULL when the field was not
 *   measured
 *   or cannot be read
 *
 * Since: 1.1
 */
GBytes *
gst_mgpu_flow_meta_get_confidence (GstMgpuFlowMeta * meta,
    GstMgpuFlowField field)
{
  g_return_val_if_fail (field < N_FIELDS, NULL);

  return read_samples (meta->tables, meta->tables->confidence[field], 1);
}

/**
 * gst_mgpu_flow_meta_get_memory:
 * @meta: a #GstMgpuFlowMeta
 * @field: which field
 *
 * Lets kernels read a field on the device.
 *
 * Returns: (transfer none) (nullable): the #GstMgpuMemory of the field; %NULL when it was not
 *   measured, and when the frame was cropped
 *
 * Since: 1.1
 */
GstMemory *
gst_mgpu_flow_meta_get_memory (GstMgpuFlowMeta * meta, GstMgpuFlowField field)
{
  g_return_val_if_fail (field < N_FIELDS, NULL);

  return is_packed (meta->tables)
      ? gst_mgpu_memory_of_buffer (meta->tables->flow[field]) : NULL;
}

/**
 * gst_mgpu_flow_meta_get_confidence_memory:
 * @meta: a #GstMgpuFlowMeta
 * @field: which field
 *
 * Lets kernels read the confidence of a field on the device.
 *
 * Returns: (transfer none) (nullable): the #GstMgpuMemory of the confidence; %NULL when the
 *   field was not measured, and when the frame was cropped
 *
 * Since: 1.1
 */
GstMemory *
gst_mgpu_flow_meta_get_confidence_memory (GstMgpuFlowMeta * meta,
    GstMgpuFlowField field)
{
  g_return_val_if_fail (field < N_FIELDS, NULL);

  return is_packed (meta->tables)
      ? gst_mgpu_memory_of_buffer (meta->tables->confidence[field]) : NULL;
}

/* Sums the four samples around a position in units of 1/2^(shift + 1) samples, with bilinear
 * weights. Returns: FALSE if the flow of one of these samples is unknown */
static gboolean
sum_samples (const GstMgpuFlowTables * t, const gint16 * flow, gint px,
    gint py, gint sums[2])
{
  gint unit = 2 << t->shift;
  gint x0 = px >> (t->shift + 1), y0 = py >> (t->shift + 1);
  gint fx = px & (unit - 1), fy = py & (unit - 1);
  gboolean ok = TRUE;

  sums[0] = sums[1] = unit * unit / 2;
  for (gint k = 0; k < 4; k++) {
    gint weight = (k % 2 ? fx : unit - fx) * (k / 2 ? fy : unit - fy);
    gint x = CLAMP (x0 + k % 2, 0, (gint) t->width - 1);
    gint y = CLAMP (y0 + k / 2, 0, (gint) t->height - 1);
    const gint16 *sample = flow + 2 * find_sample (t, x, y);

    ok = ok && sample[0] != GST_MGPU_FLOW_NONE;
    sums[0] += weight * sample[0];
    sums[1] += weight * sample[1];
  }
  return ok;
}

/**
 * gst_mgpu_flow_meta_get_flow:
 * @meta: a #GstMgpuFlowMeta
 * @field: which field
 * @x: column of a pixel of the frame
 * @y: row of the pixel
 * @dx: (out) (optional): motion to the right, in pixels
 * @dy: (out) (optional): motion down, in pixels
 *
 * Gets the flow of a pixel, which is interpolated between the samples of the field. Blocks until
 * the device
 * has computed it.
 *
 * Returns: FALSE if the flow is not known there
 *
 * Since: 1.1
 */
gboolean
gst_mgpu_flow_meta_get_flow (GstMgpuFlowMeta * meta, GstMgpuFlowField field,
    guint x, guint y, gfloat * dx, gfloat * dy)
{
  const GstMgpuFlowTables *t = meta->tables;
  gint half = 1 << t->shift, sums[2];
  GBytes *bytes = NULL;
  gboolean ok;

  g_return_val_if_fail (field < N_FIELDS, FALSE);
  if (x < t->width << t->shift && y < t->height << t->shift)
    bytes = read_memory (t, t->flow[field], 2 * sizeof (gint16));
  if (bytes == NULL)
    return FALSE;
  ok = sum_samples (t, g_bytes_get_data (bytes, NULL), 2 * x + 1 - half,
      2 * y + 1 - half, sums);
  g_bytes_unref (bytes);
  if (dx != NULL)
    *dx = (sums[0] >> (2 * t->shift + 2)) / 32.0f;
  if (dy != NULL)
    *dy = (sums[1] >> (2 * t->shift + 2)) / 32.0f;
  return ok;
}

/* Appends the numbers of the samples in columns @left to @right and rows @top to @bottom whose flow
 * is known with a confidence of at least 128: horizontal motions to @numbers[0], vertical motions
 * to @numbers[1]. */
static void
collect (const GstMgpuFlowTables * t, const gint16 * flow,
    const guint8 * confidence, guint left, guint top, guint right,
    guint bottom, GArray * numbers[2])
{
  for (guint y = top; y <= bottom; y++)
    for (guint x = left; x <= right; x++) {
      gsize at = find_sample (t, x, y);

      if (flow[2 * at] == GST_MGPU_FLOW_NONE || confidence[at] < 128)
        continue;
      g_array_append_val (numbers[0], flow[2 * at]);
      g_array_append_val (numbers[1], flow[2 * at + 1]);
    }
}

static gint
compare_numbers (gconstpointer a, gconstpointer b)
{
  return *(const gint16 *) a - *(const gint16 *) b;
}

/* Frees @numbers (transfer full). Returns: their median, which is the lower one of two middle numbers;
 * 0 if there are none */
static gint
take_median (GArray * numbers)
{
  gint median = 0;

  g_array_sort (numbers, compare_numbers);
  if (numbers->len > 0)
    median = g_array_index (numbers, gint16, (numbers->len - 1) / 2);
  g_array_unref (numbers);
  return median;
}

/**
 * gst_mgpu_flow_meta_median_in_box:
 * @meta: a #GstMgpuFlowMeta
 * @field: which field
 * @x: left edge of a box in the frame, in pixels; may be negative
 * @y: upper edge of the box
 * @width: width of the box
 * @height: height of the box
 * @dx: (out) (optional): median of the flow to the right, in pixels
 * @dy: (out) (optional): median of the flow down
 * @share: (out) (optional): fraction of the samples of the box that are known and have a
 *   confidence of 128 or more; only these count
 *
 * Gets the motion of the object in a box. Blocks until the device has computed the flow.
 *
 * Returns: FALSE if no sample of the box counts
 *
 * Since: 1.1
 */
gboolean
gst_mgpu_flow_meta_median_in_box (GstMgpuFlowMeta * meta,
    GstMgpuFlowField field, gint x, gint y, guint width, guint height,
    gfloat * dx, gfloat * dy, gfloat * share)
{
  const GstMgpuFlowTables *t = meta->tables;
  gint64 left = MAX (x, 0) >> t->shift, top = MAX (y, 0) >> t->shift;
  gint64 right = MIN (((gint64) x + width - 1) >> t->shift,
      (gint64) t->width - 1);
  gint64 bottom = MIN (((gint64) y + height - 1) >> t->shift,
      (gint64) t->height - 1);
  GArray *numbers[2];
  g_autoptr (GBytes) flow = NULL, confidence = NULL;
  guint n;

  g_return_val_if_fail (field < N_FIELDS, FALSE);

  if (left <= right && top <= bottom) {
    flow = read_memory (t, t->flow[field], 2 * sizeof (gint16));
    confidence = read_memory (t, t->confidence[field], 1);
  }
  for (guint i = 0; i < 2; i++)
    numbers[i] = g_array_new (FALSE, FALSE, sizeof (gint16));
  if (flow != NULL && confidence != NULL)
    collect (t, g_bytes_get_data (flow, NULL), g_bytes_get_data (confidence,
            NULL), left, top, right, bottom, numbers);
  n = numbers[0]->len;
  if (share != NULL)
    *share = n > 0 ? n / (gfloat) ((right - left + 1) * (bottom - top + 1)) : 0;
  x = take_median (numbers[0]);
  y = take_median (numbers[1]);
  if (dx != NULL)
    *dx = x / 32.0f;
  if (dy != NULL)
    *dy = y / 32.0f;
  return n > 0;
}
