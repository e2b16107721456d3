/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/frame/gstmgpucudabase.h>
#include <gst/frame/gstmgpufilter.h>

G_BEGIN_DECLS

/* The common part of mgpuupload and mgpudownload. The instance struct of both elements begins
 * with a GstMgpuTransfer. */
typedef struct
{
  GstMgpuFilter filter;

  GstMgpuCudaBase cuda;
  GstPadDirection shared;       /* pad whose frames may be in dma-bufs or in CUDA memory */
} GstMgpuTransfer;

/* @shared: the pad whose frames may be in dma-bufs or in CUDA memory */
void     gst_mgpu_transfer_init       (GstMgpuTransfer * self, GstPadDirection shared);

/* Sets functions of the class: the functions that share the CUDA context with neighbors, the
 * function that lets all frames pass unchanged, and, with GStreamer 1.24 and later, the functions
 * that allow frames of one pad in dma-bufs or CUDA memory. */
void     gst_mgpu_transfer_class_init (GstMgpuFilterClass * klass);

/* The default stop() of the class. A class that overrides stop() has to call it. */
gboolean gst_mgpu_transfer_stop       (GstBaseTransform * trans);

G_END_DECLS
