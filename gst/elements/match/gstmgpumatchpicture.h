/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the known pictures (reference images) that mgpumatch finds, and computes their keypoints.
 */
#pragma once

#include <gst/elements/presence.h>
#include <gst/mgpu/mgpu.h>
#include <gst/vision/sift/sift.h>

G_BEGIN_DECLS

/* A known picture. Several threads use it. The members after @is_removed are only used by the
 * thread that completes frames, and, while no frame is in flight, by the streaming thread. */
typedef struct
{
  gchar *name;                  /* name of the known picture; may be invalid UTF-8 if it is the name
                                 * of a file */
  guint number;                 /* number of the known picture, starting with 1 */
  gint width, height;
  guint8 *grey;                 /* gray values of the picture, row by row without gaps */
  gboolean is_file;             /* whether the picture was read from a file when
                                 * the element started */
  gboolean is_removed;          /* whether the application removed the picture; guarded by
                                 * the lock of GstMgpuMatchPictures */

  MgpuSift *sift;               /* object that finds the keypoints; NULL if it is not made yet, or
                                 * after the keypoints are found */
  GstBuffer *holder;            /* buffer with the keypoint meta of the picture; NULL
                                 * until the keypoints are found */
  gboolean warned_few;            /* whether a warning about too few keypoints of the
                                 * picture was posted */
  gboolean warned_large;        /* whether a warning was posted that the picture is too
                                 * large for its number of keypoints */
  GstMgpuPresence presence;     /* whether the picture has appeared */
  GstMgpuPicture last;          /* the picture, with its homography, in the last frame in which it
                                 * was found */
  GstVideoRectangle box;        /* box of the picture in the last frame in which it was found */
} GstMgpuMatchPicture;

/* Reads an image file of any format that gdk-pixbuf supports. Returns: (transfer full): a picture
 * named after the file; NULL on failure, with an error in the domain GST_RESOURCE_ERROR */
GstMgpuMatchPicture * gst_mgpu_match_picture_load (const gchar * location, GError ** error);

/* Makes a known picture from a video frame of any format. Returns: (transfer full): the
 * picture; NULL with the error set */
GstMgpuMatchPicture * gst_mgpu_match_picture_new (const gchar * name, GstSample * sample, GError ** error);

/* Add and drop a reference to a known picture. */
GstMgpuMatchPicture * gst_mgpu_match_picture_ref   (GstMgpuMatchPicture * self);
void                  gst_mgpu_match_picture_unref (gpointer self);

/* Makes the object that finds up to @most keypoints of a known picture, unless it exists. Between
 * gst_mgpu_device_base_begin_build() and gst_mgpu_device_base_end_build(), its programs are built
 * and counted together with the other programs of the element. */
gboolean gst_mgpu_match_picture_prepare (GstMgpuMatchPicture * self, GstMgpuContext * context, guint most,
    GError ** error);
/* Frees the object that finds keypoints, and the keypoints, which are in device memory. */
void     gst_mgpu_match_picture_unprepare (GstMgpuMatchPicture * self);

/* Finds up to @most keypoints of a known picture, with descriptors of the given type, unless this
 * was done before. Waits for the device of @queue. Returns: (transfer none): the meta with the
 * keypoints; NULL with the error set on failure */
GstMgpuKeypointMeta * gst_mgpu_match_picture_describe (GstMgpuMatchPicture * self, GstMgpuQueue * queue,
    guint most, GstMgpuDescriptorType type, GError ** error);

G_END_DECLS
