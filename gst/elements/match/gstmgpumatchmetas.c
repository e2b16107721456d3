/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Attaches the pictures that mgpumatch found to frames, and takes those of earlier elements. */
#include "gstmgpumatchmetas.h"

#include <gst/frame/gstmgpulog.h>

#include <gst/elements/region.h>

void
gst_mgpu_match_attach_region (GstMgpuMatchPicture * picture, GstBuffer * buffer)
{
  picture->last.roi_id = gst_mgpu_find_region_id (buffer);
  gst_mgpu_add_region (buffer, picture->last.roi_id, picture->last.name,
      &picture->box, gst_structure_new ("detection", "confidence",
          G_TYPE_DOUBLE,
          (gdouble) picture->last.n_inliers / picture->last.n_matches,
          "inliers", G_TYPE_UINT, picture->last.n_inliers, "number",
          G_TYPE_UINT, picture->number, NULL));
}

/* Removes the region of interest of a picture from a frame. */
static void
remove_region (GstBuffer * buffer, const GstMgpuPicture * picture)
{
  GQuark type = g_quark_from_string (picture->name);
  gpointer state = NULL;
  GstMeta *meta;

  while ((meta = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL) {
    GstVideoRegionOfInterestMeta *roi = (GstVideoRegionOfInterestMeta *) meta;

    if (roi->id == picture->roi_id && roi->roi_type == type) {
      gst_buffer_remove_meta (buffer, meta);
      return;
    }
  }
}

void
gst_mgpu_match_take_others (GstElement * element, guint id, GstBuffer * buffer,
    GArray * found)
{
  GstMgpuPictureMeta *meta = gst_buffer_get_mgpu_picture_meta (buffer);
  GstMgpuPicture picture;
  guint n_own = 0;

  for (guint i = 0; meta != NULL
      && gst_mgpu_picture_meta_get_picture (meta, i, &picture); i++) {
    if (picture.finder != id) {
      g_array_append_val (found, picture);
      continue;
    }
    n_own++;
    remove_region (buffer, &picture);
  }
  if (n_own > 0 && found->len > 0)
    gst_buffer_add_mgpu_picture_meta (buffer, (GstMgpuPicture *) found->data,
        found->len);
  else if (n_own > 0)
    gst_buffer_remove_meta (buffer, (GstMeta *) meta);
  GST_MGPU_LOG_OBJECT (element,
      "the frame has %u pictures of other elements, and had " "%u of this one",
      found->len, n_own);
}
