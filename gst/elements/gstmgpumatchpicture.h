/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads the pictures that mgpumatch knows, and finds their keypoints. */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Holds a known picture. Threads share it; the members behind is_removed belong to the
 * streaming thread. */
typedef struct
{
  const gchar *name;            /* name of the picture, an interned string */
  guint number;                 /* number of the picture, from 1 */
  gint width, height;
  guint8 *grey;                 /* width x height grey values of the picture, row by row
                                 * without gaps */
  gboolean is_file;             /* whether the picture was read from a file at the
                                 * start */
  gboolean is_removed;          /* whether the application removed the picture; guarded by
                                 * the object lock of the element */

  GstBuffer *holder;            /* buffer with the keypoint meta of the picture; NULL
                                 * until its keypoints are found */
  gboolean said_few;            /* whether a warning said that the picture has too few
                                 * keypoints */
  guint n_found, n_missed;      /* numbers of frames in a row in which the picture was
                                 * found, or was not */
  gboolean is_present;          /* whether "appeared" was the last event */
  GstMgpuPicture last;          /* place and homography of the picture in the frame where
                                 * it was found last */
  GstVideoRectangle box;        /* region of interest of the picture in that frame */
} GstMgpuMatchPicture;

/* Reads a file that gdk-pixbuf can read. Returns: (transfer full): a picture named after
 * the file; NULL with the error set, in the domain GST_RESOURCE_ERROR */
GstMgpuMatchPicture * gst_mgpu_match_picture_load (const gchar * location, GError ** error);

/* Makes a picture of a video frame of any format. Returns: (transfer full): NULL with the
 * error set */
GstMgpuMatchPicture * gst_mgpu_match_picture_new (const gchar * name, GstSample * sample, GError ** error);

/* Adds or drops a reference. */
GstMgpuMatchPicture * gst_mgpu_match_picture_ref   (GstMgpuMatchPicture * self);
void                  gst_mgpu_match_picture_unref (gpointer self);

/* Finds up to most keypoints with descriptors of type, unless that was done. Waits for the
 * device of queue. Returns: (transfer none): the meta; NULL with the error set */
GstMgpuKeypointMeta * gst_mgpu_match_picture_describe (GstMgpuMatchPicture * self, GstMgpuQueue * queue,
    guint most, GstMgpuDescriptorType type, GError ** error);

G_END_DECLS
