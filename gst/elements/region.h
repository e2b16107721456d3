/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Returns: an id that is larger than the ids of all regions of interest of @buffer */
gint gst_mgpu_find_region_id (GstBuffer * buffer);

/* Adds a region of interest to the writable buffer @buffer. @id: id of the region. It has to be
 * unique, because language bindings find the regions of a buffer only by their ids: use
 * gst_mgpu_find_region_id() for the first region, and increment it for each further one. @type
 * (nullable): class of the object. @box: box of the object, in pixels. @detection (transfer
 * full): the param "detection" of the region. Returns: the region, to which the caller may add
 * further params */
GstVideoRegionOfInterestMeta * gst_mgpu_add_region (GstBuffer * buffer, gint id, const gchar * type,
    const GstVideoRectangle * box, GstStructure * detection);

/* Removes the region of interest with the id @id and the type @type from the writable @buffer, if it
 * has this region. */
void gst_mgpu_remove_region (GstBuffer * buffer, gint id, const gchar * type);

/* Returns: a number, from 1, that no other call in this process returns. An element writes the
 * number into the metas that it attaches, so that it can recognize them later */
guint gst_mgpu_new_finder (void);

/* Returns: the name of the GstCustomMeta that has the outlines of the lines and zones of mgputrack.
 * The first call registers it. Its structure has a field for each line or zone, of the same name.
 * The field is a GBytes of gdoubles: x and y of each point of the outline, as fractions of the
 * frame's width and height */
const gchar * gst_mgpu_places_meta_get_name (void);

G_END_DECLS
