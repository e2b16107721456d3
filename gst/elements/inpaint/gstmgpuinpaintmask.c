/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Determines the pixels that mgpuinpaint fills, and those that it must not copy. */
#include "gstmgpuinpaintmask.h"

#include <math.h>
#include <string.h>

#include <gst/frame/gstmgpumask.h>

/* Reads the file of the property "source-mask-location" again if a property that affects it
 * was set. */
static gboolean
load_forbidden (GstMgpuInpaintMask * self, const GstMgpuRegions * regions,
    const GstMgpuInpaintParams * params, GError ** error)
{
  gsize n = (gsize) regions->width * regions->height;

  if (self->has_read && self->file_serial == params->mask.file_serial)
    return TRUE;
  g_clear_pointer (&self->forbidden, g_free);
  if (params->source_location != NULL)
    self->forbidden = gst_mgpu_mask_load (params->source_location,
        regions->width, regions->height, params->mask.scale,
        "source-mask-location", error);
  self->has_read = params->source_location == NULL || self->forbidden != NULL;
  self->file_serial = params->mask.file_serial;
  for (gsize i = 0; i < n && self->forbidden != NULL; i++)
    self->forbidden[i] = self->forbidden[i] >= GST_MGPU_MASK_THRESHOLD;
  return self->has_read;
}

gboolean
gst_mgpu_inpaint_mask_update (GstMgpuInpaintMask * self,
    const GstMgpuRegions * regions, const GstMgpuInpaintParams * params,
    gboolean * changed, GError ** error)
{
  gsize n = (gsize) regions->width * regions->height;
  gboolean is_new = self->unknown == NULL
      || self->mask_serial != regions->serial;
  guint8 differs = 0;

  *changed = self->unknown == NULL || self->serial != params->serial
      || (is_new && params->soft);
  if (!load_forbidden (self, regions, params, error))
    return FALSE;
  if (self->unknown == NULL)
    self->unknown = g_malloc0 (n);
  for (gsize i = 0; i < n && is_new; i++) {
    guint8 unknown = regions->mask[i] > 0;

    differs |= unknown ^ self->unknown[i];
    self->unknown[i] = unknown;
  }
  *changed |= differs != 0;
  self->mask_serial = regions->serial;
  self->serial = params->serial;
  return TRUE;
}

/* Returns: (transfer full): for each of @n columns (or rows) of a frame, the index of the column
 * (or row) of a mask that covers it, or -1 if there is none. The mask has @size columns (or rows);
 * its position p is at @scale * p + @offset in the frame. */
static gint *
list_samples (gint n, guint size, gdouble scale, gdouble offset)
{
  gint *list = g_new (gint, n);

  for (gint i = 0; i < n; i++) {
    gdouble sample = floor ((i + 0.5 - offset) / scale);

    list[i] = sample >= 0 && sample < size ? (gint) sample : -1;
  }
  return list;
}

void
gst_mgpu_inpaint_mask_find_moving (GstMgpuInpaintMask * self,
    const GstMgpuRegions * regions, GstBuffer * buffer,
    GstMgpuContext * context)
{
  GstMgpuMovingMeta *meta = gst_buffer_get_mgpu_moving_meta (buffer);
  gint width = regions->width, height = regions->height;
  gint *columns, *rows;
  g_autoptr (GBytes) bytes = NULL;
  guint mask_width, mask_height;
  GstMgpuMemory *light;
  const guint8 *mask;
  gdouble m[6];

  self->hidden = NULL;
  self->light.memory = NULL;
  g_clear_pointer (&self->columns, g_free);
  g_clear_pointer (&self->rows, g_free);
  if (meta != NULL) {
    bytes = gst_mgpu_moving_meta_get_mask (meta, &mask_width, &mask_height);
    gst_mgpu_moving_meta_get_matrix (meta, m);
  }
  /* Ignores masks of frames that were rotated. */
  if (bytes == NULL || m[1] != 0 || m[3] != 0 || m[0] == 0 || m[4] == 0)
    return;
  self->columns = columns = list_samples (width, mask_width, m[0], m[2]);
  self->rows = rows = list_samples (height, mask_height, m[4], m[5]);
  self->light = (MgpuBackgroundLight) {
  .columns = columns,.rows = rows};
  light = (GstMgpuMemory *) gst_mgpu_moving_meta_get_light_memory (meta,
      &self->light.offset, &self->light.stride, &self->light.number);
  if (light != NULL && light->context == context)
    self->light.memory = light;
  if (self->hidden_memory == NULL)
    self->hidden_memory = g_malloc ((gsize) width * height);
  self->hidden = self->hidden_memory;
  memcpy (self->hidden, self->unknown, (gsize) width * height);
  mask = g_bytes_get_data (bytes, NULL);
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width && rows[y] >= 0; x++)
      if (columns[x] >= 0 && mask[(gsize) rows[y] * mask_width + columns[x]])
        self->hidden[(gsize) y * width + x] = 1;
}

void
gst_mgpu_inpaint_mask_clear (GstMgpuInpaintMask * self)
{
  g_free (self->hidden_memory);
  g_free (self->columns);
  g_free (self->rows);
  g_free (self->unknown);
  g_free (self->forbidden);
  memset (self, 0, sizeof (*self));
}
