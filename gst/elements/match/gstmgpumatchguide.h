/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpufit.h>
#include <gst/mgpu/gstmgpukeypointmeta.h>

G_BEGIN_DECLS

/* Refines the homography @fit from a picture with the keypoints @picture to a frame with the
 * keypoints @frame. Near the mapped position of a keypoint of the picture, the keypoint with the
 * nearest descriptor is probably its match, even if other parts of the frame have similar
 * descriptors. Therefore more keypoints are matched than pass the ratio test. Waits for the device.
 * The same keypoints give the same homography on all devices.
 * Returns: (transfer full): the fit to the matches near the homography if it has more inliers than
 * @fit, otherwise a reference to @fit; NULL with the error set on failure */
GstMgpuFit * gst_mgpu_match_guide (GstMgpuKeypointMeta * picture, GstMgpuKeypointMeta * frame,
    GstMgpuFit * fit, const GstMgpuFitOptions * options, GError ** error);

G_END_DECLS
