/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/tags/dictionary.h>

G_BEGIN_DECLS

/* Reads a family of tags from a file of OpenCV's class aruco::Dictionary: YAML, XML or JSON. The
 * family has the name of the file without suffix. Returns: (transfer full): the family; NULL with
 * an error that names the file and the key that is wrong or missing */
MgpuTagDictionary * mgpu_tag_dictionary_load (const gchar * path, GError ** error);

G_END_DECLS
