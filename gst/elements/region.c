/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Adds regions of interest to frames, and removes them. */
#include "region.h"

const gchar *
gst_mgpu_places_meta_get_name (void)
{
  static const gchar *const name = "mgpu-places";
  static gsize is_registered = 0;
  const gchar *tags[] = { NULL };

  if (g_once_init_enter (&is_registered)) {
    gst_meta_register_custom (name, tags, NULL, NULL, NULL);
    g_once_init_leave (&is_registered, 1);
  }
  return name;
}

gint
gst_mgpu_find_region_id (GstBuffer * buffer)
{
  gpointer state = NULL;
  GstMeta *meta;
  gint id = 0;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    gint used = ((GstVideoRegionOfInterestMeta *) meta)->id;

    /* Ignores region ids of G_MAXINT / 2 and larger, because some elements choose large
     * ids at random. */
    if (used < G_MAXINT / 2)
      id = MAX (id, used + 1);
  }
  return id;
}

GstVideoRegionOfInterestMeta *
gst_mgpu_add_region (GstBuffer * buffer, gint id, const gchar * type,
    const GstVideoRectangle * box, GstStructure * detection)
{
  GstVideoRegionOfInterestMeta *roi =
      gst_buffer_add_video_region_of_interest_meta (buffer, type, box->x,
      box->y, box->w, box->h);

  roi->id = id;
  gst_video_region_of_interest_meta_add_param (roi, detection);
  return roi;
}

void
gst_mgpu_remove_region (GstBuffer * buffer, gint id, const gchar * type)
{
  GQuark quark = g_quark_from_string (type);
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;

    if (roi->id == id && roi->roi_type == quark) {
      gst_buffer_remove_meta (buffer, meta);
      return;
    }
  }
}

guint
gst_mgpu_new_finder (void)
{
  static gint n_finders;

  return g_atomic_int_add (&n_finders, 1) + 1;
}
