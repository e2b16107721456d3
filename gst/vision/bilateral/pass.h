/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What the methods of the bilateral filter need of frames, and lists of words that
 * their kernels read. */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Holds what PIXEL in kernels/bilateral/pixels.h takes. */
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

/* Describes components that are filtered with the same weights. */
typedef struct
{
  GstMgpuMemory *in, *out;      /* not owned */
  gint in_base, in_stride, out_base, out_stride;        /* base: where their plane begins */
  MgpuBilateralPixel pixel;
  gint width, height;           /* in samples */
  gint shift;                   /* horizontal subsampling, as a shift */
  gint copied;                  /* pixels of a row of which all bytes are copied */

  /* Where the weights come from: sample (x, y) takes that of
   * (x << x_shift, y << y_shift). */
  struct
  {
    GstMgpuMemory *memory;
    gint base, stride, x_shift, y_shift;
    MgpuBilateralPixel pixel;
  } guide;
} MgpuBilateralPass;

/* What GUIDE in kernels/bilateral/pixels.h takes */
#define MGPU_BILATERAL_GUIDE "miiii" MGPU_BILATERAL_PIXEL
#define MGPU_BILATERAL_GUIDE_OF(job, pass) \
    gst_mgpu_job_read (job, (pass)->guide.memory), (pass)->guide.base, \
    (pass)->guide.stride, (pass)->guide.x_shift, (pass)->guide.y_shift, \
    MGPU_BILATERAL_PIXEL_OF (&(pass)->guide.pixel)

/* Describes n_components components of the frames of work, from component on. */
void mgpu_bilateral_pass_init (MgpuBilateralPass * pass, const MgpuWork * work, guint component, gint n_components);

/* Append a word of 4 bytes to words. */
void mgpu_bilateral_append_int (GArray * words, gint32 value);
void mgpu_bilateral_append_float (GArray * words, gfloat value);

/* Makes slot anew, with words of 4 bytes in it. words: (transfer full). FALSE: the
 * error is in job. */
gboolean mgpu_bilateral_fill_slot (gpointer self, guint slot, GstMgpuJob * job, GArray * words);

G_END_DECLS
