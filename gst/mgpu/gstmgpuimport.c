/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes memories of dma-bufs. Checks the first ones of each context: a kernel has to read
 * the same bytes as the host. */
#include "gstmgpucontext-private.h"
#include "gstmgpuerror.h"
#include "gstmgpujob.h"
#include "gstmgpumemory-private.h"
#include "gstmgpuqueue.h"

#include <string.h>

GST_DEBUG_CATEGORY_EXTERN (gst_mgpu_memory_debug);
#define GST_CAT_DEFAULT gst_mgpu_memory_debug

/* Number and size in bytes of the pieces, spread over the dma-buf, that are compared */
#define SAMPLE_ROWS 8
#define SAMPLE_BYTES 64

typedef enum
{
  PROOF_EQUAL,
  PROOF_UNEQUAL,
  PROOF_NOTHING                 /* all bytes are the same, as in memory that nobody wrote */
} Proof;

static Proof
compare (const guint8 * device, const guint8 * host, gsize width, gsize step)
{
  gboolean varies = FALSE;

  for (guint y = 0; y < SAMPLE_ROWS; y++) {
    const guint8 *row = host + y * step;

    if (memcmp (device + y * SAMPLE_BYTES, row, width) != 0)
      return PROOF_UNEQUAL;
    for (gsize x = 0; x < width; x++)
      varies |= row[x] != host[0];
  }
  return varies ? PROOF_EQUAL : PROOF_NOTHING;
}

/* Reads SAMPLE_ROWS pieces of @imported, by a kernel and on the host, compares
 * them, and sets *proof to what the comparison proves. */
static gboolean
try_import (GstMgpuQueue * queue, GstMemory * imported, Proof * proof,
    GError ** error)
{
  gsize offset, size = gst_memory_get_sizes (imported, &offset, NULL);
  gsize width = MIN (size, SAMPLE_BYTES);
  gsize step = (size - width) / (SAMPLE_ROWS - 1);
  GstMemory *sample = gst_mgpu_memory_new (queue, SAMPLE_ROWS * SAMPLE_BYTES,
      NULL, error);
  GstMapInfo device, host;
  GstMgpuJob job;
  gboolean ok;

  if (sample == NULL)
    return FALSE;
  gst_mgpu_job_begin (&job, queue, NULL);
  gst_mgpu_job_copy_rect (&job, (GstMgpuMemory *) imported, offset, step,
      (GstMgpuMemory *) sample, 0, SAMPLE_BYTES, width, SAMPLE_ROWS);
  ok = gst_mgpu_job_end (&job, error);
  if (ok && (ok = gst_memory_map (sample, &device, GST_MAP_READ))) {
    if ((ok = gst_memory_map (imported, &host, GST_MAP_READ))) {
      *proof = compare (device.data, host.data, width, step);
      gst_memory_unmap (imported, &host);
    }
    gst_memory_unmap (sample, &device);
  }
  gst_memory_unref (sample);
  if (!ok && error != NULL && *error == NULL)
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "the host cannot read the bytes of an import");
  return ok;
}

/* Returns: whether kernels read the same bytes from @imported as the host;
 * compares bytes until this is proven for the context */
static gboolean
check_proof_locked (GstMgpuDmabuf * dmabuf, GstMgpuQueue * queue,
    GstMemory * imported, GError ** error)
{
  Proof proof = PROOF_NOTHING;

  if (dmabuf->is_proven)
    return TRUE;
  if (!try_import (queue, imported, &proof, error))
    return FALSE;
  dmabuf->is_proven = proof == PROOF_EQUAL;
  dmabuf->is_off = proof == PROOF_UNEQUAL;
  if (proof == PROOF_UNEQUAL) {
    GST_WARNING ("kernels on %s read other bytes from a dma-buf than the host: "
        "copying frames instead; update the driver", dmabuf->device_name);
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "kernels read other bytes from a dma-buf than the host");
  } else if (proof == PROOF_NOTHING) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "the first frames are of one value, which does not show whether "
        "kernels read them right");
  }
  return dmabuf->is_proven;
}

static gboolean
check_proof (GstMgpuDmabuf * dmabuf, GstMgpuQueue * queue,
    GstMemory * imported, GError ** error)
{
  gboolean ok;

  g_mutex_lock (&dmabuf->proof_lock);
  ok = check_proof_locked (dmabuf, queue, imported, error);
  g_mutex_unlock (&dmabuf->proof_lock);
  return ok;
}

static gboolean
is_off (GstMgpuDmabuf * dmabuf)
{
  gboolean off;

  g_mutex_lock (&dmabuf->proof_lock);
  off = dmabuf->is_off;
  g_mutex_unlock (&dmabuf->proof_lock);
  return off;
}

/**
 * gst_mgpu_memory_can_import: (skip)
 * @context: a #GstMgpuContext
 * @memory: a memory of another allocator
 *
 * Tells whether gst_mgpu_memory_new_imported() is worth a call for @memory. That call may
 * still fail.
 *
 * Returns: %TRUE when @memory has a file descriptor, and the driver of @context imports
 *   dma-bufs as far as is known
 *
 * Since: 0.1
 */
gboolean
gst_mgpu_memory_can_import (GstMgpuContext * context, GstMemory * memory)
{
  GstMgpuDmabuf *dmabuf = gst_mgpu_context_get_dmabuf (context);

  return gst_mgpu_dmabuf_imports (dmabuf, memory) && !is_off (dmabuf);
}

/**
 * gst_mgpu_memory_new_imported: (skip)
 * @queue: a queue of the device
 * @memory: a memory for which gst_mgpu_memory_can_import() returns %TRUE
 * @user_data: passed to @notify
 * @notify: (nullable): called when the device no longer uses @memory
 * @error: return location for a #GError
 *
 * Makes a memory of the dma-buf in @memory, which the device reads without a copy. The
 * new memory is read-only; a CPU map of it is a map of @memory. Waits up to 1 s for
 * another device that still writes the dma-buf. When the new memory is freed, blocks
 * until the device no longer uses it.
 *
 * A dma-buf is imported once in a context, and the import lasts as long as @memory. The
 * first imports in a context are compared with a CPU map. Fails when the driver refuses
 * the import or the comparison: then the frame has to be copied.
 *
 * Returns: (transfer full) (nullable): a #GstMgpuMemory; on failure @notify
 *   is not called
 *
 * Since: 0.1
 */
GstMemory *
gst_mgpu_memory_new_imported (GstMgpuQueue * queue, GstMemory * memory,
    gpointer user_data, GDestroyNotify notify, GError ** error)
{
  GstMgpuDmabuf *dmabuf =
      gst_mgpu_context_get_dmabuf (gst_mgpu_queue_get_context (queue));
  GstMgpuImport *import = gst_mgpu_import_get (dmabuf, memory, error);
  GstMgpuMemoryPrivate *priv;
  GstMemory *imported;
  GstMgpuUse acquired;

  if (import == NULL || !gst_mgpu_import_acquire (dmabuf, import, memory,
          gst_mgpu_queue_get_cl_queue (queue), &acquired, error))
    return NULL;
  imported = gst_mgpu_memory_new_of_import (queue, memory, import, &acquired);
  if (!check_proof (dmabuf, queue, imported, error)) {
    gst_memory_unref (imported);
    return NULL;
  }
  priv = ((GstMgpuMemory *) imported)->priv;
  priv->user_data = user_data;
  priv->notify = notify;
  return imported;
}
