/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Determines the pixels that mgpuinpaint fills, and those that it must not copy. */
#include "gstmgpuinpaintmask.h"

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

void
gst_mgpu_inpaint_mask_clear (GstMgpuInpaintMask * self)
{
  g_free (self->unknown);
  g_free (self->forbidden);
  memset (self, 0, sizeof (*self));
}
