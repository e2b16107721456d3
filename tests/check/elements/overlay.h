/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes frames with keypoints and regions, and draws them with the reference of mgpuoverlay. */
#pragma once

#include "reference.h"

#include "../../reference/overlay.h"

#define GREEN 0xff00ff00
#define AMBER 0xffffc000

static const GstMgpuKeypoint usual[] = {
  {20, 15, 12, 30, 0, 0, 0}, {-3, 5.5, 20, 100, 0, 0, 0},
  {40.25f, 30.5f, 2, -1, 0, 0, 0}, {0, 0, 1, 359, 0, 0, 0},
  {50, 20, 300, 200, 0, 0, 0}
};

/* Attaches @n keypoints to a frame. */
static inline void
add_keypoints (GstBuffer * buffer, const GstMgpuKeypoint * keypoints, guint n)
{
  gsize size = n * sizeof (GstMgpuKeypoint);
  GstMgpuKeypointHeader header = { n, 0, {0, 0} };
  GstBuffer *table = gst_buffer_new_allocate (NULL, sizeof (header) + size,
      NULL);

  gst_buffer_fill (table, 0, &header, sizeof (header));
  gst_buffer_fill (table, sizeof (header), keypoints, size);
  gst_buffer_add_mgpu_keypoint_meta (buffer, table,
      GST_MGPU_DESCRIPTOR_TYPE_NONE, NULL);
}

/* Attaches a region without a class, for which no label is drawn. */
static inline void
add_region (GstBuffer * buffer, gint x, gint y, guint width, guint height)
{
  gst_buffer_add_video_region_of_interest_meta_id (buffer, 0, x, y, width,
      height);
}

typedef struct
{
  guint32 keypoint_color, region_color;
  gdouble line_width;
} Style;

static const Style defaults = { GREEN, AMBER, 1.5 };

static inline RefOverlay
ref_overlay (GstVideoFrame * frame, const Style * style,
    RefOverlayColour colours[2])
{
  const GstVideoInfo *info = &frame->info;
  guint last = MIN (GST_VIDEO_INFO_N_COMPONENTS (info), 3) - 1;
  RefOverlay result = {
    .n_planes = last + 1,.chroma_width = 1 << info->finfo->w_sub[last],
    .chroma_height = 1 << info->finfo->h_sub[last]
  };
  RefColour colour = {
    .rgb = GST_VIDEO_INFO_IS_RGB (info),.gray = GST_VIDEO_INFO_IS_GRAY (info),
    .full_range = info->colorimetry.range != GST_VIDEO_COLOR_RANGE_16_235,
    .max = (1 << GST_VIDEO_INFO_COMP_DEPTH (info, 0)) - 1,
    .kr = 0.299,.kb = 0.114
  };

  gst_video_color_matrix_get_Kr_Kb (info->colorimetry.matrix, &colour.kr,
      &colour.kb);
  for (guint i = 0; i <= last; i++)
    result.plane[i] = ref_plane (frame, i);
  ref_overlay_colour (style->keypoint_color, &colour, &colours[0]);
  ref_overlay_colour (style->region_color, &colour, &colours[1]);
  return result;
}

/* Draws the keypoints and regions of a frame on the frame, the regions without labels. */
static inline void
reference (GstBuffer * buffer, const GstVideoInfo * info, const Style * style,
    gboolean keypoints, gboolean regions)
{
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (buffer);
  GSList *list = NULL;
  gpointer state = NULL;
  RefOverlayColour colours[2];
  GstVideoFrame mapped;
  GstMgpuKeypoint k;
  RefOverlay frame;
  GstMeta *each;

  fail_unless (gst_video_frame_map (&mapped, info, buffer, GST_MAP_READWRITE));
  frame = ref_overlay (&mapped, style, colours);
  /* Draws the first keypoint last, so that it lies on top. */
  for (guint i = meta != NULL && keypoints
      ? gst_mgpu_keypoint_meta_get_n_keypoints (meta) : 0; i-- > 0;) {
    fail_unless (gst_mgpu_keypoint_meta_get_keypoint (meta, i, &k));
    ref_overlay_keypoint (&frame, &colours[0], style->line_width, k.x, k.y,
        k.size, k.angle);
  }
  while (regions && (each = gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL)
    list = g_slist_prepend (list, each);
  for (GSList * l = list; l != NULL; l = l->next) {
    GstVideoRegionOfInterestMeta *roi = l->data;

    ref_overlay_region (&frame, &colours[1], style->line_width,
        (gint32) roi->x, (gint32) roi->y, roi->w, roi->h);
  }
  g_slist_free (list);
  gst_video_frame_unmap (&mapped);
}
