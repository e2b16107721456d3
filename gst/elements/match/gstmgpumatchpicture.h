/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the pictures that mgpumatch finds (reference images), and computes their
 * keypoints. */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Holds a known picture. Several threads share it; the members after @is_removed belong
 * to the streaming thread. */
typedef struct
{
  gchar *name;                  /* name of the known picture; may be invalid UTF-8 if it is the name
                                 * of a file */
  guint number;                 /* number of the known picture, from 1 on */
  gint width, height;
  guint8 *grey;                 /* width x height grey values of the picture, row by row
                                 * without gaps */
  gboolean is_file;             /* whether the picture was read from a file when
                                 * the element started */
  gboolean is_removed;          /* whether the application removed the picture; guarded by
                                 * the lock of GstMgpuMatchPictures */

  GstBuffer *holder;            /* buffer with the keypoint meta of the picture; NULL
                                 * until the keypoints are found */
  gboolean warned_few;            /* whether a warning about too few keypoints of the
                                 * picture was posted */
  gboolean warned_large;        /* whether a warning was posted that the picture is too
                                 * large for its number of keypoints */
  guint n_found, n_missed;      /* numbers of frames in a row, up to now, in which the
                                 * picture was found (@n_found) or was not found
                                 * (@n_missed) */
  gboolean is_present;          /* whether the last message posted for the picture was
                                 * "appeared" */
  GstMgpuPicture last;          /* position and homography of the picture in the frame in
                                 * which it was found last */
  GstVideoRectangle box;        /* region of interest of the picture in the frame in which
                                 * it was found last */
} GstMgpuMatchPicture;

/* Reads a picture file of any format that gdk-pixbuf can read. Returns: (transfer full):
 * a picture named after the file; NULL with the error set, in the domain
 * GST_RESOURCE_ERROR */
GstMgpuMatchPicture * gst_mgpu_match_picture_load (const gchar * location, GError ** error);

/* Makes a known picture from a video frame of any format. Returns: (transfer full): the
 * picture; NULL with the error set */
GstMgpuMatchPicture * gst_mgpu_match_picture_new (const gchar * name, GstSample * sample, GError ** error);

/* The first function adds a reference to a known picture, the second one drops a
 * reference. */
GstMgpuMatchPicture * gst_mgpu_match_picture_ref   (GstMgpuMatchPicture * self);
void                  gst_mgpu_match_picture_unref (gpointer self);

/* Finds up to @most keypoints, with descriptors of the given type, of a known picture,
 * unless they were found before. Waits for the device of @queue. Returns: (transfer
 * none): the meta with the keypoints; NULL with the error set */
GstMgpuKeypointMeta * gst_mgpu_match_picture_describe (GstMgpuMatchPicture * self, GstMgpuQueue * queue,
    guint most, GstMgpuDescriptorType type, GError ** error);

G_END_DECLS
