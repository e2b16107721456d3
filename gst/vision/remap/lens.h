/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Maximum number of coefficients of a lens */
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
 * @MGPU_LENS_EQUIRECT: a whole sphere; focal length and center are not used
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
 * @centre: position of the optical axis in pixels; the center of the pixel at the upper
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

/* A camera, and data that are computed from it once. */
typedef struct
{
  MgpuCamera camera;
  gboolean has_tilt;
  gdouble tilt[9];              /* rows of the homography of a tilted sensor */
  gdouble tangent;              /* data for the lens MGPU_LENS_FOV */
  gboolean is_rough;            /* whether positions change so abruptly that each cell of a map
                                 * has to be checked at 17 pixels */
  gboolean has_fold;            /* whether the model ends at an angle that may be visible in the
                                 * frame */
  gdouble limit;                /* angle from the axis, in radians, at which the model ends */
  gdouble end;                  /* angle up to which the model is computed; beyond this angle,
                                 * positions are extrapolated linearly */
  gdouble end_radius, slope;    /* radius at @end, and slope of the extrapolation */
} MgpuLensModel;

/* Margin of rays that do not come near the limit of a model, in radians */
#define MGPU_LENS_INSIDE 4.0

/* atan2(), and sine and cosine of an angle, with the same bits everywhere */
gdouble mgpu_lens_atan2 (gdouble y, gdouble x);
void mgpu_lens_sincos (gdouble angle, gdouble * sine, gdouble * cosine);

/* Sets @model. @camera must have a frame size. */
void mgpu_lens_model_init (MgpuLensModel * model, const MgpuCamera * camera);

/* Sets @place to the position, in pixels, at which the camera sees the ray @ray (x to the right, y
 * down, z forward; any length above 0).
 * Returns: the angle, in radians, between the ray and the limit of the model. If it is below 0, the
 * camera does not see the ray, and @place is extrapolated from the positions of visible rays */
gdouble mgpu_lens_model_project (const MgpuLensModel * model, const gdouble ray[3], gdouble place[2]);

/* Sets @ray to a ray, of length 1, that the camera sees at the position @place; if @place is beyond
 * the limit of the model, to a ray at the limit. Not for MGPU_LENS_EQUIRECT. */
void mgpu_lens_model_unproject (const MgpuLensModel * model, const gdouble place[2], gdouble ray[3]);

/* Returns: the fraction of the frame, from 0 to 1, whose rays are more than @angle radians from the
 * axis. Always 0 for MGPU_LENS_EQUIRECT */
gdouble mgpu_lens_model_get_far_part (const MgpuLensModel * model, gdouble angle);

G_END_DECLS
