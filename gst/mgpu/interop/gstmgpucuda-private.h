/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpudevice-private.h>

G_BEGIN_DECLS

/* Returns: whether @memory is CUDA memory; FALSE in a library without support for CUDA */
G_GNUC_INTERNAL
gboolean gst_mgpu_cuda_is_memory   (GstMemory * memory);

/* Describes the first plane of the CUDA memory @memory: sets *@stride to its stride in bytes,
 * *@width to the length of its rows in bytes, and *@height to the number of rows. A map by the
 * host contains only the bytes of the rows, not the padding between them. Returns: FALSE if
 * @memory is not CUDA memory */
G_GNUC_INTERNAL
gboolean gst_mgpu_cuda_get_rows    (GstMemory * memory, gsize * stride, gsize * width,
                                    gsize * height);

/* Returns: the CUDA ordinal of the GPU with the PCI address @address; -1 if there is no CUDA
 * driver, or CUDA does not know the GPU */
G_GNUC_INTERNAL
gint     gst_mgpu_cuda_find_device (const GstMgpuPciAddress * address);

/* Exports @memory, CUDA memory on the GPU with the CUDA ordinal @device. Returns: (transfer none):
 * a file descriptor; -1 on failure */
G_GNUC_INTERNAL
gint     gst_mgpu_cuda_export      (GstMemory * memory, gint device, GError ** error);

/* Prepares @memory for kernels that read it, or, if @writes is TRUE, for kernels that write it.
 * Uploads what the host wrote there, and waits for the CUDA commands that write the memory. If
 * @writes is TRUE, the next map by the host downloads the bytes again. Does nothing and returns
 * TRUE if @memory is not CUDA memory. */
G_GNUC_INTERNAL
gboolean gst_mgpu_cuda_hand_over   (GstMemory * memory, gboolean writes, GError ** error);

G_END_DECLS
