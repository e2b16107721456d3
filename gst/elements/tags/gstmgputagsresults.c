/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes metas of the tags that the device found. */
#include "gstmgputagsresults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gst/elements/region.h>
#include <gst/elements/tagboard.h>
#include <gst/frame/gstmgpulog.h>
#include <gst/frame/gstmgpumask.h>
#include <gst/vision/tags/evidence.h>
#include <gst/vision/tags/pose.h>
#include <gst/vision/tags/solve.h>

#ifdef HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

/* Type of the regions of interest and of the object detections */
#define TYPE "tag"

/* Value of a margin in a TagsRecord that represents the margin 1 */
#define ONE_MARGIN 256.0

/* A tag while it is converted from a record of the device to a meta */
typedef struct
{
  const TagsRecord *record;
  const MgpuTagDictionary *family;
  MgpuTagView view;
  gdouble middle[2];
} Found;

/* ---- Tags that count ------------------------------------------------------------------ */

/* Returns: whether the position @p is inside the quadrilateral with the corners @c, which may be in
 * clockwise or counterclockwise order */
static gboolean
is_inside (const gdouble c[8], const gdouble p[2])
{
  guint n_left = 0;

  for (guint i = 0; i < 4; i++) {
    const gdouble *a = c + 2 * i, *b = c + 2 * ((i + 1) % 4);

    n_left += (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0;
  }
  return n_left == 0 || n_left == 4;
}

static gboolean
has_place (const GstMgpuTagsPlaces * places, const gdouble middle[2])
{
  gint x = floor (CLAMP (middle[0], 0, places->width - 1));
  gint y = floor (CLAMP (middle[1], 0, places->height - 1));
  gboolean ok = places->regions == NULL;

  for (guint i = 0; !ok && i < places->regions->len; i++) {
    const GstVideoRectangle *r = &g_array_index (places->regions,
        GstVideoRectangle, i);

    ok = x >= r->x && x < r->x + r->w && y >= r->y && y < r->y + r->h;
  }
  if (ok && places->mask != NULL) {
    const guint8 *grey = g_bytes_get_data (places->mask, NULL);

    ok = grey[(gsize) y * places->width + x] >= GST_MGPU_MASK_THRESHOLD;
  }
  return ok;
}

/* Returns: the evidence of @tag in bits, if each square is compared with the codes of @n_families
 * families */
static gdouble
get_evidence (const Found * tag, guint n_families)
{
  const TagsRecord *record = tag->record;
  gdouble evidence = mgpu_tag_evidence (tag->family, n_families,
      record->hamming, record->ring_errors);

  return MAX (evidence - mgpu_tag_evidence_loss (tag->family, record->id), 0);
}

/* Returns: whether the evidence of a tag from the device is sufficient. The device tests only
 * whether families as a whole have enough evidence, assuming that their codes are random */
static gboolean
has_evidence (const Found * tag, guint n_families, gdouble least)
{
  const TagsRecord *record = tag->record;

  return mgpu_tag_evidence_loss (tag->family, record->id) <= 0
      || (record->hamming == 0 && record->ring_errors <= 1)
      || get_evidence (tag, n_families) >= least;
}

/* Orders tags at the same position. The tag with the fewest wrong bits comes first; among equals,
 * the one with the largest margin. */
static gint
compare (gconstpointer a, gconstpointer b)
{
  const TagsRecord *x = ((const Found *) a)->record;
  const TagsRecord *y = ((const Found *) b)->record;

  if (x->hamming != y->hamming)
    return x->hamming < y->hamming ? -1 : 1;
  if (x->margin != y->margin)
    return x->margin > y->margin ? -1 : 1;
  if (x->map != y->map)
    return x->map < y->map ? -1 : 1;
  return x->root < y->root ? -1 : x->root > y->root;
}

/* Returns: whether there is already a better tag (by this order) at the position of @tag */
static gboolean
is_known (const GArray * all, const Found * tag)
{
  for (guint i = 0; i < all->len; i++) {
    const Found *other = &g_array_index (all, Found, i);

    if (other->record->family == tag->record->family
        && other->record->id == tag->record->id
        && (is_inside (other->view.corners, tag->middle)
            || is_inside (tag->view.corners, other->middle)))
      return TRUE;
  }
  return FALSE;
}

static gint
compare_records (gconstpointer a, gconstpointer b)
{
  const Found *x = a, *y = b;

  if (x->record->family != y->record->family)
    return x->record->family < y->record->family ? -1 : 1;
  if (x->record->id != y->record->id)
    return x->record->id < y->record->id ? -1 : 1;
  return compare (a, b);
}

/* Returns: (transfer full): an array of Found with the tags that count, ordered by family and
 * id */
static GArray *
find_tags (const GstMgpuTagsScene * scene, const TagsHeader * header,
    const TagsRecord * records, const GstMgpuTagsPlaces * places)
{
  GArray *all = g_array_new (FALSE, TRUE, sizeof (Found));
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (Found));
  gint n = CLAMP (header->n_tags, 0, TAGS_MAX_TAGS);

  for (gint i = 0; i < n; i++) {
    const TagsRecord *record = &records[i];
    Found tag = { record };

    if (record->family < 0 || record->family >= (gint) scene->families->len)
      continue;
    tag.family = scene->families->pdata[record->family];
    if (!has_evidence (&tag, scene->families->len, places->min_evidence))
      continue;
    mgpu_tags_solve (record, tag.view.corners, tag.view.information);
    for (guint k = 0; k < 8; k++)
      tag.middle[k % 2] += tag.view.corners[k] / 4;
    if (has_place (places, tag.middle))
      g_array_append_val (all, tag);
  }
  if (all->len > 1)
    qsort (all->data, all->len, sizeof (Found), compare_records);
  for (guint i = 0; i < all->len; i++)
    if (!is_known (kept, &g_array_index (all, Found, i)))
      g_array_append_vals (kept, &g_array_index (all, Found, i), 1);
  g_array_unref (all);
  return kept;
}

/* ---- Poses ------------------------------------------------------------------------------ */

static void
find_poses (const MgpuLensModel * model, Found * found, GstMgpuTag * tag)
{
  if (model == NULL || tag->size <= 0)
    return;
  mgpu_tag_view_set_square (found->view.points, tag->size);
  tag->n_poses = mgpu_tag_pose_find (model, &found->view, tag->poses,
      tag->covariance);
}

/* Computes the pose of the board from the tags in @found that belong to the board. */
static void
find_board (GstMgpuTagsResults * results, const GstMgpuTagsScene * scene,
    const MgpuLensModel * model, const GArray * found)
{
  GArray *views = g_array_new (FALSE, FALSE, sizeof (MgpuTagView));

  for (guint i = 0; i < found->len; i++) {
    const Found *tag = &g_array_index (found, Found, i);
    const MgpuBoardTag *place = mgpu_board_find (scene->board,
        tag->family->name, tag->record->id);
    MgpuTagView view = tag->view;

    if (place == NULL)
      continue;
    memcpy (view.points, place->points, sizeof (view.points));
    g_array_append_val (views, view);
  }
  results->has_board = mgpu_tag_pose_find_board (model,
      (const MgpuTagView *) views->data, views->len, &results->board);
  g_array_unref (views);
}

void
gst_mgpu_tags_results_read (GstMgpuTagsResults * results,
    const GstMgpuTagsScene * scene, const MgpuLensModel * model,
    const TagsHeader * header, const TagsRecord * records,
    const GstMgpuTagsPlaces * places)
{
  GArray *found = find_tags (scene, header, records, places);

  g_array_set_size (results->tags, 0);
  results->has_board = FALSE;
  if (model != NULL && scene->board != NULL)
    find_board (results, scene, model, found);
  for (guint i = 0; i < found->len; i++) {
    Found *from = &g_array_index (found, Found, i);
    GstMgpuTag tag = {.id = from->record->id,.hamming = from->record->hamming,
      .ring_errors = from->record->ring_errors,.roi_id = -1,.finder =
          results->finder
    };

    tag.family = g_intern_string (from->family->name);
    tag.margin = from->record->margin / ONE_MARGIN;
    tag.evidence = get_evidence (from, scene->families->len);
    tag.size = gst_mgpu_tags_scene_get_size (scene, from->family, tag.id);
    memcpy (tag.corners, from->view.corners, sizeof (tag.corners));
    find_poses (model, from, &tag);
    g_array_append_val (results->tags, tag);
  }
  g_array_unref (found);
}

/* ---- Metas ---------------------------------------------------------------------------------- */

/* Sets @box to the bounding box of the corners of @tag, extended to whole pixels and clipped to the
 * frame. Returns: FALSE if the box is empty */
static gboolean
find_box (const GstMgpuTag * tag, gint width, gint height,
    GstVideoRectangle * box)
{
  const gdouble *c = tag->corners;
  gdouble low[2] = { c[0], c[1] }, high[2] = { c[0], c[1] };

  for (guint i = 2; i < 8; i++) {
    low[i % 2] = MIN (low[i % 2], c[i]);
    high[i % 2] = MAX (high[i % 2], c[i]);
  }
  box->x = floor (CLAMP (low[0], 0, width));
  box->y = floor (CLAMP (low[1], 0, height));
  box->w = (gint) ceil (CLAMP (high[0], 0, width)) - box->x;
  box->h = (gint) ceil (CLAMP (high[1], 0, height)) - box->y;
  return box->w > 0 && box->h > 0;
}

static gdouble
get_confidence (const GstMgpuTag * tag)
{
  return CLAMP (tag->margin, 0, 1);
}

static void
attach_region (GstBuffer * buffer, GstMgpuTag * tag, gint id,
    const GstVideoRectangle * box)
{
  g_autofree gchar *label = g_strdup_printf ("%s:%u", tag->family, tag->id);
  GstVideoRegionOfInterestMeta *roi;

  tag->roi_id = id;
  roi = gst_mgpu_add_region (buffer, id, TYPE, box,
      gst_structure_new ("detection", "label", G_TYPE_STRING, label,
          "confidence", G_TYPE_DOUBLE, get_confidence (tag), NULL));
  gst_video_region_of_interest_meta_add_param (roi, gst_structure_new (TYPE,
          "family", G_TYPE_STRING, tag->family, "id", G_TYPE_UINT, tag->id,
          "hamming", G_TYPE_UINT, tag->hamming, "margin", G_TYPE_DOUBLE,
          tag->margin, "evidence", G_TYPE_DOUBLE, tag->evidence, NULL));
}

#ifdef HAVE_ANALYTICS
static void
attach_analytics (GstElement * element, GstBuffer * buffer,
    const GstMgpuTag * tag, const GstVideoRectangle * box)
{
  GstAnalyticsRelationMeta *meta =
      gst_buffer_get_analytics_relation_meta (buffer);
  GstAnalyticsODMtd mtd;

  if (meta == NULL)
    meta = gst_buffer_add_analytics_relation_meta (buffer);
  if (!gst_analytics_relation_meta_add_od_mtd (meta, g_quark_from_string (TYPE),
          box->x, box->y, box->w, box->h, get_confidence (tag), &mtd))
    GST_MGPU_WARNING_OBJECT (element, "cannot add the tag %s:%u, because the "
        "GstAnalyticsRelationMeta is full", tag->family, tag->id);
}
#endif

/* Appends to @others the tags of @buffer that other elements found, and removes the regions of
 * interest of tags that this element found. Returns: whether the meta of @buffer has such tags of
 * this element */
static gboolean
take_others (const GstMgpuTagsResults * results, GstBuffer * buffer,
    GArray * others)
{
  GstMgpuTagMeta *meta = gst_buffer_get_mgpu_tag_meta (buffer);
  gboolean has_own = FALSE;
  GstMgpuTag tag;

  for (guint i = 0; meta != NULL
      && gst_mgpu_tag_meta_get_tag (meta, i, &tag); i++) {
    if (tag.finder != results->finder) {
      g_array_append_val (others, tag);
      continue;
    }
    has_own = TRUE;
    gst_mgpu_remove_region (buffer, tag.roi_id, TYPE);
  }
  return has_own;
}

/* Attaches a GstMgpuTagMeta with the tags @all, if there are any. @has_others: whether other
 * elements found some of these tags. The pose of the board that another element found is kept if
 * this element has found no board */
static void
attach_meta (const GstMgpuTagsResults * results, GstBuffer * buffer,
    const GArray * all, gboolean has_others)
{
  GstMgpuTagMeta *old = gst_buffer_get_mgpu_tag_meta (buffer);
  GstMgpuTagPose board = results->board;
  gboolean has_board = results->has_board;

  if (!has_board && has_others)
    has_board = gst_mgpu_copy_board (old, &board);
  if (all->len > 0)
    gst_buffer_add_mgpu_tag_meta (buffer, (const GstMgpuTag *) all->data,
        all->len, has_board ? &board : NULL);
  else if (old != NULL)
    gst_buffer_remove_meta (buffer, (GstMeta *) old);
}

void
gst_mgpu_tags_results_attach (GstMgpuTagsResults * results,
    GstElement * element, GstBuffer * buffer, gint width, gint height)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (GstMgpuTag));
  gboolean has_own = take_others (results, buffer, all);
  guint n_others = all->len;
  gint id = gst_mgpu_find_region_id (buffer);

  for (guint i = 0; i < results->tags->len; i++) {
    GstMgpuTag *tag = &g_array_index (results->tags, GstMgpuTag, i);
    GstVideoRectangle box;

    if (!find_box (tag, width, height, &box))
      continue;
    attach_region (buffer, tag, id++, &box);
#ifdef HAVE_ANALYTICS
    attach_analytics (element, buffer, tag, &box);
#endif
  }
  if (results->tags->len == 0 && !has_own)
    return;
  g_array_append_vals (all, results->tags->data, results->tags->len);
  attach_meta (results, buffer, all, n_others > 0);
  GST_MGPU_LOG_OBJECT (element, "the frame has %u tags found by other "
      "elements, and %u found by this element", n_others, results->tags->len);
}
