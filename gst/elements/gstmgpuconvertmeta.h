/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Returns: TRUE unless @transform is the identity: whether it moves, scales or hides pixels of
 * the frame */
gboolean gst_mgpu_convert_moves (const GstMgpuMetaTransform * transform);

/* Copies @meta from the buffer @in to the buffer @out, and applies @transform to its positions.
 * Returns: TRUE if the caller has to copy @meta unchanged; FALSE if this function has added a
 * transformed copy or dropped @meta */
gboolean gst_mgpu_convert_meta (GstElement * element, const GstMgpuMetaTransform * transform,
    GstBuffer * out, GstMeta * meta, GstBuffer * in);

/* A map of positions, in pixels from the upper left corner, from an input frame to its output
 * frame, for transforms that are not affine. */
typedef struct
{
  /* Sets @edges to the left, top, right and bottom edge of the upright box, in the output frame,
   * around the content of a box of the input frame. Returns: FALSE if the output frame shows
   * nothing of it */
  gboolean (*move_box) (gpointer data, gdouble left, gdouble top, gdouble width, gdouble height,
      gdouble edges[4]);
  /* Sets @matrix to the affine transform that approximates the map near (@x, @y). Returns: FALSE if
   * the output frame does not show (@x, @y) */
  gboolean (*linearize) (gpointer data, gdouble x, gdouble y, gdouble matrix[2][3]);
  gpointer data;
} GstMgpuConvertMap;

/* Does the same as gst_mgpu_convert_meta(), but transforms boxes by @map, and other positions by
 * @points. */
gboolean gst_mgpu_convert_meta_by_map (GstElement * element, const GstMgpuConvertMap * map,
    const GstMgpuMetaMap * points, GstBuffer * out, GstMeta * meta, GstBuffer * in);

G_END_DECLS
