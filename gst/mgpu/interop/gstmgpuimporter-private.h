/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpucuda-private.h"
#include <gst/mgpu/gstmgpudevice-private.h>
#include <gst/mgpu/gstmgpuuses-private.h>

G_BEGIN_DECLS

/* Kinds of memory of other elements that drivers can import */
typedef enum
{
  GST_MGPU_IMPORT_DMABUF,
  GST_MGPU_IMPORT_CUDA,         /* CUDA memory, which is exported as a file descriptor */
  GST_MGPU_N_IMPORT_KINDS,
  GST_MGPU_IMPORT_NONE          /* the driver does not import the memory */
} GstMgpuImportKind;

/* The result of comparing bytes between kernels and the host, for imports of one kind. Both members
 * are FALSE until bytes were compared. */
typedef struct
{
  gboolean is_proven;           /* whether kernels and the host are known to see the same
                                 * bytes */
  gboolean is_off;              /* whether such imports are not used any more, because
                                 * kernels and the host have seen different bytes */
} GstMgpuProof;

/* Holds the functions with which the driver of an OpenCL context imports memories, and
 * whether such imports work. */
typedef struct
{
  GstMgpuDmabufRoute route;
  gboolean imports_cuda;        /* whether the driver imports CUDA memory */
  GstMgpuPciAddress address;    /* address of the device, if @imports_cuda is TRUE */
  cl_context context;           /* OpenCL context, owned by the GstMgpuContext */
  gboolean knows_cuda_device;   /* whether @cuda_device is set */
  gint cuda_device;             /* CUDA ordinal of the device, or -1 */
  const gchar *device_name;
  gpointer import_arm, acquire, release;        /* driver functions that import, acquire
                                                 * and release memories; each is NULL if
                                                 * the driver lacks it */

  GRecMutex proof_lock;         /* lock that guards @proofs; recursive, because the proof is
                                 * logged, and the application's log function may import */
  GstMgpuProof proofs[GST_MGPU_N_IMPORT_KINDS][2];      /* for each kind, the result of the
                                                         * comparison for kernels that read imports
                                                         * (index FALSE) and for kernels that write
                                                         * imports (index TRUE) */
} GstMgpuImporter;

/* The import of one GstMemory, a dma-buf or CUDA memory, as a buffer of one OpenCL
 * context. The GstMemory owns the import. */
typedef struct _GstMgpuImport GstMgpuImport;

/* Looks up the driver functions for the imports of the device. If functions are missing,
 * the device imports nothing. */
G_GNUC_INTERNAL
void              gst_mgpu_importer_init     (GstMgpuImporter * self, GstMgpuDevice * device,
                                              cl_context context);
G_GNUC_INTERNAL
void              gst_mgpu_importer_clear    (GstMgpuImporter * self);

/* Returns: the kind of @memory, or GST_MGPU_IMPORT_NONE if the driver imports no memory of
 * that kind */
G_GNUC_INTERNAL
GstMgpuImportKind gst_mgpu_importer_get_kind (const GstMgpuImporter * self, GstMemory * memory);

/* Imports @memory at the first call, and keeps the result with @memory for later calls.
 * Returns: (transfer none) (nullable): the import; NULL if the driver refuses @memory */
G_GNUC_INTERNAL
GstMgpuImport *   gst_mgpu_import_get        (GstMgpuImporter * self, GstMemory * memory,
                                              GError ** error);

/* Returns: (transfer none): the OpenCL buffer of an import, which has all bytes of the
 * memory, from the first byte on */
G_GNUC_INTERNAL
cl_mem            gst_mgpu_import_get_buffer (GstMgpuImport * import);

/* Waits for others that write @memory; if @writes is TRUE, because the device is about to write
 * @memory, also for devices that read it. Then hands the buffer of @import over to the device,
 * until gst_mgpu_import_release() is called. Sets *@use to the command that other commands have to
 * wait for, with a reference to its event; the event is NULL if there is no such command. */
G_GNUC_INTERNAL
gboolean          gst_mgpu_import_acquire    (GstMgpuImporter * self, GstMgpuImport * import,
                                              GstMemory * memory, gboolean writes,
                                              cl_command_queue queue, GstMgpuUse * use,
                                              GError ** error);
/* Blocks until the events of @waits are complete and the device has given the buffer of
 * @import back. */
G_GNUC_INTERNAL
void              gst_mgpu_import_release    (GstMgpuImporter * self, GstMgpuImport * import,
                                              cl_command_queue queue, GPtrArray * waits);

G_END_DECLS
