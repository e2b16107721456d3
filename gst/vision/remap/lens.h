/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Number of coefficients of a lens, at most */
#define MGPU_CAMERA_COEFFICIENTS 14

/**
 * MgpuLens:
 * @MGPU_LENS_BROWN: 0 to 14 coefficients in the order of OpenCV's calibrateCamera():
 *   radial with denominator, tangential, thin prism, tilt; without coefficients a pinhole
 * @MGPU_LENS_FISHEYE: 4 coefficients of Kannala and Brandt, as OpenCV's fisheye module
 * @MGPU_LENS_OMNI: Mei's: xi, 2 radial and 2 tangential coefficients
 * @MGPU_LENS_DOUBLE_SPHERE: xi and alpha; with beta and a xi of 0 the enhanced unified
 *   camera (EUCM)
 * @MGPU_LENS_FOV: the angle omega of Devernay and Faugeras as the first coefficient
 * @MGPU_LENS_EQUIRECT: a whole sphere; focal length and centre are not used
 *
 * Kinds of lenses: see docs/algorithms/remap.md.
 */
typedef enum
{
  MGPU_LENS_BROWN,
  MGPU_LENS_FISHEYE,
  MGPU_LENS_OMNI,
  MGPU_LENS_DOUBLE_SPHERE,
  MGPU_LENS_FOV,
  MGPU_LENS_EQUIRECT
} MgpuLens;

/**
 * MgpuCamera:
 * @focal: focal lengths in pixels, along x and y; above 0
 * @centre: position of the optical axis in pixels; the centre of the pixel at the upper
 *   left corner is (0, 0)
 * @k: coefficients; those that the lens does not have are 0
 * @beta: 1 for all lenses but the enhanced unified camera
 * @width, @height: size of the frames, in pixels
 *
 * Describes a camera, so that a ray can be projected into its frames.
 */
typedef struct
{
  MgpuLens lens;
  gdouble focal[2], centre[2];
  gdouble k[MGPU_CAMERA_COEFFICIENTS];
  gdouble xi, alpha, beta;
  gint width, height;
} MgpuCamera;

G_END_DECLS
