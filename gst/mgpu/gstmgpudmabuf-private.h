/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpudevice-private.h"
#include "gstmgpuuses-private.h"

G_BEGIN_DECLS

/* Says what a comparison of bytes has shown about kernels that use dma-bufs. Both members
 * are FALSE until bytes were compared. */
typedef struct
{
  gboolean is_proven;           /* whether kernels and the host are known to see the same
                                 * bytes */
  gboolean is_off;              /* whether dma-bufs are not used any more, because kernels
                                 * and the host have seen different bytes */
} GstMgpuProof;

/* Holds the functions with which the driver of an OpenCL context imports dma-bufs, and
 * whether such imports work. */
typedef struct
{
  GstMgpuDmabufRoute route;
  cl_context context;           /* OpenCL context, owned by the GstMgpuContext */
  const gchar *device_name;
  gpointer import_arm, acquire, release;        /* driver functions that import, acquire
                                                 * and release dma-bufs; each is NULL if
                                                 * the driver lacks it */

  GMutex proof_lock;            /* lock that guards @proofs */
  GstMgpuProof proofs[2];       /* what was shown about kernels that read dma-bufs (index
                                 * FALSE) and about kernels that write them (index TRUE) */
} GstMgpuDmabuf;

/* The import of the dma-buf in one GstMemory, as a buffer of one OpenCL context. The
 * GstMemory owns the import. */
typedef struct _GstMgpuImport GstMgpuImport;

/* Looks up the driver functions for the dma-buf import route of the device. If functions
 * are missing, the route becomes GST_MGPU_DMABUF_ROUTE_NONE. */
G_GNUC_INTERNAL
void            gst_mgpu_dmabuf_init    (GstMgpuDmabuf * self, GstMgpuDevice * device,
                                         cl_context context);
G_GNUC_INTERNAL
void            gst_mgpu_dmabuf_clear   (GstMgpuDmabuf * self);

/* Returns: whether @memory has a file descriptor, and the import route of @self can
 * import file descriptors */
G_GNUC_INTERNAL
gboolean        gst_mgpu_dmabuf_imports (const GstMgpuDmabuf * self, GstMemory * memory);

/* Imports the dma-buf of @memory at the first call, and keeps the result with @memory for
 * later calls. Returns: (transfer none) (nullable): the import; NULL if the driver
 * refuses @memory */
G_GNUC_INTERNAL
GstMgpuImport * gst_mgpu_import_get     (GstMgpuDmabuf * self, GstMemory * memory, GError ** error);

/* Returns: (transfer none): the OpenCL buffer of an import, which has all bytes
 * of the dma-buf's file, from the first byte on */
G_GNUC_INTERNAL
cl_mem          gst_mgpu_import_get_buffer (GstMgpuImport * import);

/* Waits for other devices that write the dma-buf of @memory; if @writes is TRUE, because
 * the device is about to write the dma-buf, also for devices that read it. Then hands the
 * buffer of @import over to the device, until gst_mgpu_import_release() is called. Sets
 * *@use to the command that other commands have to wait for, with a reference to its
 * event; the event is NULL if there is no such command. */
G_GNUC_INTERNAL
gboolean        gst_mgpu_import_acquire (GstMgpuDmabuf * self, GstMgpuImport * import,
                                         GstMemory * memory, gboolean writes,
                                         cl_command_queue queue, GstMgpuUse * use, GError ** error);
/* Blocks until the events of @waits are complete and the device has given the buffer of
 * @import back. */
G_GNUC_INTERNAL
void            gst_mgpu_import_release (GstMgpuDmabuf * self, GstMgpuImport * import,
                                         cl_command_queue queue, GPtrArray * waits);

G_END_DECLS
