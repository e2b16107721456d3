/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the methods of the bilateral filter share. */
#pragma once

#include "bilateral.h"

G_BEGIN_DECLS

/* What PIXEL in kernels/bilateral/pixels.h takes. */
typedef struct
{
  gint pixel_stride;
  gint position[3];
  gint shift;
} MgpuBilateralPixel;

#define MGPU_BILATERAL_PIXEL "iiiii"
#define MGPU_BILATERAL_PIXEL_OF(pixel) \
    (pixel)->pixel_stride, (pixel)->position[0], (pixel)->position[1], \
    (pixel)->position[2], (pixel)->shift

/* Components that are filtered with the same weights; base is where a plane
 * begins. copied: the pixels of a row of which all bytes are taken along. */
typedef struct
{
  gboolean chroma;
  gint width, height;
  MgpuBilateralPixel pixel;
  gint in_base, in_stride, out_base, out_stride;
  gint copied;

  /* Where the weights come from: sample (x, y) takes that of
   * (x << x_shift, y << y_shift). */
  struct
  {
    GstMgpuMemory *memory;
    gint base, stride, x_shift, y_shift;
    MgpuBilateralPixel pixel;
  } guide;
} MgpuBilateralPass;

/* What GUIDE takes there. */
#define MGPU_BILATERAL_GUIDE "miiii" MGPU_BILATERAL_PIXEL
#define MGPU_BILATERAL_GUIDE_OF(job, pass) \
    gst_mgpu_job_read (job, (pass)->guide.memory), (pass)->guide.base, \
    (pass)->guide.stride, (pass)->guide.x_shift, (pass)->guide.y_shift, \
    MGPU_BILATERAL_PIXEL_OF (&(pass)->guide.pixel)

/* The methods whose cost does not grow with sigma_space: bilateral-grid.c */
typedef struct _MgpuBilateralGrid MgpuBilateralGrid;

/* guide: format of the guide, or NULL. */
MgpuBilateralGrid * mgpu_bilateral_grid_new (GstMgpuContext * context, const GstVideoInfo * info,
    const GstVideoInfo * guide, GError ** error);

/* sigma_space: in samples of the pass. */
void mgpu_bilateral_grid_enqueue (MgpuBilateralGrid * self, GstMgpuJob * job, const MgpuBilateralParams * params,
    gdouble sigma_space, const MgpuBilateralPass * pass, const MgpuImage * in, const MgpuImage * out);

void mgpu_bilateral_grid_free (MgpuBilateralGrid * self);

/* Allocates size bytes. NULL after an error, which is in job. */
GstMemory * mgpu_bilateral_allocate (GstMgpuJob * job, gsize size);

/* The same, filled with words of 4 bytes. */
GstMemory * mgpu_bilateral_upload (GstMgpuJob * job, const GArray * words);

void mgpu_bilateral_append_int (GArray * words, gint32 value);
void mgpu_bilateral_append_float (GArray * words, gfloat value);

G_END_DECLS
