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
  gboolean is_off;              /* whether imports of this kind are disabled, because kernels and
                                 * the host have seen different bytes */
} GstMgpuProof;

/* The driver's functions for importing memory into an OpenCL context, and the results of checks
 * of these imports. */
typedef struct
{
  GstMgpuDmabufRoute route;
  gboolean imports_cuda;        /* whether the driver imports CUDA memory */
  GstMgpuPciAddress address;    /* PCI address of the device, if @imports_cuda is TRUE */
  cl_context context;           /* OpenCL context, owned by the GstMgpuContext */
  gboolean knows_cuda_device;   /* whether @cuda_device is set */
  gint cuda_device;             /* CUDA ordinal of the device, or -1 */
  const gchar *device_name;
  gpointer import_arm, acquire, release;        /* driver functions that import, acquire
                                                 * and release memories; each is NULL if
                                                 * the driver lacks it */

  GRecMutex proof_lock;         /* lock that guards @proofs; recursive, because messages are
                                 * logged while it is held, and the application's log function may
                                 * import memory */
  GstMgpuProof proofs[GST_MGPU_N_IMPORT_KINDS][2];      /* results of the comparison for each kind
                                                         * of memory: index FALSE for kernels that
                                                         * read imports, index TRUE for kernels
                                                         * that write imports */
} GstMgpuImporter;

/* The import of one GstMemory, a dma-buf or CUDA memory, as a buffer of one OpenCL
 * context. The GstMemory owns the import. */
typedef struct _GstMgpuImport GstMgpuImport;

/* Looks up the driver's functions for imports. If functions are missing, no memory is imported. */
G_GNUC_INTERNAL
void              gst_mgpu_importer_init     (GstMgpuImporter * self, GstMgpuDevice * device,
                                              cl_context context);
G_GNUC_INTERNAL
void              gst_mgpu_importer_clear    (GstMgpuImporter * self);

/* Returns: the kind of @memory, or GST_MGPU_IMPORT_NONE if the driver imports no memory of
 * that kind */
G_GNUC_INTERNAL
GstMgpuImportKind gst_mgpu_importer_get_kind (const GstMgpuImporter * self, GstMemory * memory);

/* Imports @memory. The first call for @memory stores the import in it; later calls return the
 * same import.
 * Returns: (transfer none) (nullable): the import; NULL if the driver refuses @memory */
G_GNUC_INTERNAL
GstMgpuImport *   gst_mgpu_import_get        (GstMgpuImporter * self, GstMemory * memory,
                                              GError ** error);

/* Returns: (transfer none): the OpenCL buffer of @import, which contains all bytes of the memory */
G_GNUC_INTERNAL
cl_mem            gst_mgpu_import_get_buffer (GstMgpuImport * import);

/* Waits for other devices that write @memory, and, if this device is about to write it (@writes
 * is TRUE), also for devices that read it. Then hands the buffer of @import over to this device,
 * until gst_mgpu_import_release(). Sets *@use to the command for which other commands have to
 * wait before they use the buffer. Its event is (transfer full), or NULL if there is no such
 * command. */
G_GNUC_INTERNAL
gboolean          gst_mgpu_import_acquire    (GstMgpuImporter * self, GstMgpuImport * import,
                                              GstMemory * memory, gboolean writes,
                                              cl_command_queue queue, GstMgpuUse * use,
                                              GError ** error);
/* Blocks until the events of @waits are complete and the device has released the buffer of
 * @import. */
G_GNUC_INTERNAL
void              gst_mgpu_import_release    (GstMgpuImporter * self, GstMgpuImport * import,
                                              cl_command_queue queue, GPtrArray * waits);

G_END_DECLS
