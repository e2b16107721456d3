/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpumatchpicture.h"

G_BEGIN_DECLS

/* The list of known pictures (reference images). Any thread may call these functions; they take
 * the lock of the list. */
typedef struct _GstMgpuMatchPictures GstMgpuMatchPictures;

GstMgpuMatchPictures * gst_mgpu_match_pictures_new  (void);
void                   gst_mgpu_match_pictures_free (GstMgpuMatchPictures * self);

/* Adds a known picture (transfer full), and marks earlier pictures of the same name as removed.
 * Returns: the number of the new picture */
guint       gst_mgpu_match_pictures_add          (GstMgpuMatchPictures * self, GstMgpuMatchPicture * picture);

/* Reads the known pictures from the files that @list names, separated by ':', and adds them. Empty
 * names are left out. The log names @element. */
gboolean    gst_mgpu_match_pictures_load         (GstMgpuMatchPictures * self, const gchar * list,
                                                  GstElement * element, GError ** error);

/* Marks the known pictures with the name @name as removed. The streaming thread later takes them
 * from the list. Returns: the number of these pictures */
guint       gst_mgpu_match_pictures_remove       (GstMgpuMatchPictures * self, const gchar * name);

/* Returns: (transfer full) (element-type GstMgpuMatchPicture): all known pictures, including those
 * marked as removed */
GPtrArray * gst_mgpu_match_pictures_list         (GstMgpuMatchPictures * self);

/* Takes the pictures that are marked as removed from the list. Returns: (transfer full)
 * (element-type GstMgpuMatchPicture): these pictures */
GPtrArray * gst_mgpu_match_pictures_take_removed (GstMgpuMatchPictures * self);

/* Drops the pictures that were read from files at the last start. Forgets the keypoints of the
 * other pictures, and their positions in earlier frames. */
void        gst_mgpu_match_pictures_reset        (GstMgpuMatchPictures * self);

G_END_DECLS
