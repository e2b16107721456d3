/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "pass.h"

#include <string.h>

#include <gst/vision/base/map.h>

void
mgpu_bilateral_append_int (GArray * words, gint32 value)
{
  g_array_append_val (words, value);
}

void
mgpu_bilateral_append_float (GArray * words, gfloat value)
{
  gint32 bits;

  memcpy (&bits, &value, sizeof (bits));
  g_array_append_val (words, bits);
}

gboolean
mgpu_bilateral_fill_slot (gpointer object, guint slot, GstMgpuJob * job,
    GArray * words)
{
  GstMemory **memory = &((MgpuObject *) object)->slots[slot];

  g_clear_pointer (memory, gst_memory_unref);
  *memory = mgpu_upload (job, words->data, words->len * sizeof (gint32));
  g_array_unref (words);
  return *memory != NULL;
}

/* Fills pixel with the layout of n components of image, beginning with number component.
 * Sets *base to the offset of their plane and *stride to its bytes from row to row. */
static void
pixel_init (MgpuBilateralPixel * pixel, const MgpuImage * image,
    guint component, gint n, gint * base, gint * stride)
{
  guint plane = GST_VIDEO_INFO_COMP_PLANE (&image->info, component);

  *base = GST_VIDEO_INFO_PLANE_OFFSET (&image->info, plane);
  for (gint i = 0; i < n; i++) {
    MgpuComponent c;

    mgpu_image_get_component (image, component + i, &c);
    pixel->position[i] = c.offset - *base;
    pixel->pixel_stride = c.pixel_stride;
    pixel->shift = c.shift;
    *stride = c.stride;
  }
}

void
mgpu_bilateral_pass_init (MgpuBilateralPass * pass, const MgpuWork * work,
    guint component, gint n_components)
{
  const MgpuImage *in = work->in, *guide = work->guide, *out = work->out;
  MgpuComponent c;

  *pass = (MgpuBilateralPass) {
    .in = in->memory,
    .out = out->memory,
    .shift = in->info.finfo->w_sub[component]
  };
  pixel_init (&pass->pixel, out, component, n_components, &pass->out_base,
      &pass->out_stride);
  pixel_init (&pass->pixel, in, component, n_components, &pass->in_base,
      &pass->in_stride);

  mgpu_image_get_component (in, component, &c);
  pass->width = c.width;
  pass->height = c.height;
  /* The first pass also copies bytes between the samples that it filters: alpha, padding,
   * or the chroma of YUY2, whose rows have chroma for an even number of pixels. */
  if (component == 0 && c.pixel_stride > n_components * c.bytes)
    pass->copied = n_components == 1 ? GST_ROUND_UP_2 (c.width) : c.width;

  if (guide != NULL) {
    pass->guide.x_shift = in->info.finfo->w_sub[component];
    pass->guide.y_shift = in->info.finfo->h_sub[component];
    component = 0;
    n_components = GST_VIDEO_INFO_IS_RGB (&guide->info) ? 3 : 1;
  } else {
    guide = in;
  }
  pass->guide.memory = guide->memory;
  pixel_init (&pass->guide.pixel, guide, component, n_components,
      &pass->guide.base, &pass->guide.stride);
}
