/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/elements/gstmgpuconvertmeta.h>
#include <gst/frame/gstmgpucrop.h>
#include <gst/vision/convert/cut.h>

G_BEGIN_DECLS

/* The visible part of the frames of mgpuremap. All other files of mgpuremap use it as the input
 * frame. Other threads than the streaming thread call only gst_mgpu_remap_crop_move_event(). */
typedef struct
{
  GstMgpuCrop crop;
  GstVideoInfo seen;            /* format of a frame that contains only the visible part */
  MgpuCut cut;

  /* The streaming thread writes the members below under the object lock, and other threads read
   * them under this lock. */
  gboolean moves;               /* whether @shift moves, scales or hides pixels */
  GstVideoInfo info;            /* format of the last input frame */
  GstMgpuMetaTransform shift;   /* moves positions in the input frame to positions in the visible
                                 * part, or, if the visible part is not remapped, to positions in
                                 * the output frame */
} GstMgpuRemapCrop;

/* Finds the visible part of @in, the current frame. Returns: whether the size of the visible part
 * has changed */
gboolean gst_mgpu_remap_crop_read (GstMgpuRemapCrop * self, GstMgpuInput * input, GstBuffer * in);

/* Makes positions move to the output frames of @element, which have the format @out, and show the
 * visible part without remapping it. */
void gst_mgpu_remap_crop_show (GstMgpuRemapCrop * self, GstElement * element, const GstVideoInfo * out);

/* Sets @camera to the camera of the visible part, according to the GstMgpuCameraMeta of the current
 * frame @in. Returns: FALSE if the frame has no such meta */
gboolean gst_mgpu_remap_crop_get_camera (GstMgpuRemapCrop * self, GstElement * element, GstBuffer * in,
    GstMgpuCamera * camera);

/* Does what gst_mgpu_convert_meta_by_map() does, with @map and @points for positions in the visible part. */
gboolean gst_mgpu_remap_crop_move_meta (GstMgpuRemapCrop * self, GstElement * element,
    const GstMgpuConvertMap * map, const GstMgpuMetaMap * points, GstBuffer * out, GstMeta * meta, GstBuffer * in);

/* Moves the position in @event (transfer full), a NAVIGATION event, to the input frame. Returns: (transfer full): the
 * event */
GstEvent *gst_mgpu_remap_crop_move_event (GstMgpuRemapCrop * self, GstElement * element, GstEvent * event);

/* Frees the objects that belong to the device, and forgets the transform of positions. */
void gst_mgpu_remap_crop_clear (GstMgpuRemapCrop * self, GstElement * element);

G_END_DECLS
