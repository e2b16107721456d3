/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares functions of other libraries that do the same as an algorithm of this project (peers).
 * @params: the parameters of the algorithm (MgpuBilateralParams ...). A function whose library was
 * not found is NULL. */
#pragma once

#include "kernelcheck.h"

G_BEGIN_DECLS

/* Converts and scales as videoconvert and videoscale do. Keeps the converter for the next frame of
 * the same formats and sizes. */
void kc_gstreamer_convert (const KcPicture * in, KcPicture * out, gboolean is_cubic, guint n_threads);

#ifdef HAVE_OPENCV_VIDEO
/* Runs DIS optical flow on GRAY8, with the corresponding preset, a MgpuFlowPreset except "fine". */
gdouble kc_opencv_flow (gint preset, const KcPicture * from, const KcPicture * to);
/* Runs PyrLK with its defaults on GRAY8, forward and backward. @points: x and y of @n points */
gdouble kc_opencv_tracks (const gfloat * points, guint n, const KcPicture * from, const KcPicture * to);

typedef enum
{
  KC_SUBTRACTOR_MOG2,
  KC_SUBTRACTOR_KNN,
  KC_N_SUBTRACTORS
} KcSubtractorKind;

/* A background subtractor with its defaults (500 frames of history, with shadows), and what it has
 * learned of its stream */
typedef struct _KcSubtractor KcSubtractor;

KcSubtractor *kc_opencv_subtractor_new (KcSubtractorKind kind);
void kc_opencv_subtractor_free (KcSubtractor * self);
/* Compares the next frame of the stream, GRAY8 or BGR, with the background, and learns from it.
 * @mask: GRAY8 of the same size: 255 where something moves, 127 in its shadow, otherwise 0 */
gdouble kc_opencv_subtract (KcSubtractor * self, const KcPicture * in, KcPicture * mask);
#endif

#ifdef HAVE_OPENCV
/* Sets the number of threads of the functions up to kc_opencv_people(), which otherwise use two
 * threads. */
void kc_opencv_set_threads (guint n);

/* GRAY8 and BGR. */
gdouble kc_opencv_bilateral (gconstpointer params, const KcPicture * in, KcPicture * out);
/* Supports GRAY8 of full range; CLAHE also GRAY16. */
gdouble kc_opencv_histeq (gconstpointer params, const KcPicture * in, KcPicture * out);
/* GRAY8, without threshold. */
gdouble kc_opencv_sharpen (gconstpointer params, const KcPicture * in, KcPicture * out);
gdouble kc_opencv_blur (gconstpointer params, const KcPicture * in, KcPicture * out);
/* Supports GRAY8. @x and @y: position in @in of each pixel of @out; bilinear, black beyond the
 * edges */
void kc_opencv_remap (const gfloat * x, const gfloat * y, const KcPicture * in, KcPicture * out);
/* Supports GRAY8 and BGR: scales frames, or rotates frames of one size. */
gdouble kc_opencv_resize (gconstpointer params, const KcPicture * in, KcPicture * out);
gdouble kc_opencv_turn (gconstpointer params, const KcPicture * in, KcPicture * out);
/* Converts BGR to GRAY8 of the same size. */
void kc_opencv_luma (const KcPicture * in, KcPicture * out);
/* Converts NV12 to BGR of the same size, BT.601. */
gdouble kc_opencv_nv12_to_bgr (gconstpointer params, const KcPicture * in, KcPicture * out);
/* Computes pyramid levels 1 to @n of GRAY8: the first from @in, the others from the level
 * before. */
gdouble kc_opencv_pyramid (const KcPicture * in, KcPicture * const * levels, guint n);
/* Magnifies @coarse, GRAY8, to the size of @up. */
gdouble kc_opencv_up (const KcPicture * coarse, KcPicture * up);
/* Magnifies @coarse, GRAY8, to @up and subtracts it from @fine; the second function is the inverse.
 * The rows of @detail are contiguous. */
gdouble kc_opencv_detail (const KcPicture * fine, const KcPicture * coarse, KcPicture * up, gint16 * detail);
gdouble kc_opencv_collapse (const gint16 * detail, const KcPicture * coarse, KcPicture * up, KcPicture * fine);
/* Computes integral images of GRAY8; @squares may be NULL. */
gdouble kc_opencv_integral (const KcPicture * in, gint32 * sum, gdouble * squares);
/* Runs SIFT with its defaults on GRAY8; keypoints are in this project's coordinates. Both arrays
 * may be NULL; without the second, no descriptors are computed. */
gdouble kc_opencv_sift (const KcPicture * in, GArray * keypoints, GByteArray * descriptors);
/* Finds the two nearest of @m train descriptors for each of @n query descriptors, 128 floats or
 * bytes each, and their distances; a number is -1 if there is none. Both arrays may be NULL. */
gdouble kc_opencv_match (gconstpointer queries, guint n, gconstpointer trains, guint m, gboolean bytes,
    gint (*numbers)[2], gfloat (*distances)[2]);
/* Fits the homography that most of @n pairs of positions (x, y, x', y') agree with, by USAC_MAGSAC
 * or, unless @is_magsac is set, by RANSAC. All elements are 0 if there is none. */
gdouble kc_opencv_fit_homography (const gfloat * pairs, guint n, gdouble threshold, guint max_draws, gboolean is_magsac,
    gdouble matrix[9]);

/* Keypoints of an image and their descriptors */
typedef struct
{
  const GstMgpuKeypoint *points;
  const guint8 *descriptors;
  guint n;
} KcSiftSide;

/* Maps points of one image to another by a 3x3 matrix, row by row: a homography, or the fundamental
 * matrix, which maps a point to a line. */
typedef struct
{
  gboolean is_plane;
  gdouble m[9];
} KcGeometry;

/* Agreement of two images: number of matches whose nearest descriptor is less than 0.75 times as
 * far as the second; number of correct matches, within 2.5 pixels; their fraction of the matches,
 * and of the keypoints of the image that has fewer; and, for a plane, the mean error in pixels of
 * the image's corners under the homography that is fitted to the matches */
typedef struct
{
  guint matches, correct;
  gdouble precision, score, error;
} KcMatching;

/* Reads a homography from a file. Returns whether there is one. */
gboolean kc_opencv_read_homography (const gchar * file, KcGeometry * g);
/* Estimates the fundamental matrix from the keypoints of two images. */
gboolean kc_opencv_estimate_fundamental (const KcSiftSide * a, const KcSiftSide * b, KcGeometry * g);
void kc_opencv_match_pictures (const KcSiftSide * a, const KcSiftSide * b, const KcGeometry * g, gint width, gint height,
    KcMatching * result);
/* Runs OpenCV's people detector, or Daimler's, on GRAY8 or BGR, with the default parameters
 * except for @threshold instead of 0. @hits: (nullable): windows, as MgpuScoredBox. @boxes:
 * (nullable): the boxes after grouping */
gdouble kc_opencv_people (const KcPicture * in, gboolean is_daimler, gdouble threshold, GArray * hits, GArray * boxes);
/* Copies the 3781 weights of OpenCV's people detector, or the 1981 weights of Daimler's, to
 * @weights, in OpenCV's order. */
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
/* Searches BGR for the part model of a file, with its cascade and its threshold, on two threads.
 * @boxes: (nullable): the boxes after suppression, as MgpuScoredBox */
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

/* Fills pixels of RGB whose value in @mask, @width x @height bytes, is 128 or more, on two
 * threads. */
void kc_opencv_inpaint (KcInpaintPeer peer, const guint8 * mask, const KcPicture * in, KcPicture * out);
#endif

#ifdef HAVE_DLIB
/* Computes 31 HOG features for each cell of 8 pixels, of GRAY8, or of BGR, in which dlib reads blue
 * as red, on one thread. The caller frees the features. */
gfloat *kc_dlib_fhog (const KcPicture * in, gint * columns, gint * rows);
#endif

#ifdef HAVE_VLFEAT
/* Runs SIFT with OpenCV's thresholds on GRAY8, on one thread. */
gdouble kc_vlfeat_sift (const KcPicture * in, gboolean describes);
#endif

#ifdef HAVE_NPP
/* Supports GRAY8, RGB and BGR; uses all samples of the square around the disc. */
gdouble kc_npp_bilateral (gconstpointer params, const KcPicture * in, KcPicture * out);
/* Supports GRAY8; computes only the histogram, and does not write @out. */
gdouble kc_npp_histogram (gconstpointer params, const KcPicture * in, KcPicture * out);
/* Computes pyramid levels 1 to @n of GRAY8, which stay on the device. */
gdouble kc_npp_pyramid (const KcPicture * in, guint n);
/* Computes the integral image of GRAY8, which stays on the device. */
gdouble kc_npp_integral (const KcPicture * in);
/* Remaps GRAY8 to the size of @out by the positions @x and @y of its pixels; the result stays on
 * the device. The positions are copied to the device if @x or the size of @out differs from the
 * last call's. */
gdouble kc_npp_remap (const gfloat * x, const gfloat * y, const KcPicture * in, const KcPicture * out);
#else
#define kc_npp_bilateral NULL
#define kc_npp_histogram NULL
#endif

/* Fill @python with the calls of Python's OpenCV that correspond to the functions above. */
void kc_python_bilateral (gconstpointer params, const KcPicture * in, const KcPicture * out, KcPython * python);
void kc_python_histeq (gconstpointer params, const KcPicture * in, const KcPicture * out, KcPython * python);
void kc_python_sharpen (gconstpointer params, const KcPicture * in, const KcPicture * out, KcPython * python);
void kc_python_resize (gconstpointer params, const KcPicture * in, const KcPicture * out, KcPython * python);
void kc_python_turn (gconstpointer params, const KcPicture * in, const KcPicture * out, KcPython * python);
void kc_python_nv12_to_bgr (gconstpointer params, const KcPicture * in, const KcPicture * out, KcPython * python);

G_END_DECLS
