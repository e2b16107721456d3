/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/remap/lens.h>

G_BEGIN_DECLS

/**
 * MgpuProjection:
 * @MGPU_PROJECTION_PERSPECTIVE: straight lines stay straight
 * @MGPU_PROJECTION_FISHEYE: the distance from the center is the angle from the axis
 * @MGPU_PROJECTION_EQUIRECT: columns are longitudes, rows are latitudes
 * @MGPU_PROJECTION_CYLINDER: columns are longitudes, verticals stay straight
 * @MGPU_PROJECTION_STEREOGRAPHIC: circles stay circles
 *
 * Projections of new frames.
 */
typedef enum
{
  MGPU_PROJECTION_PERSPECTIVE,
  MGPU_PROJECTION_FISHEYE,
  MGPU_PROJECTION_EQUIRECT,
  MGPU_PROJECTION_CYLINDER,
  MGPU_PROJECTION_STEREOGRAPHIC
} MgpuProjection;

/**
 * MgpuView:
 * @focal: focal lengths in pixels: the change of position in the center of the frame for
 *   one radian; above 0
 * @centre: position of the axis in pixels
 * @turn: rows of the rotation from rays of the camera to rays of the view @width, @height: size of
 * the new frames, in pixels
 * @has_matrix: whether @matrix is used
 * @matrix: rows of the homography from pixels of new frames to pixels of the view: see
 *   mgpu_view_set_corners()
 *
 * Describes the view that new frames (output frames) show.
 */
typedef struct
{
  MgpuProjection projection;
  gdouble focal[2], centre[2], turn[9];
  gint width, height;
  gboolean has_matrix;
  gdouble matrix[9];
} MgpuView;

/**
 * MgpuLensMap:
 * @words: the tables that kernels read, numbers of 4 bytes, in this order: weights (see
 *   kernels/base/warp-shared.h), nodes, margins, cells, exact positions
 * @columns, @rows: number of nodes
 * @nodes: index of the first node in @words: positions in the old frame, in 1/1024
 *   pixel, two numbers for each node
 * @margins: index of the first margin, in 2^-24 radian, one for each node; 0 if no pixel is
 *   beyond the limit of the camera's model
 * @cells: index of the numbers of (columns - 3) x (rows - 3) cells: an index in units of 256
 *   positions into the exact positions, or -1
 * @exact: index of the exact positions, two numbers for each pixel of a cell
 * @wrap: width of the old frame in 1/1024 pixel if its columns are a whole circle, or 0
 * @seen: part of the nodes in the new frame that show a pixel of the old frame, from 0 to 1; above
 *   0 if the middle of any cell shows one
 * @beyond: part of the nodes in the new frame that are beyond the limit of model or projection
 *
 * Tells where pixels of a new frame are in the old frame.
 */
typedef struct
{
  GArray *words;
  gint columns, rows;
  guint nodes, margins, cells, exact, n_exact;
  gint wrap;
  gdouble seen, beyond;
} MgpuLensMap;

/* Sets @ray to the ray of the point (@a, @b) of a view, in focal lengths from the axis. Returns:
 * the angle, in radians, between the ray and the limit of the projection; it is below 0 if the
 * projection has no such point */
gdouble mgpu_projection_find_ray (MgpuProjection projection, gdouble a, gdouble b, gdouble ray[3]);

/* Sets @place to the position of pixel (x, y) of the view in frames of the camera, which
 * may lie between pixels. Returns: the margin: see mgpu_lens_model_project() */
gdouble mgpu_view_find_place (const MgpuView * view, const MgpuLensModel * model, gdouble x, gdouble y,
    gdouble place[2]);

/* Makes the map from a view to frames of a camera.
 * Returns: (transfer full): the map */
MgpuLensMap * mgpu_lens_map_new (const MgpuLensModel * model, const MgpuView * view);

/* Makes a map from given positions: @places has x and y of each of @width x @height pixels, row by
 * row, in pixels of old frames of @old_width x @old_height pixels. Pixels with the position NaN
 * count as beyond the edges.
 * Returns: (transfer full): the map */
MgpuLensMap * mgpu_lens_map_new_from_places (const gfloat * places, gint width, gint height, gint old_width,
    gint old_height);

/* Sets @place to the position in the old frame of the pixel (x, y) of the new frame. */
typedef void (*MgpuLensFunction) (gpointer data, gdouble x, gdouble y, gdouble place[2]);

/* Makes the map of the positions that @function finds, with the parameter @data. These positions
 * must change so smoothly that no cell needs exact positions. @function is only called for nodes,
 * so that a map can be made for each frame. Returns: (transfer full): the map */
MgpuLensMap * mgpu_lens_map_new_from_function (MgpuLensFunction function, gpointer data, gint width, gint height,
    gint old_width, gint old_height);

void mgpu_lens_map_free (MgpuLensMap * map);

/* Sets @w to the weights of four adjacent nodes (Lagrange's polynomials) for a position @t cells
 * after the second node. */
void mgpu_lens_map_find_weights (gdouble t, gdouble w[4]);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (MgpuLensMap, mgpu_lens_map_free)

G_END_DECLS
