/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpudevice-private.h"
#include "gstmgpuuses-private.h"

G_BEGIN_DECLS

/* Holds the functions with which the driver of a context imports dma-bufs, and
 * whether such imports work. */
typedef struct
{
  GstMgpuDmabufRoute route;
  cl_context context;           /* OpenCL context, owned by the GstMgpuContext */
  const gchar *device_name;
  gpointer import_arm, acquire, release;        /* functions of the driver that import,
                                                 * acquire and release dma-bufs; NULL
                                                 * where it has none */

  GMutex proof_lock;            /* guards the members below */
  gboolean is_proven;           /* whether a kernel has read the same bytes as the host */
  gboolean is_off;              /* whether a kernel has read other bytes than the host */
} GstMgpuDmabuf;

/* Holds the import of one GstMemory as a buffer of one OpenCL context. The GstMemory owns
 * it. */
typedef struct _GstMgpuImport GstMgpuImport;

/* Finds the functions for the route of the device. A route whose functions are
 * missing becomes GST_MGPU_DMABUF_ROUTE_NONE. */
G_GNUC_INTERNAL
void            gst_mgpu_dmabuf_init    (GstMgpuDmabuf * self, GstMgpuDevice * device,
                                         cl_context context);
G_GNUC_INTERNAL
void            gst_mgpu_dmabuf_clear   (GstMgpuDmabuf * self);

/* Returns: whether @memory has a file descriptor, and the route of @self
 * imports file descriptors */
G_GNUC_INTERNAL
gboolean        gst_mgpu_dmabuf_imports (const GstMgpuDmabuf * self, GstMemory * memory);

/* Imports @memory on the first call, and keeps the result with this memory for
 * later calls. Returns: (transfer none) (nullable): the import; NULL where the
 * driver refuses memory */
G_GNUC_INTERNAL
GstMgpuImport * gst_mgpu_import_get     (GstMgpuDmabuf * self, GstMemory * memory, GError ** error);

/* Returns: (transfer none): the OpenCL buffer of an import, which has all bytes
 * of the dma-buf's file, from the first byte on */
G_GNUC_INTERNAL
cl_mem          gst_mgpu_import_get_buffer (GstMgpuImport * import);

/* Waits for other devices that write the dma-buf of @memory. Then hands @import
 * over to the device until gst_mgpu_import_release() is called. Sets *use to
 * the command that other commands have to wait for, with a reference to its
 * event; its event is NULL if there is no such command. */
G_GNUC_INTERNAL
gboolean        gst_mgpu_import_acquire (GstMgpuDmabuf * self, GstMgpuImport * import,
                                         GstMemory * memory, cl_command_queue queue,
                                         GstMgpuUse * use, GError ** error);
/* Blocks until the events of @waits are complete and the device has given
 * @import back. */
G_GNUC_INTERNAL
void            gst_mgpu_import_release (GstMgpuDmabuf * self, GstMgpuImport * import,
                                         cl_command_queue queue, GPtrArray * waits);

G_END_DECLS
