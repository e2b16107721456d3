/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Matches the descriptors of many metas with the descriptors of one meta. */
#include "keypointmatch.h"

#include <string.h>

#include <gst/vision/base/map.h>

/* Number of metas for which the search for the nearest query of each train descriptor is
 * enqueued at once, before the results are read */
#define AT_ONCE 16

void
mgpu_match_table_clear (MgpuMatchTable * self)
{
  for (guint i = 0; self->sides != NULL && i < self->sides->len; i++)
    g_clear_pointer (&g_array_index (self->sides, MgpuMatchSide, i).memory,
        gst_memory_unref);
  g_clear_pointer (&self->sides, g_array_unref);
  g_clear_pointer (&self->all.memory, gst_memory_unref);
  self->all.n = 0;
}

/* Copies the descriptors of all metas @metas to the memory of the member @all, one meta
 * after the other. Returns: FALSE with the error set on failure */
static gboolean
copy_all (MgpuMatchTable * self, GstMgpuKeypointMeta * const *metas,
    GError ** error)
{
  gsize at = 0;
  GstMapInfo map;

  if (!mgpu_map (self->all.memory, &map, GST_MAP_WRITE, error))
    return FALSE;
  for (guint i = 0; i < self->sides->len; i++) {
    GBytes *bytes = gst_mgpu_keypoint_meta_get_descriptors (metas[i]);
    gsize size = bytes != NULL ? g_bytes_get_size (bytes) : 0;

    memcpy (map.data + at, size > 0 ? g_bytes_get_data (bytes, NULL) : "",
        size);
    at += (gsize) g_array_index (self->sides, MgpuMatchSide, i).n
        * GST_MGPU_DESCRIPTOR_SIZE;
    g_clear_pointer (&bytes, g_bytes_unref);
  }
  gst_memory_unmap (self->all.memory, &map);
  return TRUE;
}

gboolean
mgpu_match_table_fill (MgpuMatchTable * self, GstMgpuQueue * queue,
    GstMgpuKeypointMeta * const *metas, guint n, GError ** error)
{
  gboolean ok = TRUE;

  mgpu_match_table_clear (self);
  self->sides = g_array_new (FALSE, TRUE, sizeof (MgpuMatchSide));
  for (guint i = 0; i < n && ok; i++) {
    MgpuMatchSide side = { 0, };

    ok = mgpu_match_side_count (&side, metas[i], error)
        && (side.n == 0 || mgpu_match_side_init (&side, metas[i], queue,
            error));
    self->all.n += side.n;
    g_array_append_val (self->sides, side);
  }
  if (ok && self->all.n > 0) {
    self->all.memory = gst_mgpu_memory_new (queue, (gsize) self->all.n
        * GST_MGPU_DESCRIPTOR_SIZE, NULL, error);
    ok = self->all.memory != NULL && copy_all (self, metas, error);
  }
  if (!ok)
    mgpu_match_table_clear (self);
  return ok;
}

/* Returns: the number of different train descriptors in the @n matches @matches. Counted train
 * descriptors are marked with @number in the array @votes; each call for the same array needs a
 * new number */
static guint
count_trains (const GstMgpuKeypointMatch * matches, guint n, guint * votes,
    guint number)
{
  guint n_trains = 0;

  for (guint i = 0; i < n; i++) {
    n_trains += votes[matches[i].train] != number;
    votes[matches[i].train] = number;
  }
  return n_trains;
}

/* Determines which metas may have @least matches. The array @nearest has the nearest of
 * @m train descriptors for each keypoint of the table @self. Returns: (transfer full): an array
 * with the MgpuMatchSide of each such meta, and NULL for each other meta */
static GPtrArray *
vote (const MgpuMatchTable * self, const MgpuNearest * nearest, guint m,
    gdouble ratio, guint least)
{
  GPtrArray *candidates = g_ptr_array_new ();
  g_autofree GstMgpuKeypointMatch *matches =
      g_new (GstMgpuKeypointMatch, self->all.n);
  g_autofree guint *votes = g_new0 (guint, m);

  for (guint i = 0; i < self->sides->len; i++) {
    MgpuMatchSide *side = &g_array_index (self->sides, MgpuMatchSide, i);
    guint n = mgpu_match_select (nearest, side->n, NULL, m, ratio, matches);

    g_ptr_array_add (candidates, n > 0
        && count_trains (matches, n, votes, i + 1) >= least ? side : NULL);
    nearest += side->n;
  }
  return candidates;
}

/* Selects the matches of one meta with @n keypoints (queries): a query and a train descriptor match
 * if each is the nearest of the other. @nearest has the nearest train descriptor for each query.
 * Waits for the search @back, which finds the nearest query for each of @m train descriptors.
 * Returns: (transfer full): the matches; NULL with the error set on failure */
static GBytes *
select_mutual (const MgpuNearest * nearest, guint n,
    const MgpuMatchSearch * back, guint m, gdouble ratio, GError ** error)
{
  GstMgpuKeypointMatch *matches;
  GstMapInfo map;

  if (!mgpu_map (back->nearest, &map, GST_MAP_READ, error))
    return NULL;
  matches = g_new (GstMgpuKeypointMatch, n);
  n = mgpu_match_select (nearest, n, (const MgpuNearest *) map.data, m, ratio,
      matches);
  gst_memory_unmap (back->nearest, &map);
  return g_bytes_new_take (matches, n * sizeof (*matches));
}

/* Adds the matches of up to AT_ONCE metas of the table @self, starting with the meta with the
 * index @begin, to the array @found. *nearest points to the search results for the keypoints of
 * the first of these metas: the nearest of @trains for each keypoint. On return, *nearest points
 * behind the results for the last of these metas. Returns: FALSE with the error set on failure */
static gboolean
match_some (GPtrArray * found, const MgpuMatchTable * self,
    GstMgpuQueue * queue, const GPtrArray * candidates, guint begin,
    const MgpuMatchSide * trains, const MgpuNearest ** nearest, gdouble ratio,
    GError ** error)
{
  MgpuMatchSearch back[AT_ONCE] = { {NULL,}, };
  guint end = MIN (begin + AT_ONCE, candidates->len);
  gboolean ok = TRUE;

  for (guint i = begin; i < end && ok; i++)
    if (candidates->pdata[i] != NULL)
      ok = mgpu_match_search (queue, trains, candidates->pdata[i],
          &back[i - begin], NULL, error);
  for (guint i = begin; i < end && ok; i++) {
    guint n = g_array_index (self->sides, MgpuMatchSide, i).n;
    GBytes *bytes = candidates->pdata[i] == NULL ? g_bytes_new (NULL, 0)
        : select_mutual (*nearest, n, &back[i - begin], trains->n, ratio,
        error);

    ok = bytes != NULL;
    if (ok)
      g_ptr_array_add (found, bytes);
    *nearest += n;
  }
  for (guint i = 0; i < AT_ONCE; i++)
    mgpu_match_search_clear (&back[i]);
  return ok;
}

/* Waits for the search @there, which finds the nearest train descriptor for each keypoint of the
 * table @self, and selects the matches of all metas. Returns: (transfer full): an array with the
 * matches of each meta; NULL with the error set on failure */
static GPtrArray *
match_all (const MgpuMatchTable * self, GstMgpuQueue * queue,
    const MgpuMatchSide * trains, const MgpuMatchSearch * there, gdouble ratio,
    guint least, GError ** error)
{
  GPtrArray *found = g_ptr_array_new_with_free_func ((GDestroyNotify)
      g_bytes_unref), *candidates;
  const MgpuNearest *nearest;
  gboolean ok = FALSE;
  GstMapInfo map;

  if (mgpu_map (there->nearest, &map, GST_MAP_READ, error)) {
    ok = mgpu_match_check_nearest (&map, self->all.n, trains->n, error);
    nearest = (const MgpuNearest *) map.data;
    candidates = ok ? vote (self, nearest, trains->n, ratio, least) : NULL;
    for (guint i = 0; ok && i < candidates->len; i += AT_ONCE)
      ok = match_some (found, self, queue, candidates, i, trains, &nearest,
          ratio, error);
    g_clear_pointer (&candidates, g_ptr_array_unref);
    gst_memory_unmap (there->nearest, &map);
  }
  if (!ok)
    g_clear_pointer (&found, g_ptr_array_unref);
  return found;
}

GPtrArray *
mgpu_match_table_match (const MgpuMatchTable * self, GstMgpuQueue * queue,
    GstMgpuKeypointMeta * trains, gdouble ratio, guint least, GError ** error)
{
  MgpuMatchSide side = { 0, };
  MgpuMatchSearch there = { NULL, };
  GPtrArray *found = NULL;

  if (!mgpu_match_side_count (&side, trains, error))
    return NULL;
  if (side.n == 0 || self->all.n == 0) {
    found = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
    for (guint i = 0; i < self->sides->len; i++)
      g_ptr_array_add (found, g_bytes_new (NULL, 0));
    return found;
  }
  if (mgpu_match_side_init (&side, trains, queue, error)
      && mgpu_match_search (queue, &self->all, &side, &there, NULL, error))
    found = match_all (self, queue, &side, &there, ratio, least, error);
  mgpu_match_search_clear (&there);
  g_clear_pointer (&side.memory, gst_memory_unref);
  return found;
}
