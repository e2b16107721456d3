/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements gst_mgpu_keypoint_meta_match(), with which applications match descriptors. */
#include <gst/mgpu/gstmgpukeypointmeta.h>

#include <gst/methods/keypointmatch.h>
#include <gst/methods/owned.h>
#include <gst/vision/base/map.h>
#include <string.h>

#include <gst/mgpu/gstmgpuerror.h>
#include <gst/mgpu/metas/gstmgpumeta-private.h>
#include <gst/mgpu/gstmgpumemory.h>
#include <gst/mgpu/gstmgpujob.h>

G_STATIC_ASSERT (sizeof (GstMgpuKeypointMatch) == 12);
G_STATIC_ASSERT (sizeof (MgpuNearest) == 12);

static GstMgpuKeypointMatch *
match_copy (const GstMgpuKeypointMatch * match)
{
  return g_memdup2 (match, sizeof (*match));
}

G_DEFINE_BOXED_TYPE (GstMgpuKeypointMatch, gst_mgpu_keypoint_match, match_copy,
    g_free);

static void
set_unreadable (GError ** error, const gchar * what)
{
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
      "the %s cannot be read, because the device failed to compute or to "
      "transfer them: GST_DEBUG=1 shows what failed", what);
}

gboolean
mgpu_match_side_count (MgpuMatchSide * side, GstMgpuKeypointMeta * meta,
    GError ** error)
{
  if (gst_mgpu_keypoint_meta_count (meta, &side->n, &side->is_complete))
    return TRUE;
  set_unreadable (error, "keypoints");
  return FALSE;
}

/* Copies the descriptors of @meta to a new memory on the device of @queue. A copy is
 * needed when the descriptors are in memory of another context or in system memory. It is
 * also needed when descriptors have to be left out, because their keypoints are outside
 * the current frame. Returns: (transfer full): the memory; NULL with the error set on
 * failure */
static GstMemory *
copy_descriptors (GstMgpuKeypointMeta * meta, GstMgpuQueue * queue,
    GError ** error)
{
  GBytes *bytes = gst_mgpu_keypoint_meta_get_descriptors (meta);
  GstMemory *memory = NULL;
  GstMapInfo map;

  if (bytes != NULL)
    memory = gst_mgpu_memory_new (queue, g_bytes_get_size (bytes), NULL, error);
  else
    set_unreadable (error, "descriptors");
  if (memory != NULL && mgpu_map (memory, &map, GST_MAP_WRITE, error)) {
    memcpy (map.data, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
    gst_memory_unmap (memory, &map);
  } else {
    g_clear_pointer (&memory, gst_memory_unref);
  }
  g_clear_pointer (&bytes, g_bytes_unref);
  return memory;
}

gboolean
mgpu_match_side_init (MgpuMatchSide * side, GstMgpuKeypointMeta * meta,
    GstMgpuQueue * queue, GError ** error)
{
  GstMemory *memory = gst_mgpu_keypoint_meta_get_descriptor_memory (meta);

  if (side->is_complete && gst_is_mgpu_memory (memory)
      && ((GstMgpuMemory *) memory)->context ==
      gst_mgpu_queue_get_context (queue)
      && memory->size >= (gsize) side->n * GST_MGPU_DESCRIPTOR_SIZE)
    side->memory = gst_memory_ref (memory);
  else
    side->memory = copy_descriptors (meta, queue, error);
  return side->memory != NULL;
}

static gboolean
search_init (MgpuMatchSearch * search, MgpuObject * match,
    GstMgpuQueue * queue, guint n, guint m, GError ** error)
{
  search->scratch = gst_mgpu_memory_new (queue,
      mgpu_match_get_scratch_size (match, n, m), NULL, error);
  if (search->scratch != NULL)
    search->nearest = gst_mgpu_memory_new (queue,
        (gsize) n * sizeof (MgpuNearest), NULL, error);
  return search->nearest != NULL;
}

void
mgpu_match_search_clear (MgpuMatchSearch * search)
{
  g_clear_pointer (&search->scratch, gst_memory_unref);
  g_clear_pointer (&search->nearest, gst_memory_unref);
}

static void
enqueue (MgpuMatchSearch * search, MgpuObject * match, GstMgpuJob * job,
    const MgpuMatchSide * queries, const MgpuMatchSide * trains)
{
  mgpu_match_enqueue (match, job, (GstMgpuMemory *) queries->memory, queries->n,
      (GstMgpuMemory *) trains->memory, trains->n,
      (GstMgpuMemory *) search->scratch, (GstMgpuMemory *) search->nearest);
}

gboolean
mgpu_match_search (GstMgpuQueue * queue, const MgpuMatchSide * queries,
    const MgpuMatchSide * trains, MgpuMatchSearch * there,
    MgpuMatchSearch * back, GError ** error)
{
  GstMgpuContext *context = gst_mgpu_queue_get_context (queue);
  MgpuOwned *owned = mgpu_owned_lock (context, "gst-mgpu-match");
  gboolean ok;
  GstMgpuJob job;

  if (owned->object == NULL)
    owned->object =
        mgpu_object_new (&mgpu_match, context, NULL, NULL, NULL, NULL, error);
  ok = owned->object != NULL
      && search_init (there, owned->object, queue, queries->n, trains->n, error)
      && (back == NULL || search_init (back, owned->object, queue, trains->n,
          queries->n, error));
  if (ok) {
    gst_mgpu_job_begin (&job, queue, NULL);
    enqueue (there, owned->object, &job, queries, trains);
    if (back != NULL)
      enqueue (back, owned->object, &job, trains, queries);
    ok = gst_mgpu_job_end (&job, error);
  }
  g_mutex_unlock (&owned->lock);
  return ok;
}

gboolean
mgpu_match_check_nearest (const GstMapInfo * map, guint n, guint m,
    GError ** error)
{
  const MgpuNearest *nearest = (const MgpuNearest *) map->data;

  for (guint i = 0; i < n; i++)
    if (nearest[i].train >= m) {
      g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
          "%s returned %u as the index of the nearest of %u descriptors: its "
          "driver is faulty; update it, or set the property device of "
          "mgpusift to another device",
          gst_mgpu_context_get_device_name (((GstMgpuMemory *)
                  map->memory)->context), nearest[i].train, m);
      return FALSE;
    }
  return TRUE;
}

/* Waits for the search @there, which finds the nearest of @m train descriptors for each of @n
 * queries, and, if it was enqueued, for the search @back, which finds the nearest query for each
 * train descriptor. Selects the matches from their results. Returns: (transfer full): the
 * matches; NULL with the error set on failure */
static GBytes *
select_matches (guint n, guint m, const MgpuMatchSearch * there,
    const MgpuMatchSearch * back, gdouble ratio, GError ** error)
{
  GstMapInfo map = GST_MAP_INFO_INIT, back_map = GST_MAP_INFO_INIT;
  GstMgpuKeypointMatch *matches;
  GBytes *bytes = NULL;

  if (mgpu_map (there->nearest, &map, GST_MAP_READ, error)
      && mgpu_match_check_nearest (&map, n, m, error)
      && (back->nearest == NULL
          || mgpu_map (back->nearest, &back_map, GST_MAP_READ, error))) {
    matches = g_new (GstMgpuKeypointMatch, n);
    n = mgpu_match_select ((const MgpuNearest *) map.data, n,
        (const MgpuNearest *) back_map.data, m, ratio, matches);
    bytes = g_bytes_new_take (g_renew (GstMgpuKeypointMatch, matches, n),
        n * sizeof (GstMgpuKeypointMatch));
  }
  if (back_map.memory != NULL)
    gst_memory_unmap (back->nearest, &back_map);
  if (map.memory != NULL)
    gst_memory_unmap (there->nearest, &map);
  return bytes;
}

/* Checks that the descriptors of @meta and @trains can be compared, and that @ratio is
 * from 0 to 1. Returns: FALSE with the error set if not */
static gboolean
check_arguments (GstMgpuKeypointMeta * meta, GstMgpuKeypointMeta * trains,
    gdouble ratio, GError ** error)
{
  GstMgpuDescriptorType type =
      gst_mgpu_keypoint_meta_get_descriptor_type (meta);
  GstMgpuDescriptorType other =
      gst_mgpu_keypoint_meta_get_descriptor_type (trains);

  if (!(ratio >= 0 && ratio <= 1)) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "the ratio is %g, but it has to be from 0 to 1", ratio);
  } else if (type == GST_MGPU_DESCRIPTOR_TYPE_NONE
      || other == GST_MGPU_DESCRIPTOR_TYPE_NONE) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "keypoints without descriptors cannot be matched; set the property "
        "descriptor of mgpusift to sift or rootsift");
  } else if (type != other) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "descriptors of different types cannot be matched; set the property "
        "descriptor of both mgpusift elements to the same value");
  } else if (!gst_is_mgpu_memory
      (gst_mgpu_keypoint_meta_get_descriptor_memory (meta))) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "the descriptors are not in the memory of a device");
  } else {
    return TRUE;
  }
  return FALSE;
}

/**
 * gst_mgpu_keypoint_meta_match:
 * @meta: keypoints with descriptors: the queries
 * @trains: keypoints with descriptors, with which the queries are compared. They may be
 *   from another pipeline. If they are on another device, they are copied
 * @ratio: limit of the ratio test, from 0 to 1: a query has a match when the distance of the
 *   nearest descriptor, divided by the distance of the second nearest, is less than @ratio, or when
 *   there is no second descriptor. 0.75 is usual; with 1 every query has a match
 * @mutual: whether both keypoints of a match have to be nearest to each other; this
 *   doubles the work
 * @error: return location for a #GError
 *
 * Finds, for each keypoint of @meta, the keypoint of @trains with the nearest descriptor by
 * Euclidean distance. If several keypoints are equally near, the first of them is chosen. Every
 * descriptor of @meta is compared with every descriptor of @trains, on the device of @meta. The
 * result is the same on every device.
 *
 * Waits for the device. Concurrent calls for one device are serialized while they
 * enqueue their work. Fails with %GST_MGPU_ERROR_UNSUPPORTED when @ratio is out of
 * range, when @meta or @trains has no descriptors, or when their types of descriptors
 * differ, and with %GST_MGPU_ERROR_FAILED when keypoints or descriptors cannot be read.
 *
 * Returns: (transfer full): the matches, one #GstMgpuKeypointMatch after the other, 12
 *   bytes each, in ascending order of the query; empty when @meta or @trains has no
 *   keypoints
 *
 * Since: 1.0
 */
GBytes *
gst_mgpu_keypoint_meta_match (GstMgpuKeypointMeta * meta,
    GstMgpuKeypointMeta * trains, gdouble ratio, gboolean mutual,
    GError ** error)
{
  MgpuMatchSide side = { 0, }, other = { 0, };
  MgpuMatchSearch there = { 0, }, back = { 0, };
  GBytes *matches = NULL;
  GstMgpuQueue *queue;

  g_return_val_if_fail (meta != NULL, NULL);
  g_return_val_if_fail (trains != NULL, NULL);

  if (!check_arguments (meta, trains, ratio, error)
      || !mgpu_match_side_count (&side, meta, error)
      || !mgpu_match_side_count (&other, trains, error))
    return NULL;
  if (side.n == 0 || other.n == 0)
    return g_bytes_new (NULL, 0);

  queue = gst_mgpu_memory_get_queue ((GstMgpuMemory *)
      gst_mgpu_keypoint_meta_get_descriptor_memory (meta));
  if (mgpu_match_side_init (&side, meta, queue, error)
      && mgpu_match_side_init (&other, trains, queue, error)
      && mgpu_match_search (queue, &side, &other, &there, mutual ? &back : NULL,
          error))
    matches = select_matches (side.n, other.n, &there, &back, ratio, error);
  mgpu_match_search_clear (&there);
  mgpu_match_search_clear (&back);
  g_clear_pointer (&side.memory, gst_memory_unref);
  g_clear_pointer (&other.memory, gst_memory_unref);
  gst_object_unref (queue);
  return matches;
}
