/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Describes frames for the kernels of the bilateral filter, and makes the lists of words
 * that they read. */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Holds the arguments of a kernel that the macro PIXEL in kernels/bilateral/pixels.h
 * declares. */
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

/* Describes components of a frame that are filtered together, with the same weights. */
typedef struct
{
  GstMgpuMemory *in, *out;      /* memories of the frames; not owned */
  gint in_base, in_stride, out_base, out_stride;        /* places of their planes, in bytes */
  MgpuBilateralPixel pixel;
  gint width, height;           /* size of the component, in samples */
  gint shift;                   /* log2 of the horizontal subsampling */
  gint copied;                  /* pixels of a row whose other bytes are copied, or 0 */

  /* Guide: the image whose values decide on the weights. Sample (x, y) of the component has
   * the guide value at (x << x_shift, y << y_shift). */
  struct
  {
    GstMgpuMemory *memory;
    gint base, stride, x_shift, y_shift;
    MgpuBilateralPixel pixel;
  } guide;
} MgpuBilateralPass;

/* Types and values of the arguments of a kernel that the macro GUIDE in
 * kernels/bilateral/pixels.h declares */
#define MGPU_BILATERAL_GUIDE "miiii" MGPU_BILATERAL_PIXEL
#define MGPU_BILATERAL_GUIDE_OF(job, pass) \
    gst_mgpu_job_read (job, (pass)->guide.memory), (pass)->guide.base, \
    (pass)->guide.stride, (pass)->guide.x_shift, (pass)->guide.y_shift, \
    MGPU_BILATERAL_PIXEL_OF (&(pass)->guide.pixel)

/* Fills pass for n_components components of the frames of work, beginning with number
 * component. */
void mgpu_bilateral_pass_init (MgpuBilateralPass * pass, const MgpuWork * work, guint component, gint n_components);

/* Append value, as a word of 4 bytes, to the array words. */
void mgpu_bilateral_append_int (GArray * words, gint32 value);
void mgpu_bilateral_append_float (GArray * words, gfloat value);

/* Replaces the memory of slot by a new one with a copy of words, whose elements have 4
 * bytes. Unrefs words. FALSE: the error is in job. */
gboolean mgpu_bilateral_fill_slot (gpointer self, guint slot, GstMgpuJob * job, GArray * words);

G_END_DECLS
