/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/object.h>

G_BEGIN_DECLS
/* Sets @plain to the format that stores the samples of the packed format @info (see
 * mgpu_is_packed()) in separate planes or bytes: size, colorimetry and chroma site are the same. If
 * @info is not packed, @plain is a copy. Returns: whether @info is packed */
    gboolean mgpu_pack_get_plain (const GstVideoInfo * info,
    GstVideoInfo * plain);

/* Unpacks the samples of a frame of a packed format, or packs them: one of the images @in and @out has
 * the packed format, the other the plain format. Their sizes are equal. There are no parameters. */
extern const MgpuAlgorithm mgpu_pack;

G_END_DECLS
