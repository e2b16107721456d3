/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Functions of other libraries that do the same as an algorithm of ours. @params: the
 * parameters of the algorithm (MgpuBilateralParams ...). A function whose library was not found
 * is NULL. */
#pragma once

#include "kernelcheck.h"

G_BEGIN_DECLS

/* Converts and scales as videoconvert and videoscale do. Keeps the converter for the
 * next frame of the same formats and sizes. */
void kc_gstreamer_convert (const KcPicture * in, KcPicture * out, gboolean is_cubic, guint n_threads);

#ifdef HAVE_OPENCV_VIDEO
/* GRAY8: DIS of the same preset, a MgpuFlowPreset, but for fine. */
gdouble kc_opencv_flow (gint preset, const KcPicture * from, const KcPicture * to);
/* GRAY8: PyrLK with its defaults, there and back. @points: x and y of @n points. */
gdouble kc_opencv_tracks (const gfloat * points, guint n, const KcPicture * from, const KcPicture * to);
#endif

#ifdef HAVE_OPENCV
/* Sets the number of threads of the functions up to kc_opencv_people(), which have two otherwise. */
void kc_opencv_set_threads (guint n);

/* GRAY8 and BGR. */
gdouble kc_opencv_bilateral (gconstpointer params, const KcPicture * in, KcPicture * out);
/* GRAY8 of full range; CLAHE also GRAY16. */
gdouble kc_opencv_histeq (gconstpointer params, const KcPicture * in, KcPicture * out);
/* GRAY8, without threshold. */
gdouble kc_opencv_sharpen (gconstpointer params, const KcPicture * in, KcPicture * out);
gdouble kc_opencv_blur (gconstpointer params, const KcPicture * in, KcPicture * out);
/* GRAY8: @x and @y of each pixel of out, in pixels of in; bilinear, black beyond the edges. */
void kc_opencv_remap (const gfloat * x, const gfloat * y, const KcPicture * in, KcPicture * out);
/* GRAY8 and BGR: scales, or turns frames of one size. */
gdouble kc_opencv_resize (gconstpointer params, const KcPicture * in, KcPicture * out);
gdouble kc_opencv_turn (gconstpointer params, const KcPicture * in, KcPicture * out);
/* BGR to GRAY8 of the same size. */
void kc_opencv_luma (const KcPicture * in, KcPicture * out);
/* NV12 to BGR of the same size, BT.601. */
gdouble kc_opencv_nv12_to_bgr (gconstpointer params, const KcPicture * in, KcPicture * out);
/* GRAY8: levels 1 to n of a pyramid, of in and of each other. */
gdouble kc_opencv_pyramid (const KcPicture * in, KcPicture * const * levels, guint n);
/* GRAY8: coarse at the size of up. */
gdouble kc_opencv_up (const KcPicture * coarse, KcPicture * up);
/* GRAY8: magnifies @coarse to @up and subtracts it from @fine, and the inverse. The rows of @detail
 * are contiguous. */
gdouble kc_opencv_detail (const KcPicture * fine, const KcPicture * coarse, KcPicture * up, gint16 * detail);
gdouble kc_opencv_collapse (const gint16 * detail, const KcPicture * coarse, KcPicture * up, KcPicture * fine);
/* GRAY8: squares may be NULL. */
gdouble kc_opencv_integral (const KcPicture * in, gint32 * sum, gdouble * squares);
/* GRAY8: SIFT with its defaults, in our coordinates. Both arrays may be NULL; without
 * the second, none are made. */
gdouble kc_opencv_sift (const KcPicture * in, GArray * keypoints, GByteArray * descriptors);
/* The two nearest of m trains for each of n queries, 128 floats or bytes each, and
 * their distances; -1 for a number where there is none. Both arrays may be NULL. */
gdouble kc_opencv_match (gconstpointer queries, guint n, gconstpointer trains, guint m, gboolean bytes,
    gint (*numbers)[2], gfloat (*distances)[2]);
/* The homography that most of n pairs of places (x, y, x', y') agree with, by USAC_MAGSAC, or by RANSAC unless is_magsac;
 * all 0 when there is none. */
gdouble kc_opencv_fit_homography (const gfloat * pairs, guint n, gdouble threshold, guint max_draws, gboolean is_magsac,
    gdouble matrix[9]);

/* Keypoints of a picture and their descriptors. */
typedef struct
{
  const GstMgpuKeypoint *points;
  const guint8 *descriptors;
  guint n;
} KcSiftSide;

/* Maps points of one picture to another, 3x3, row by row: a homography, or
 * the fundamental matrix, which leads to a line. */
typedef struct
{
  gboolean is_plane;
  gdouble m[9];
} KcGeometry;

/* Agreement of two pictures: matches whose nearest is less than 0.75 times as far as the
 * second; those of them that are right, within 2.5 pixels; their share of the
 * matches, and of the keypoints of the side that has fewer; and, of a plane, by
 * how many pixels corners of the picture are off, on average, by the homography
 * that the matches give. */
typedef struct
{
  guint matches, correct;
  gdouble precision, score, error;
} KcMatching;

/* The homography in a file. Returns whether there is one. */
gboolean kc_opencv_read_homography (const gchar * file, KcGeometry * g);
/* The fundamental matrix of what two sides found in two pictures. */
gboolean kc_opencv_estimate_fundamental (const KcSiftSide * a, const KcSiftSide * b, KcGeometry * g);
void kc_opencv_match_pictures (const KcSiftSide * a, const KcSiftSide * b, const KcGeometry * g, gint width, gint height,
    KcMatching * result);
/* GRAY8 and BGR: the people detector with its defaults, or Daimler's, and threshold instead of 0. hits: (nullable):
 * windows, as MgpuScoredBox. boxes: (nullable): what grouping leaves of them. */
gdouble kc_opencv_people (const KcPicture * in, gboolean is_daimler, gdouble threshold, GArray * hits, GArray * boxes);
/* Its 3781 weights, or Daimler's 1981, in its order. */
void kc_opencv_people_weights (gboolean is_daimler, gfloat * weights);
#else
#define kc_opencv_bilateral NULL
#define kc_opencv_histeq NULL
#define kc_opencv_sharpen NULL
#define kc_opencv_blur NULL
#define kc_opencv_resize NULL
#define kc_opencv_turn NULL
#define kc_opencv_nv12_to_bgr NULL
#endif

#ifdef HAVE_OPENCV_DPM
/* BGR: looks for the part model in a file, with its cascade and its threshold, on two threads. boxes: (nullable): what
 * suppression leaves, as MgpuScoredBox. */
gdouble kc_opencv_dpm (const gchar * model, const KcPicture * in, GArray * boxes);
#endif

#ifdef HAVE_OPENCV_PHOTO
typedef enum
{
  KC_INPAINT_TELEA,
  KC_INPAINT_NS,
  KC_INPAINT_SHIFTMAP,
  KC_INPAINT_FSR_FAST
} KcInpaintPeer;

/* RGB: fills what is 128 or more in mask, of width x height bytes, on two threads. */
void kc_opencv_inpaint (KcInpaintPeer peer, const guint8 * mask, const KcPicture * in, KcPicture * out);
#endif

#ifdef HAVE_DLIB
/* GRAY8, and BGR, of which it takes blue for red: 31 features for each cell of 8 pixels, on one thread. Free them. */
gfloat *kc_dlib_fhog (const KcPicture * in, gint * columns, gint * rows);
#endif

#ifdef HAVE_VLFEAT
/* GRAY8: SIFT with OpenCV's thresholds, on one thread. */
gdouble kc_vlfeat_sift (const KcPicture * in, gboolean describes);
#endif

#ifdef HAVE_NPP
/* GRAY8, RGB and BGR; the taps are the square around the disc. */
gdouble kc_npp_bilateral (gconstpointer params, const KcPicture * in, KcPicture * out);
/* GRAY8; makes the histogram only and leaves out alone. */
gdouble kc_npp_histogram (gconstpointer params, const KcPicture * in, KcPicture * out);
/* GRAY8: levels 1 to n, which stay on the device. */
gdouble kc_npp_pyramid (const KcPicture * in, guint n);
/* GRAY8: the table of sums, which stays on the device. */
gdouble kc_npp_integral (const KcPicture * in);
/* GRAY8: a frame of the size of out from the positions x and y of its pixels; it stays on the device. The positions are
 * copied there when x or the size of out differs from the last call's. */
gdouble kc_npp_remap (const gfloat * x, const gfloat * y, const KcPicture * in, const KcPicture * out);
#else
#define kc_npp_bilateral NULL
#define kc_npp_histogram NULL
#endif

/* Fill in what the OpenCV of Python does instead of the functions above. */
void kc_python_bilateral (gconstpointer params, const KcPicture * in, const KcPicture * out, KcPython * python);
void kc_python_histeq (gconstpointer params, const KcPicture * in, const KcPicture * out, KcPython * python);
void kc_python_sharpen (gconstpointer params, const KcPicture * in, const KcPicture * out, KcPython * python);
void kc_python_resize (gconstpointer params, const KcPicture * in, const KcPicture * out, KcPython * python);
void kc_python_turn (gconstpointer params, const KcPicture * in, const KcPicture * out, KcPython * python);
void kc_python_nv12_to_bgr (gconstpointer params, const KcPicture * in, const KcPicture * out, KcPython * python);

G_END_DECLS
