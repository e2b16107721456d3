/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares types and functions that the source files of inpainting with a remembered
 * background share. */
#pragma once

#include <gst/vision/base/map.h>

#include "background.h"
#include "tracks.h"

G_BEGIN_DECLS

/* Two samples count as equal when they differ by at most 1 / NEAR_PART of the range of
 * sample values; chroma samples, when they differ by at most 1 / NEAR_PART_OF_CHROMA */
#define NEAR_PART 16
#define NEAR_PART_OF_CHROMA 32

/* Indices into the array @kernels, which lists the OpenCL kernels that compare and remember
 * the background, and draw the moving objects that pass behind the mask */
enum
{
  COMPARE,
  DIFFER,
  CHANGE,
  SETTLE,
  STEADY,
  PAIR,
  MOVE,
  ADOPT,
  LOOK,
  SHOW,
  PASSING_FIND,
  PASSING_KEEP,
  PASSING_SHOW
};

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for
 * later kernels. The hole consists of the hidden pixels */
enum
{
  SAMPLES,
  HIDDEN = SAMPLES + GST_VIDEO_MAX_COMPONENTS,
  COUNTS,
  CHANGED,                      /* for each pixel: 1 when it is hidden and its value in this frame
                                 * differs from the remembered one */
  UNSETTLED,                    /* for each pixel: how many frames showed its remembered value;
                                 * the kernel background_settle() writes it */
  PLATE,                        /* image of the background: the remembered value of each sample */
  FILLED,                       /* the image of the scratch buffer PLATE, with pixels that
                                 * were never visible filled with patches */
  BASE,                         /* image that the patches gave in the frame in which they were
                                 * found */
  FIRST,                        /* image that was shown in the frame in which the patches were
                                 * found: the same as the image of the scratch buffer BASE, but
                                 * pixels that were filled in earlier frames keep their values */
  AROUND,                       /* for each pixel in and around the hole, two bytes: the sample of
                                 * its first colour component, and whether the pixel differs from
                                 * the background */
  OWNERS,                       /* for each pixel in and around the hole: 1 + the index of the
                                 * track (moving object) to be shown there, or 0 */
  KEPT_PIXELS,                  /* copy of the array @kept */
  PAIRS,                        /* for each pixel: 8 bits of the frame, and of the remembered
                                 * background; the kernel background_pair() writes them */
  SPARE,                        /* one scratch buffer for each colour component, to which the
                                 * content of the scratch buffer SAMPLES + i is copied when the
                                 * camera moves; the two then change places */
  KEPT = SPARE + GST_VIDEO_MAX_COMPONENTS,      /* one scratch buffer for each track (moving object): the samples of
                                 * the pixels in and around the hole, for each colour
                                 * component, in the frame from which the track's template
                                 * was taken */
  N_BACKGROUND_SLOTS = KEPT + MGPU_INPAINT_TRACKS
};

struct _MgpuInpaintBackground
{
  MgpuObject object;
  GstVideoInfo info;            /* format and size of the frames; rows have no gaps */
  gsize row[2];                 /* size of a work-group; its work-items take turns along a row
                                 * of an image */

  MgpuInpaintParams params;
  guint8 *hidden;               /* for each pixel: 0 when it is visible; 1 when the mask hides it
                                 * and its background colour is remembered; 2 when the mask hides
                                 * it and no trusted colour is remembered */
  guint8 *mask;                 /* for each pixel: 1 when the mask of the frame that is filled
                                 * next hides it, otherwise 0 */
  guint8 *coming;               /* scratch array: the mask of a frame that is looked at before
                                 * it is filled */
  guint8 *was_hidden;           /* for each pixel: 1 when it was hidden in the frame that was
                                 * looked at before this one */
  guint8 *forbidden;            /* for each pixel: 1 when it must never be
                                 * copied into the hole; may be NULL */
  guint8 *seen;                 /* for each pixel: number of frames in which it was visible,
                                 * LONG (32) at most */
  /* arrays with a byte for each pixel, in the frame for which patches were last searched
   * (@planned, @extra) or in this frame (@unknown). @unknown is 1 for hidden pixels that
   * were never visible, or whose remembered colour is not trusted; @extra is 1 for pixels
   * near them whose background was not settled; @planned is 1 for the pixels that patches
   * fill: unknown ones and those of @extra */
  guint8 *unknown, *planned, *extra;
  guint8 *filled;               /* for each pixel: 1 when it had never been visible, and was filled,
                                 * in the last frame */
  guint8 *kept;                 /* for each pixel: 2 when it keeps the value with which it was
                                 * filled before patches were searched anew; NULL: none does */
  gboolean has_kept;            /* whether the scratch buffer FIRST has the values of the pixels of
                                 * @kept */
  gboolean has_extra;           /* whether any pixel of @extra is set */
  guint n_seen, n_unseen;       /* numbers of hidden pixels: @n_seen of those whose background
                                 * colour is remembered, @n_unseen of the others */
  guint age;                    /* number of frames of the present scene so far */
  gboolean has_first;           /* whether the scratch buffer FIRST holds the first image
                                 * that was filled with the patches now in use */
  gboolean is_first;            /* whether the next frame is the first of a scene, so that no
                                 * background is remembered */
  gboolean is_new_scene;        /* whether a scene has begun since the last frame was filled */
  gboolean changed;             /* whether the array @hidden has still to be copied to the device */
  gboolean is_planned;          /* whether the MgpuInpaint object has the array @planned as its
                                 * mask */
  MgpuInpaintResult result;

  gboolean camera_moves;        /* whether the camera moves, so that it has to be followed */
  gint x, y;                    /* how far the camera has moved since the scene began, in pixels */
  guint sub_x, sub_y;           /* numbers of bits by which coordinates of the frame are shifted
                                 * right to get those of the smallest colour component */
  guint8 *whole;                /* used when the camera moves: for each sample of the smallest
                                 * colour component, 1 when its colour is remembered. The array
                                 * @seen would not do, because it moves by whole pixels, and
                                 * chroma by whole samples */

  gboolean has_passing;         /* whether moving objects behind the mask are shown */
  guint8 *still;                /* for each pixel: whether it was hidden in the last frame in
                                 * which passing objects were to be shown; NULL before the first
                                 * such frame */
  MgpuRect around;              /* part of the frame, around the hole, in which moving objects are
                                 * followed */
  MgpuInpaintTracks *tracks;    /* the moving objects that are followed; NULL when none are
                                 * followed because the mask moved, is empty or is too large */
  guint8 *found, *owners;       /* copies, on the host, of the scratch buffers AROUND and
                                 * OWNERS */
  guint shown;                  /* tracks (moving objects) that are shown in the hole: bit i is
                                 * set for track i */
};

/* Returns: the element for the pixel (x, y) of the array @whole of @self, which tells
 * whether the colour of the pixel is remembered */
static inline guint8 *
mgpu_inpaint_camera_whole (const MgpuInpaintBackground * self, gint x, gint y)
{
  gint columns = (GST_VIDEO_INFO_WIDTH (&self->info) + (1 << self->sub_x) - 1)
      >> self->sub_x;

  return &self->whole[(gsize) (y >> self->sub_y) * columns
      + (x >> self->sub_x)];
}

/* Copies the array @hidden of @self to the device if it has changed. FALSE: the error is
 * in @job. */
gboolean mgpu_inpaint_behind_upload (MgpuInpaintBackground * self, GstMgpuJob * job);

/* Allocates the slots (scratch buffers in device memory), and copies the array @hidden of
 * @self to the device. FALSE: the error is in @job. */
gboolean mgpu_inpaint_behind_prepare (MgpuInpaintBackground * self, GstMgpuJob * job);

/* Compares the visible pixels of the frame with the remembered background, and sets
 * *is_cut to whether the frame belongs to another scene. FALSE: the error is in @job. */
gboolean mgpu_inpaint_behind_find_cut (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, gboolean * is_cut);

/* Compares the images @filled and @base at the pixels that were never visible, and sets
 * *is_stale to whether more than 1 / @share of these pixels differ. FALSE: the error
 * is in @job. */
gboolean mgpu_inpaint_behind_find_stale (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * filled, const MgpuImage * base, guint share, gboolean * is_stale);

/* Enqueues kernels that steady the pixels that patches filled: in the image @filled, a
 * pixel becomes that of the image @first plus the change of light, which is the difference
 * of @filled and the image @base. If this difference is larger than light makes it, an
 * object came or left at the place from which the pixel is copied: then the pixel becomes
 * that of @first alone. Changes only the pixels that have 2 in the scratch buffer @which. */
void mgpu_inpaint_behind_steady (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * filled, const MgpuImage * base, const MgpuImage * first, guint which);

/* Enqueues kernels that remember the visible samples of the frame @in, and write the
 * remembered background to @plate. */
void mgpu_inpaint_behind_look (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * plate);

/* Enqueues kernels that write the frame @in to @out, with hidden samples replaced by the
 * remembered background, or by samples of @filled if no background is remembered for
 * them. */
void mgpu_inpaint_behind_show (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * filled, const MgpuImage * out);

/* Finds how far the camera has moved before the frame @in, which has the mask @mask (1 for
 * hidden pixels), and moves the remembered background along. Waits for the device. FALSE:
 * the error is in @job. */
gboolean mgpu_inpaint_camera_follow (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    const guint8 * mask);

/* Remembers the hidden pixels of @filled that were never visible, as if they had been seen in
 * one frame. */
void mgpu_inpaint_camera_adopt (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * filled);

/* Finds, in the frame @in, the objects that move around the hole. The visible samples of
 * this frame must have been remembered as background before. Waits for the device. FALSE:
 * the error is in @job. */
gboolean mgpu_inpaint_passing_follow (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in);

/* Enqueues kernels that write the moving objects behind the mask to the frame @out. */
void mgpu_inpaint_passing_show (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * out);

/* Forgets the moving objects that were followed in earlier frames. */
void mgpu_inpaint_passing_forget (MgpuInpaintBackground * self);

void mgpu_inpaint_passing_clear (MgpuInpaintBackground * self);

G_END_DECLS
