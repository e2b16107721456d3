/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgputrackassign.h"

G_BEGIN_DECLS

/* Intersection over union (IoU) of two equal boxes; the IoU is an integer in units of 2^-20 */
#define GST_MGPU_TRACK_OVERLAP_ONE (1 << 20)

/* The edges of a box, in units of 1/16 px. */
typedef struct
{
  gint64 left, top, right, bottom;
} GstMgpuTrackBox;

/* Describes a box for the search for pairs: the expected box of a track, or a region. */
typedef struct
{
  guint index;                  /* index of the track or the region */
  guint type;                   /* number of the object's class */
  GstMgpuTrackBox box;
} GstMgpuTrackItem;

/* Returns: an item with the box of the given edges, in pixels. Edges that are far outside the
 * frame are moved towards it, so that areas fit into 64 bits */
GstMgpuTrackItem gst_mgpu_track_item (guint index, guint type, gdouble left, gdouble top, gdouble width,
    gdouble height);

/* Finds the pairs of a row (a track) and a column (a region) of the same class whose boxes have
 * an IoU of at least @least, and writes them to @pairs. @rows, @columns: arrays of
 * GstMgpuTrackItem in the order of their indices. @least: from 1 to GST_MGPU_TRACK_OVERLAP_ONE.
 * @pairs: array of GstMgpuTrackPair, ordered by row and then by column; the weight of a pair is
 * its IoU.
 *
 * Compares a row only with the 1024 columns whose centers are nearest horizontally, nearest
 * first, and stops after 64 pairs. Therefore the time does not grow with the square of the number
 * of boxes, regardless of their overlap. */
void gst_mgpu_track_list_pairs (const GArray * rows, const GArray * columns, gint64 least, GArray * pairs);

G_END_DECLS
