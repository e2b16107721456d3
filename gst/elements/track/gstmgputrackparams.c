/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Describes the properties of mgputrack. */
#include "gstmgputrackparams.h"

#define MEMBER(name) G_STRUCT_OFFSET (GstMgpuTrackParams, name)

static const MgpuEnumValue anchor_values[] = {
  {GST_MGPU_TRACK_ANCHOR_BOTTOM, "Center of the lower edge of the box, where "
        "the feet of a standing person are",
      "bottom"},
  {GST_MGPU_TRACK_ANCHOR_MIDDLE, "Middle of the box", "middle"},
  {0, NULL, NULL}
};

static const MgpuEnum anchor_type = { "GstMgpuTrackAnchor", anchor_values };

const MgpuParam gst_mgpu_track_params[] = {
  {"enabled", MGPU_PARAM_BOOLEAN, MEMBER (enabled), 0, 0, TRUE, NULL,
      GST_MGPU_ENABLED_TEXT},
  {"types", MGPU_PARAM_STRING, MEMBER (types), 0, 0, 0, NULL,
      "Types of the regions that are tracked, separated by commas (unset = "
        "all)"},
  {"high-threshold", MGPU_PARAM_DOUBLE, MEMBER (tracker.high), -1000, 1000,
        0.4, NULL,
      "Minimum confidence of regions in the first association with tracks; a "
        "region without a confidence is treated as having the confidence 1"},
  {"low-threshold", MGPU_PARAM_DOUBLE, MEMBER (tracker.low), -1000, 1000, 0.1,
        NULL,
      "Minimum confidence of regions in the second association, with the "
        "tracks that remain after the first; less confident regions are ignored"},
  {"new-threshold", MGPU_PARAM_DOUBLE, MEMBER (tracker.fresh), -1000, 1000, 0.5,
        NULL,
      "Minimum confidence of a region that starts a new track"},
  {"min-overlap", MGPU_PARAM_DOUBLE, MEMBER (tracker.min_overlap), 0, 1, 0.3,
        NULL,
      "Minimum intersection over union (IoU) of a region and the predicted "
        "box of its track"},
  {"min-frames", MGPU_PARAM_UINT, MEMBER (tracker.min_frames), 1, 100, 2, NULL,
      "Number of successive frames in which an object has to be seen before "
        "it gets an id"},
  {"max-lost", MGPU_PARAM_UINT, MEMBER (tracker.max_lost), 0, 1000, 30, NULL,
      "Number of frames after which an unseen object loses its id"},
  {"coast", MGPU_PARAM_UINT, MEMBER (tracker.coast), 0, 1000, 3, NULL,
        "Number of frames for which an unseen object gets a region at its "
        "predicted position (unless set, also at most an eighth of the frames "
        "in which it was found)",
      .was_set = MEMBER (tracker.coast_was_set)},
  {"interval", MGPU_PARAM_UINT, MEMBER (tracker.interval), 1, 1000, 1, NULL,
      "Number of frames from one run of the detector to the next"},
  {"camera-motion", MGPU_PARAM_BOOLEAN, MEMBER (camera_motion), 0, 0, TRUE,
        NULL,
      "Whether to use the GstMgpuMotionMeta of frames: predicted positions "
        "follow the camera motion, and tracks end at scene cuts"},
  {"lines", MGPU_PARAM_STRING, MEMBER (lines), 0, 0, 0, NULL,
      "Lines at which objects are counted: name:x1,y1,x2,y2 in fractions of "
        "the frame, separated by semicolons (unset = none)"},
  {"zones", MGPU_PARAM_STRING, MEMBER (zones), 0, 0, 0, NULL,
      "Zones (polygons) in which objects are counted: name:x1,y1,x2,y2,x3,y3 "
        "and so on in fractions of the frame, separated by semicolons (unset = "
        "none)"},
  {"circles", MGPU_PARAM_STRING, MEMBER (circles), 0, 0, 0, NULL,
      "Circular zones in which objects are counted: name:x,y,radius, with the "
        "center in fractions of the frame and the radius as a fraction of the "
        "frame height, separated by semicolons (unset = none)"},
  {"dwell-time", MGPU_PARAM_DOUBLE, MEMBER (dwell_time), 0, 86400, 0, NULL,
      "Time in a zone, in seconds, after which a message reports that an "
        "object stays there (0 = never)"},
  {"anchor", MGPU_PARAM_ENUM, MEMBER (anchor), 0, 0,
        GST_MGPU_TRACK_ANCHOR_BOTTOM, &anchor_type,
      "Point of an object's box that has to cross a line or be in a zone"},
  {"side-frames", MGPU_PARAM_UINT, MEMBER (side_frames), 1, 100, 2, NULL,
      "Number of successive frames for which an object has to be on the other "
        "side of a line, or of the edge of a zone, before it is counted as "
        "having crossed"},
  {"post-messages", MGPU_PARAM_BOOLEAN, MEMBER (post_messages), 0, 0, TRUE,
        NULL,
      "Whether to post an element message \"mgpu-track\" for each object that "
        "appears, is lost, crosses a line, enters or leaves a zone, or stays "
        "in a zone"},
  {NULL}
};
