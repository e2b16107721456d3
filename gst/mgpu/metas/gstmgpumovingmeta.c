/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpumovingmeta
 * @title: GstMgpuMovingMeta
 * @short_description: moving objects in a frame
 */
#include <gst/mgpu/gstmgpumovingmeta.h>

#include "gstmgpumeta-private.h"
#include <gst/mgpu/gstmgpulog-private.h>

#include <math.h>

#define GST_CAT_DEFAULT gst_mgpu_meta_debug

/* The results of a frame. The meta of a cropped, rotated or scaled frame has a copy with
 * transformed regions and another matrix. */
struct _GstMgpuMovingTables
{
  GstMiniObject parent;
  GArray *regions;              /* array of GstMgpuMovingRegion, in pixels of the frame */
  gboolean active;
  guint late;
  GstBuffer *mask, *heat, *field;       /* the mask; NULL: none */
  guint field_offset, field_stride, field_number;
  guint mask_width, mask_height;        /* size of the mask, in samples */
  guint heat_width, heat_height, heat_step;
  gint light;
  gdouble survive, energy;
  const gchar *tamper;          /* kind of tampering, a static string; NULL: none */
  /* affine matrix that maps a position in the mask to the frame: the new x is the first row times
   * (x, y, 1) */
  gdouble matrix[2][3];
};

static GstMgpuMovingRegion *
region_copy (const GstMgpuMovingRegion * region)
{
  return g_memdup2 (region, sizeof (*region));
}

G_DEFINE_BOXED_TYPE (GstMgpuMovingRegion, gst_mgpu_moving_region, region_copy,
    g_free);

static void
tables_free (GstMiniObject * object)
{
  g_autofree GstMgpuMovingTables *tables = (GstMgpuMovingTables *) object;

  g_array_unref (tables->regions);
  gst_clear_buffer (&tables->mask);
  gst_clear_buffer (&tables->heat);
  gst_clear_buffer (&tables->field);
}

static GstMgpuMovingTables *
tables_new (void)
{
  GstMgpuMovingTables *tables =
      gst_mgpu_tables_new (sizeof (*tables), tables_free);

  tables->regions = g_array_new (FALSE, FALSE, sizeof (GstMgpuMovingRegion));
  tables->matrix[0][0] = tables->matrix[1][1] = 1;
  tables->survive = tables->energy = 1;
  return tables;
}

/* Transforms the box of a region by @t, to the smallest upright box around its transformed corners.
 * Returns: FALSE if the box is outside the new frame */
static gboolean
move_region (const GstMgpuMetaTransform * t, GstMgpuMovingRegion * region)
{
  const gdouble (*m)[3] = t->matrix;
  gdouble left = INFINITY, right = -INFINITY, top = INFINITY;
  gdouble bottom = -INFINITY, dx = region->dx, dy = region->dy;

  for (guint i = 0; i < 4; i++) {
    gdouble x = region->x + (i & 1 ? region->width : 0.0);
    gdouble y = region->y + (i & 2 ? region->height : 0.0);
    gdouble u = m[0][0] * x + m[0][1] * y + m[0][2];
    gdouble v = m[1][0] * x + m[1][1] * y + m[1][2];

    left = MIN (left, u);
    right = MAX (right, u);
    top = MIN (top, v);
    bottom = MAX (bottom, v);
  }
  left = CLAMP (floor (left), t->x, t->x + t->width);
  right = CLAMP (ceil (right), t->x, t->x + t->width);
  top = CLAMP (floor (top), t->y, t->y + t->height);
  bottom = CLAMP (ceil (bottom), t->y, t->y + t->height);
  region->x = left;
  region->y = top;
  region->width = right - left;
  region->height = bottom - top;
  region->dx = m[0][0] * dx + m[0][1] * dy;
  region->dy = m[1][0] * dx + m[1][1] * dy;
  return region->width > 0 && region->height > 0;
}

/* Returns: (transfer full): a copy of the results @from, transformed by @t */
static GstMgpuMovingTables *
tables_move (const GstMgpuMovingTables * from, const GstMgpuMetaTransform * t)
{
  GstMgpuMovingTables *to = tables_new ();

  for (guint i = 0; i < from->regions->len; i++) {
    GstMgpuMovingRegion region =
        g_array_index (from->regions, GstMgpuMovingRegion, i);

    if (move_region (t, &region))
      g_array_append_val (to->regions, region);
  }
  GST_LOG ("the transformed frame shows %u of %u moving regions",
      to->regions->len, from->regions->len);
  to->active = from->active;
  to->late = from->late;
  to->mask = from->mask != NULL ? gst_buffer_ref (from->mask) : NULL;
  to->mask_width = from->mask_width;
  to->mask_height = from->mask_height;
  to->heat = from->heat != NULL ? gst_buffer_ref (from->heat) : NULL;
  to->heat_width = from->heat_width;
  to->heat_height = from->heat_height;
  to->heat_step = from->heat_step;
  to->field = from->field != NULL ? gst_buffer_ref (from->field) : NULL;
  to->field_offset = from->field_offset;
  to->field_stride = from->field_stride;
  to->field_number = from->field_number;
  to->light = from->light;
  to->survive = from->survive;
  to->energy = from->energy;
  to->tamper = from->tamper;
  for (guint i = 0; i < 2; i++)
    for (guint j = 0; j < 3; j++)
      to->matrix[i][j] = t->matrix[i][0] * from->matrix[0][j]
          + t->matrix[i][1] * from->matrix[1][j]
          + (j == 2 ? t->matrix[i][2] : 0);
  return to;
}

static gboolean
moving_meta_transform (GstBuffer * dest, GstMeta * meta, GstBuffer * buffer,
    GQuark type, gpointer data)
{
  GstMgpuMetaTransform moved;

  if (!gst_mgpu_meta_transform_parse (&moved, type, data))
    return gst_mgpu_meta_pass_on (dest, meta, buffer, type, data);
  gst_mgpu_meta_add (dest, meta->info,
      tables_move (((GstMgpuMovingMeta *) meta)->tables, &moved));
  return TRUE;
}

/**
 * gst_mgpu_moving_meta_api_get_type:
 *
 * Registers the API of #GstMgpuMovingMeta on the first call.
 *
 * Returns: the type that #GST_MGPU_MOVING_META_API_TYPE stands for
 *
 * Since: 1.1
 */
/**
 * gst_mgpu_moving_meta_get_info: (skip)
 *
 * Registers #GstMgpuMovingMeta on the first call.
 *
 * Returns: (transfer none): the #GstMetaInfo that this kind of meta is registered with
 *
 * Since: 1.1
 */
GST_MGPU_DEFINE_META (GstMgpuMovingMeta, gst_mgpu_moving_meta,
    moving_meta_transform, GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_SIZE_STR,
    GST_META_TAG_VIDEO_ORIENTATION_STR);

/**
 * gst_buffer_add_mgpu_moving_meta: (skip)
 * @buffer: (transfer none): a writable frame
 * @regions: (array length=n_regions) (nullable): the moving regions of the frame
 * @n_regions: number of regions
 * @active: whether something moves now, or moved a short time ago
 * @late: number of frames by which the results are older than the frame
 *
 * Attaches regions of motion to a frame, instead of earlier ones.
 *
 * Returns: (transfer none): the new meta
 *
 * Since: 1.1
 */
GstMgpuMovingMeta *
gst_buffer_add_mgpu_moving_meta (GstBuffer * buffer,
    const GstMgpuMovingRegion * regions, guint n_regions, gboolean active,
    guint late)
{
  GstMgpuMovingTables *tables;

  g_return_val_if_fail (gst_buffer_is_writable (buffer), NULL);

  tables = tables_new ();
  if (n_regions > 0)
    g_array_append_vals (tables->regions, regions, n_regions);
  tables->active = active;
  tables->late = late;
  return gst_mgpu_meta_add (buffer, gst_mgpu_moving_meta_get_info (), tables);
}

/**
 * gst_mgpu_moving_meta_set_mask: (skip)
 * @meta: a #GstMgpuMovingMeta
 * @mask: (transfer full): a byte for each sample, in one memory; the device may still be computing
 *   them
 * @width: number of samples in a row
 * @height: number of rows
 * @step: a sample stands for @step x @step pixels of the frame
 *
 * Sets the mask of a meta that has just been added to a frame.
 *
 * Since: 1.1
 */
void
gst_mgpu_moving_meta_set_mask (GstMgpuMovingMeta * meta, GstBuffer * mask,
    guint width, guint height, guint step)
{
  GstMgpuMovingTables *tables = meta->tables;

  gst_clear_buffer (&tables->mask);
  tables->mask = mask;
  tables->mask_width = width;
  tables->mask_height = height;
  tables->matrix[0][0] = tables->matrix[1][1] = step;
}

/**
 * gst_mgpu_moving_meta_set_heat: (skip)
 * @meta: a #GstMgpuMovingMeta
 * @heat: (transfer full): a #guint16 for each cell, in one memory
 * @width: number of cells in a row
 * @height: number of rows
 * @step: a cell stands for @step x @step samples of the mask
 *
 * Sets the heat map: the cells in which something moved lately.
 *
 * Since: 1.1
 */
void
gst_mgpu_moving_meta_set_heat (GstMgpuMovingMeta * meta, GstBuffer * heat,
    guint width, guint height, guint step)
{
  GstMgpuMovingTables *tables = meta->tables;

  gst_clear_buffer (&tables->heat);
  tables->heat = heat;
  tables->heat_width = width;
  tables->heat_height = height;
  tables->heat_step = step;
}

/**
 * gst_mgpu_moving_meta_set_light: (skip)
 * @meta: a #GstMgpuMovingMeta
 * @light: mean change of brightness: 2048 for a factor of two
 * @survive: fraction of the background's strong edges that the frame shows
 * @energy: gradient energy of the frame divided by that of the background
 * @tamper: (nullable): kind of tampering with the camera, as in messages; a static string
 *
 * Sets the change of brightness and edges relative to the background.
 *
 * Since: 1.1
 */
void
gst_mgpu_moving_meta_set_light (GstMgpuMovingMeta * meta, gint light,
    gdouble survive, gdouble energy, const gchar * tamper)
{
  meta->tables->light = light;
  meta->tables->survive = survive;
  meta->tables->energy = energy;
  meta->tables->tamper = tamper;
}

/**
 * gst_mgpu_moving_meta_set_light_field: (skip)
 * @meta: a #GstMgpuMovingMeta
 * @field: (transfer full): a #guint16 for each sample of the mask, in one memory
 * @offset: index of the number of the first sample
 * @stride: number of elements from one row to the next
 * @number: number of the background with which the frame was compared
 *
 * Sets the change of brightness at each sample of the mask.
 *
 * Since: 1.1
 */
void
gst_mgpu_moving_meta_set_light_field (GstMgpuMovingMeta * meta,
    GstBuffer * field, guint offset, guint stride, guint number)
{
  GstMgpuMovingTables *tables = meta->tables;

  gst_clear_buffer (&tables->field);
  tables->field = field;
  tables->field_offset = offset;
  tables->field_stride = stride;
  tables->field_number = number;
}

/**
 * gst_buffer_get_mgpu_moving_meta:
 * @buffer: a frame
 *
 * Finds the meta with the moving regions of a frame.
 *
 * Returns: (transfer none) (nullable): the meta with the regions of motion
 *
 * Since: 1.1
 */
GstMgpuMovingMeta *
gst_buffer_get_mgpu_moving_meta (GstBuffer * buffer)
{
  return (GstMgpuMovingMeta *) gst_buffer_get_meta (buffer,
      GST_MGPU_MOVING_META_API_TYPE);
}

/**
 * gst_mgpu_moving_meta_is_active:
 * @meta: a #GstMgpuMovingMeta
 *
 * Tells whether the last message about motion was that it started.
 *
 * Returns: whether something moves, or has moved within the property "stop-delay" of mgpumotion
 *
 * Since: 1.1
 */
gboolean
gst_mgpu_moving_meta_is_active (GstMgpuMovingMeta * meta)
{
  return meta->tables->active;
}

/**
 * gst_mgpu_moving_meta_get_late:
 * @meta: a #GstMgpuMovingMeta
 *
 * Tells how old the results are. If the property "wait" of mgpumotion is off, they may be from an
 * earlier frame.
 *
 * Returns: number of frames by which the results are older than the frame; 0: the results are from
 *   this frame
 *
 * Since: 1.1
 */
guint
gst_mgpu_moving_meta_get_late (GstMgpuMovingMeta * meta)
{
  return meta->tables->late;
}

/**
 * gst_mgpu_moving_meta_get_n_regions:
 * @meta: a #GstMgpuMovingMeta
 *
 * Counts the moving regions of the frame.
 *
 * Returns: the number of regions
 *
 * Since: 1.1
 */
guint
gst_mgpu_moving_meta_get_n_regions (GstMgpuMovingMeta * meta)
{
  return meta->tables->regions->len;
}

/**
 * gst_mgpu_moving_meta_get_region:
 * @meta: a #GstMgpuMovingMeta
 * @i: index of the region, from 0; regions are in the order of their ids
 * @region: (out caller-allocates): the region
 *
 * Gets a region of the frame.
 *
 * Returns: FALSE if there is no such region
 *
 * Since: 1.1
 */
gboolean
gst_mgpu_moving_meta_get_region (GstMgpuMovingMeta * meta, guint i,
    GstMgpuMovingRegion * region)
{
  if (i >= meta->tables->regions->len)
    return FALSE;
  *region = g_array_index (meta->tables->regions, GstMgpuMovingRegion, i);
  return TRUE;
}

/**
 * gst_mgpu_moving_meta_get_mask:
 * @meta: a #GstMgpuMovingMeta
 * @width: (out) (optional): number of samples in a row
 * @height: (out) (optional): number of rows
 *
 * Reads the mask of the moving pixels. Blocks until the device has computed it.
 *
 * Returns: (transfer full) (nullable): a byte for each sample: 255 where something moves, 127
 *   where a shadow was removed, otherwise 0; %NULL when there is no mask or it cannot be read
 *
 * Since: 1.1
 */
GBytes *
gst_mgpu_moving_meta_get_mask (GstMgpuMovingMeta * meta, guint * width,
    guint * height)
{
  const GstMgpuMovingTables *t = meta->tables;

  if (width != NULL)
    *width = t->mask_width;
  if (height != NULL)
    *height = t->mask_height;
  return gst_mgpu_bytes_from_part (t->mask, 0,
      (gsize) t->mask_width * t->mask_height);
}

/**
 * gst_mgpu_moving_meta_get_mask_memory:
 * @meta: a #GstMgpuMovingMeta
 *
 * Lets kernels read the mask on the device.
 *
 * Returns: (transfer none) (nullable): the #GstMgpuMemory of the mask; %NULL when there is no mask
 *
 * Since: 1.1
 */
GstMemory *
gst_mgpu_moving_meta_get_mask_memory (GstMgpuMovingMeta * meta)
{
  return gst_mgpu_memory_of_buffer (meta->tables->mask);
}

/**
 * gst_mgpu_moving_meta_get_heat:
 * @meta: a #GstMgpuMovingMeta
 * @width: (out) (optional): number of cells in a row
 * @height: (out) (optional): number of rows
 * @step: (out) (optional): a cell stands for @step x @step samples of the mask
 *
 * Reads the heat map, which shows where something moved lately. Each frame in which something moves
 * in a cell adds 256 to the number of the cell. In each frame, the number is reduced by 1/256 of
 * its value. Blocks until the device has computed it.
 *
 * Returns: (transfer full) (nullable): a #guint16 for each cell; %NULL when there is no map or it
 *   cannot be read
 *
 * Since: 1.1
 */
GBytes *
gst_mgpu_moving_meta_get_heat (GstMgpuMovingMeta * meta, guint * width,
    guint * height, guint * step)
{
  const GstMgpuMovingTables *t = meta->tables;

  if (width != NULL)
    *width = t->heat_width;
  if (height != NULL)
    *height = t->heat_height;
  if (step != NULL)
    *step = t->heat_step;
  return gst_mgpu_bytes_from_part (t->heat, 0,
      (gsize) t->heat_width * t->heat_height * sizeof (guint16));
}

/**
 * gst_mgpu_moving_meta_get_light:
 * @meta: a #GstMgpuMovingMeta
 * @survive: (out) (optional): fraction of the background's strong edges that the frame shows
 * @energy: (out) (optional): gradient energy of the frame divided by that of the background
 *
 * Tells how the brightness and the edges of the frame differ from those of the background.
 *
 * Returns: the mean change of brightness: 2048 if the frame is twice as bright as the background,
 *   -2048 if it is half as bright
 *
 * Since: 1.1
 */
gint
gst_mgpu_moving_meta_get_light (GstMgpuMovingMeta * meta, gdouble * survive,
    gdouble * energy)
{
  if (survive != NULL)
    *survive = meta->tables->survive;
  if (energy != NULL)
    *energy = meta->tables->energy;
  return meta->tables->light;
}

/**
 * gst_mgpu_moving_meta_get_light_memory:
 * @meta: a #GstMgpuMovingMeta
 * @offset: (out) (optional): index of the number of the first sample of the mask
 * @stride: (out) (optional): number of elements from one row to the next
 * @number: (out) (optional): number of the background with which the frame was compared
 *
 * Lets kernels read, for each sample of the mask, the change of brightness since the first frame of
 * this background: a #guint16, modulo 65536, in which 2048 stands for a factor of two. From one
 * frame to another with the same @number, (luma + 24) of a sample changes by the factor 2^(d /
 * 2048), where d is the difference of both numbers as a #gint16, and luma is from 0 to 255.
 *
 * Returns: (transfer none) (nullable): the #GstMgpuMemory of the numbers; %NULL when there are none
 *
 * Since: 1.1
 */
GstMemory *
gst_mgpu_moving_meta_get_light_memory (GstMgpuMovingMeta * meta,
    guint * offset, guint * stride, guint * number)
{
  if (offset != NULL)
    *offset = meta->tables->field_offset;
  if (stride != NULL)
    *stride = meta->tables->field_stride;
  if (number != NULL)
    *number = meta->tables->field_number;
  return gst_mgpu_memory_of_buffer (meta->tables->field);
}

/**
 * gst_mgpu_moving_meta_get_tamper:
 * @meta: a #GstMgpuMovingMeta
 *
 * Tells whether the camera was tampered with.
 *
 * Returns: (transfer none) (nullable): "dark", "covered", "blurred" or "moved"; %NULL: nothing
 *
 * Since: 1.1
 */
const gchar *
gst_mgpu_moving_meta_get_tamper (GstMgpuMovingMeta * meta)
{
  return meta->tables->tamper;
}

/**
 * gst_mgpu_moving_meta_get_matrix:
 * @meta: a #GstMgpuMovingMeta
 * @matrix: (out caller-allocates) (array fixed-size=6): two rows of three numbers
 *
 * Gets the affine matrix that maps a position in the mask to its position in the frame, in
 * pixels from the upper left corner. The new x is the first row times (x, y, 1), and the new y
 * is the second row times (x, y, 1).
 *
 * Since: 1.1
 */
void
gst_mgpu_moving_meta_get_matrix (GstMgpuMovingMeta * meta, gdouble matrix[6])
{
  for (guint i = 0; i < 6; i++)
    matrix[i] = meta->tables->matrix[i / 3][i % 3];
}
