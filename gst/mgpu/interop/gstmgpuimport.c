/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes GstMgpuMemory objects of dma-bufs, of CUDA memory and of mapped memory of other
 * elements. Checks, for the first imports of each OpenCL context, that kernels and the host
 * see the same bytes. */
#include <gst/mgpu/gstmgpubufferpool.h>
#include <gst/mgpu/gstmgpucontext-private.h>
#include <gst/mgpu/gstmgpuerror.h>
#include <gst/mgpu/gstmgpujob.h>
#include <gst/mgpu/gstmgpulog-private.h>
#include <gst/mgpu/gstmgpumemory-private.h>
#include <gst/mgpu/gstmgpuqueue.h>

#include <gst/allocators/gstfdmemory.h>

#include <string.h>

#define GST_CAT_DEFAULT gst_mgpu_import_debug

/* Maximum number of pieces of a frame that are compared, and maximum size of each piece
 * in bytes. The pieces are spread over the frame. */
#define SAMPLE_ROWS 8
#define SAMPLE_BYTES 64

/* Describes the pieces of an import that are compared. */
typedef struct
{
  gsize width, n;               /* size of a piece in bytes, and number of pieces */
  gsize step;                   /* distance in bytes from piece to piece */
} Pieces;

typedef enum
{
  PROOF_EQUAL,
  PROOF_UNEQUAL,
  PROOF_NOTHING                 /* nothing is proven: all compared bytes have the same value, as in
                                 * memory that was never written; the results may be equal by
                                 * chance */
} Proof;

/* Chooses pieces of @imported that do not overlap. */
static Pieces
choose_pieces (GstMemory * imported)
{
  GstMemory *original = ((GstMgpuMemory *) imported)->priv->original;
  gsize size = gst_memory_get_sizes (imported, NULL, NULL);
  gsize stride, width, height;
  Pieces pieces =
      { CLAMP (size / SAMPLE_ROWS, 1, SAMPLE_BYTES), SAMPLE_ROWS, 0 };

  if (gst_mgpu_cuda_get_rows (original, &stride, &width, &height)) {
    pieces.width = MIN (width, SAMPLE_BYTES);
    pieces.n = MIN (height, SAMPLE_ROWS);
    pieces.step = height / pieces.n * stride;
  } else {
    pieces.step = (size - pieces.width) / (SAMPLE_ROWS - 1);
  }
  return pieces;
}

static Proof
compare (const guint8 * device, const guint8 * host, const Pieces * pieces)
{
  gboolean varies = FALSE;

  for (guint y = 0; y < pieces->n; y++) {
    const guint8 *row = host + y * pieces->step;

    if (memcmp (device + y * SAMPLE_BYTES, row, pieces->width) != 0)
      return PROOF_UNEQUAL;
    for (gsize x = 0; x < pieces->width; x++)
      varies |= row[x] != host[0];
  }
  return varies ? PROOF_EQUAL : PROOF_NOTHING;
}

/* Fills @sample with bytes that differ from each other. */
static gboolean
fill (GstMemory * sample)
{
  GstMapInfo map;

  if (!gst_memory_map (sample, &map, GST_MAP_WRITE))
    return FALSE;
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = i * 37 + i / SAMPLE_BYTES;
  gst_memory_unmap (sample, &map);
  return TRUE;
}

/* Checks the import @imported. A kernel reads pieces of it, or writes them if @writes is
 * TRUE. The host then reads the same pieces, and both results are compared. Sets *@proof to
 * what the comparison proves. */
static gboolean
try_import (GstMgpuQueue * queue, GstMemory * imported, gboolean writes,
    Proof * proof, GError ** error)
{
  const Pieces pieces = choose_pieces (imported);
  GstMemory *sample = gst_mgpu_memory_new (queue, SAMPLE_ROWS * SAMPLE_BYTES,
      NULL, error);
  GstMapInfo device, host;
  GstMgpuJob job;
  gboolean ok;

  if (sample == NULL)
    return FALSE;
  ok = !writes || fill (sample);
  gst_mgpu_job_begin (&job, queue, NULL);
  if (writes)
    gst_mgpu_job_copy_rect (&job, (GstMgpuMemory *) sample, 0, SAMPLE_BYTES,
        (GstMgpuMemory *) imported, imported->offset, pieces.step, pieces.width,
        pieces.n);
  else
    gst_mgpu_job_copy_rect (&job, (GstMgpuMemory *) imported, imported->offset,
        pieces.step, (GstMgpuMemory *) sample, 0, SAMPLE_BYTES, pieces.width,
        pieces.n);
  ok &= gst_mgpu_job_end (&job, error);
  if (ok && (ok = gst_memory_map (sample, &device, GST_MAP_READ))) {
    if ((ok = gst_memory_map (imported, &host, GST_MAP_READ))) {
      *proof = compare (device.data, host.data, &pieces);
      gst_memory_unmap (imported, &host);
    }
    gst_memory_unmap (sample, &device);
  }
  gst_memory_unref (sample);
  if (!ok && error != NULL && *error == NULL)
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "the host cannot map the bytes of an import");
  return ok;
}

/* Checks that kernels and the host see the same bytes in @imported. Kernels read this import,
 * or write it if @writes is TRUE. Compares bytes only if @shown, the result for earlier
 * imports in the OpenCL context, proves nothing yet. Returns: TRUE if the bytes are known to
 * be the same */
static gboolean
check_proof_locked (GstMgpuProof * shown, GstMgpuQueue * queue,
    GstMemory * imported, gboolean writes, GError ** error)
{
  Proof proof = PROOF_NOTHING;

  if (shown->is_proven)
    return TRUE;
  if (!try_import (queue, imported, writes, &proof, error))
    return FALSE;
  GST_DEBUG ("compared bytes that kernels %s in memory %p with those that the "
      "host reads: %s", writes ? "write" : "read", imported,
      proof == PROOF_EQUAL ? "they are equal" : proof == PROOF_UNEQUAL
      ? "they differ" : "too few to tell");
  shown->is_proven = proof == PROOF_EQUAL;
  shown->is_off = proof == PROOF_UNEQUAL;
  if (proof == PROOF_UNEQUAL)
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "kernels and the host see different bytes in an import");
  else if (proof == PROOF_NOTHING)
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "cannot check that kernels read the import correctly, because all "
        "bytes of the first frames are equal");
  return shown->is_proven;
}

static gboolean
check_proof (GstMgpuImporter * importer, GstMgpuImportKind kind,
    GstMgpuQueue * queue, GstMemory * imported, gboolean writes,
    GError ** error)
{
  GstMgpuProof *shown = &importer->proofs[kind][writes], before;
  gboolean ok, is_off;

  g_rec_mutex_lock (&importer->proof_lock);
  before = *shown;
  ok = check_proof_locked (shown, queue, imported, writes, error);
  is_off = shown->is_off;
  g_rec_mutex_unlock (&importer->proof_lock);
  if (ok && !before.is_proven)
    GST_INFO ("kernels on %s %s imports correctly: later imports are not "
        "compared", importer->device_name, writes ? "write" : "read");
  if (is_off && !before.is_off)
    GST_WARNING ("kernels on %s %s bytes in an import that differ from those "
        "that the host reads: frames will be copied instead; update the "
        "driver", importer->device_name, writes ? "write" : "read");
  return ok;
}

/* Returns: TRUE if the driver probably imports @memory, so that kernels can read it, or write
 * it if @writes is TRUE. FALSE if the driver lacks such imports, or if an earlier import of
 * this kind was found to be wrong */
static gboolean
can_import (GstMgpuContext * context, GstMemory * memory, gboolean writes)
{
  GstMgpuImporter *importer = gst_mgpu_context_get_importer (context);
  GstMgpuImportKind kind = gst_mgpu_importer_get_kind (importer, memory);
  gboolean can;

  if (kind == GST_MGPU_IMPORT_NONE)
    return FALSE;
  g_rec_mutex_lock (&importer->proof_lock);
  can = !importer->proofs[kind][writes].is_off;
  g_rec_mutex_unlock (&importer->proof_lock);
  if (!can)
    GST_LOG
        ("not importing memory %p, because an earlier import of this kind was "
        "wrong", memory);
  return can;
}

/* Imports @memory into the context of @queue. Returns: (transfer full) (nullable): a device
 * memory of the bytes of @memory, which is read-only unless @writes is TRUE; NULL with the
 * error set on failure */
static GstMemory *
import_memory (GstMgpuQueue * queue, GstMemory * memory, gboolean writes,
    GError ** error)
{
  GstMgpuImporter *importer =
      gst_mgpu_context_get_importer (gst_mgpu_queue_get_context (queue));
  GstMgpuImportKind kind = gst_mgpu_importer_get_kind (importer, memory);
  GstMgpuImport *import = gst_mgpu_import_get (importer, memory, error);
  GstMemory *imported;
  GstMgpuUse acquired;

  if (import == NULL || !gst_mgpu_import_acquire (importer, import, memory,
          writes, gst_mgpu_queue_get_cl_queue (queue), &acquired, error))
    return NULL;
  imported =
      gst_mgpu_memory_new_of_import (queue, memory, import, writes, &acquired);
  if (!check_proof (importer, kind, queue, imported, writes, error))
    g_clear_pointer (&imported, gst_memory_unref);
  else
    GST_LOG ("memory %p imports memory %p of another element, to %s", imported,
        memory, writes ? "write" : "read");
  return imported;
}

/**
 * gst_mgpu_memory_can_import: (skip)
 * @context: a #GstMgpuContext
 * @memory: a memory of another allocator
 *
 * Tells whether gst_mgpu_memory_new_imported() is likely to succeed for @memory. The call may
 * fail nevertheless.
 *
 * Returns: %TRUE when @memory is a dma-buf or CUDA memory, the driver of @context imports
 *   such memory, and no earlier import of this kind was found to be wrong
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_memory_can_import (GstMgpuContext * context, GstMemory * memory)
{
  return can_import (context, memory, FALSE);
}

/**
 * gst_mgpu_memory_new_imported: (skip)
 * @queue: a queue of the device
 * @memory: a memory for which gst_mgpu_memory_can_import() returns %TRUE
 * @user_data: passed to @notify
 * @notify: (nullable): called when the device no longer uses @memory
 * @error: return location for a #GError
 *
 * Imports @memory, a dma-buf or CUDA memory, so that the device reads its bytes without a
 * copy. The new memory is read-only; a CPU map of it is a map of @memory. Waits until other
 * devices have written @memory, for a dma-buf at most 1 s. When the new memory is freed, the
 * call blocks until the device no longer uses it.
 *
 * @memory is imported only once in a context; the import is kept until @memory is freed. The
 * first imports in a context are compared with a CPU map. Fails when the driver refuses the
 * import or the comparison finds a difference; the frame has to be copied then.
 *
 * Returns: (transfer full) (nullable): a #GstMgpuMemory; on failure @notify
 *   is not called
 *
 * Since: 1.0
 */
GstMemory *
gst_mgpu_memory_new_imported (GstMgpuQueue * queue, GstMemory * memory,
    gpointer user_data, GDestroyNotify notify, GError ** error)
{
  GstMemory *imported = import_memory (queue, memory, FALSE, error);
  GstMgpuMemoryPrivate *priv;

  if (imported == NULL)
    return NULL;
  priv = ((GstMgpuMemory *) imported)->priv;
  priv->user_data = user_data;
  priv->notify = notify;
  return imported;
}

/* --- Memory that the host maps --- */

typedef struct
{
  GstBuffer *buffer;            /* buffer that is referenced while its memory is mapped, or
                                 * NULL */
  GstMapInfo map;
} Mapped;

static void
mapped_free (gpointer data)
{
  Mapped *mapped = data;
  GstMemory *memory = mapped->map.memory;

  gst_memory_unmap (memory, &mapped->map);
  gst_memory_unref (memory);
  if (mapped->buffer != NULL)
    gst_buffer_unref (mapped->buffer);
  g_free (mapped);
}

/**
 * gst_mgpu_memory_new_mapped: (skip)
 * @queue: a queue of a device with unified memory
 * @memory: a memory of another allocator
 * @flags: %GST_MAP_READ if @memory is read-only, otherwise %GST_MAP_READWRITE
 * @buffer: (nullable): a buffer to which the new memory holds a reference
 * @error: return location for a #GError
 *
 * Maps @memory, and makes a memory of the mapped bytes, on which the device works in place.
 * When the new memory is freed, the call blocks until the device no longer uses it, and
 * @memory is unmapped. Fails when the host cannot map @memory, or when the device cannot use
 * the address of the map; the frame has to be copied then.
 *
 * Returns: (transfer full) (nullable): a #GstMgpuMemory
 *
 * Since: 1.0
 */
GstMemory *
gst_mgpu_memory_new_mapped (GstMgpuQueue * queue, GstMemory * memory,
    GstMapFlags flags, GstBuffer * buffer, GError ** error)
{
  Mapped *mapped = g_new0 (Mapped, 1);
  GstMemory *result;

  if (!gst_memory_map (memory, &mapped->map, flags)) {
    g_free (mapped);
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "the host cannot map a memory of another element");
    return NULL;
  }
  /* Holds a reference to the memory until it is unmapped, because a GstMapInfo holds none. */
  gst_memory_ref (memory);
  if (buffer != NULL)
    mapped->buffer = gst_buffer_ref (buffer);
  result = gst_mgpu_memory_new_wrapped (queue, mapped->map.data,
      mapped->map.size, mapped, mapped_free, error);
  if (result == NULL)
    mapped_free (mapped);
  else if (!(flags & GST_MAP_WRITE))
    /* Marks the memory as read-only, because other elements may use the same bytes. A writer
     * then makes a copy first. */
    GST_MINI_OBJECT_FLAG_SET (result, GST_MEMORY_FLAG_READONLY);
  if (result != NULL)
    GST_TRACE ("memory %p has the mapped bytes of memory %p of another "
        "element", result, memory);
  return result;
}

/* --- Frames for other elements --- */

/* Returns: (transfer full) (nullable): a memory with which the device writes the bytes of
 * @memory, a memory of another element */
static GstMemory *
new_exported (GstMgpuQueue * queue, GstMemory * memory, GError ** error)
{
  GstMgpuContext *context = gst_mgpu_queue_get_context (queue);

  if (can_import (context, memory, TRUE))
    return import_memory (queue, memory, TRUE, error);
  if (gst_mgpu_context_get_traits (context)->dmabuf_route ==
      GST_MGPU_DMABUF_ROUTE_MAP && gst_is_fd_memory (memory))
    return gst_mgpu_memory_new_mapped (queue, memory, GST_MAP_READWRITE, NULL,
        error);
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
      "%s cannot write into this memory of another element",
      gst_mgpu_context_get_device_name (context));
  return NULL;
}

/**
 * gst_mgpu_frame_new_exported: (skip)
 * @queue: a queue of the device
 * @target: a buffer of another element
 * @error: return location for a #GError
 *
 * Makes a frame of the dma-buf or CUDA memory in @target, so that the device writes into this
 * memory. Waits until other devices no longer use the memory, for a dma-buf at most 1 s. The
 * frame holds a reference to @target. When the frame is freed, the call blocks until the
 * device no longer uses it.
 *
 * The first memories that a context exports are checked: the host has to read what a kernel
 * wrote. Fails when the driver refuses the memory or the check finds a difference; the frame
 * has to be copied to @target then.
 *
 * Returns: (transfer full) (nullable): a buffer with a #GstMgpuMemory, and with the
 *   #GstVideoMeta of @target
 *
 * Since: 1.0
 */
GstBuffer *
gst_mgpu_frame_new_exported (GstMgpuQueue * queue, GstBuffer * target,
    GError ** error)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (target);
  GstMemory *memory;
  GstBuffer *frame;

  if (gst_buffer_n_memory (target) != 1 || meta == NULL) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "a frame of another element does not consist of one memory, or has no "
        "GstVideoMeta");
    return NULL;
  }
  memory = new_exported (queue, gst_buffer_peek_memory (target, 0), error);
  if (memory == NULL)
    return NULL;
  ((GstMgpuMemory *) memory)->priv->target = gst_buffer_ref (target);
  frame = gst_buffer_new ();
  gst_buffer_append_memory (frame, memory);
  gst_buffer_add_video_meta_full (frame, meta->flags, meta->format,
      meta->width, meta->height, meta->n_planes, meta->offset, meta->stride);
  return frame;
}

/**
 * gst_mgpu_frame_take_target: (skip)
 * @frame: a frame in any memory
 * @pool: the pool of the other element
 *
 * Gets the buffer of another element in which the bytes of @frame lie. Push this buffer in
 * place of @frame, but free @frame first: this blocks until the device has written the frame.
 *
 * Returns: (transfer full) (nullable): the buffer that was passed to
 *   gst_mgpu_frame_new_exported(); %NULL when @frame was not made there, when the buffer is
 *   of another pool than @pool, or when others use @frame or its memory
 *
 * Since: 1.0
 */
GstBuffer *
gst_mgpu_frame_take_target (GstBuffer * frame, GstBufferPool * pool)
{
  GstMemory *memory = gst_buffer_n_memory (frame) == 1
      ? gst_buffer_peek_memory (frame, 0) : NULL;
  GstBuffer **target;

  if (!gst_is_mgpu_memory (memory) || !gst_buffer_is_writable (frame)
      || !gst_buffer_is_all_memory_writable (frame))
    return NULL;
  target = &((GstMgpuMemory *) memory)->priv->target;
  return *target != NULL && (*target)->pool == pool
      ? g_steal_pointer (target) : NULL;
}
