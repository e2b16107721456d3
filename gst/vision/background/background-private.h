/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares types and functions that the source files of inpainting with a remembered
 * background share. */
#pragma once

#include <gst/vision/base/map.h>
#include <kernels/background/background-shared.h>

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
  JUDGE,
  TELL,
  APPEAR,
  NEAR,
  DOUBT,
  SETTLE,
  FORGET,
  COUNT,
  HIDE,
  REPORT,
  DIFFER,
  SHIFT,
  ADOPT_PIXELS,
  STEADY,
  LOOK,
  SHOW,
  PAIR,
  MOVE,
  ADOPT,
  PASSING_FIND,
  PASSING_KEEP,
  PASSING_SHOW
};

/* Indices of the two masks that the object keeps: the mask of the frame that is filled next, and,
 * with look-ahead, the mask of the frame that arrived last */
typedef enum
{
  LEAVING,
  COMING,
  N_MASKS
} MgpuBackgroundMask;

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for
 * later kernels. The hole consists of the hidden pixels. Those with the comment "pixels" have
 * a byte for each pixel: see kernels/background/count.cl */
enum
{
  SAMPLES,
  MASK = SAMPLES + GST_VIDEO_MAX_COMPONENTS,    /* pixels: one scratch buffer for each mask */
  WAS = MASK + N_MASKS,         /* pixels */
  WAS_MOVED,                    /* the scratch buffers WAS, SEEN and WHOLE, shifted, when the
                                 * camera moves */
  SEEN,                         /* pixels */
  SEEN_MOVED,
  WHOLE,                        /* a byte for each sample of the smallest component */
  WHOLE_MOVED,
  HIDDEN,                       /* pixels */
  UNKNOWN,                      /* pixels; two scratch buffers: of this frame, and of the one
                                 * that was filled before */
  LEFT = UNKNOWN + 2,           /* pixels */
  PLANNED,                      /* pixels: flags PLANNED_ */
  MOVING,                       /* pixels */
  REPORTED,                     /* pixels: flags REPORT_, which the host reads before it plans */
  PARTS,                        /* number of the part of the mask that has appeared for each pixel,
                                 * then two counts for each part */
  CHANGED,                      /* a number for each pixel */
  BESIDE,                       /* pixels */
  SUMS,                         /* N_COPIES x N_COUNTERS numbers */
  STATE,                        /* N_TOLD numbers, of which kernels read CUT */
  TOLD,                         /* N_TOLD numbers of each frame, which the host reads */
  PLATE,                        /* image of the background: the remembered value of each sample */
  FILLED,                       /* the image of the scratch buffer PLATE, with pixels that
                                 * were never visible filled with patches; two scratch buffers:
                                 * of this frame, and of the last one that was filled */
  BASE = FILLED + 2,            /* image filled with the patches, in the frame in which these
                                 * patches were found */
  FIRST,                        /* output image of the frame in which the patches were found: the
                                 * image of the scratch buffer BASE, in which pixels that were
                                 * filled in earlier frames keep their values */
  AROUND,                       /* for each pixel in and around the hole, two bytes: the sample of
                                 * its first colour component, and flags; then N_TOLD numbers, so
                                 * that the host reads both at once */
  OWNERS,                       /* for each pixel in and around the hole: 1 + the index of the
                                 * track (moving object) to be shown there, or 0 */
  KEPT_PIXELS,                  /* copy of the array @kept */
  PAIRS,                        /* three bytes for each pixel, which the kernel
                                 * background_pair() writes */
  SPARE,                        /* one scratch buffer for each colour component, to which the
                                 * content of the scratch buffer SAMPLES + i is copied when the
                                 * camera moves; the two then change places */
  KEPT = SPARE + GST_VIDEO_MAX_COMPONENTS,      /* one scratch buffer for each track (moving object): the samples of
                                 * the pixels in and around the hole, for each colour
                                 * component, in the frame from which the track's template
                                 * was taken */
  N_BACKGROUND_SLOTS = KEPT + MGPU_INPAINT_TRACKS
};

/* A mask on the host: the pixels that the caller gave, and these pixels enlarged to whole samples
 * of all components */
typedef struct
{
  guint8 *given;                /* for each pixel: whether it is to be filled */
  guint8 *hidden;               /* for each pixel: whether it shares a sample of any component
                                 * with a pixel that is to be filled */
  guint serial;                 /* number of this content, which no other mask has */
  gboolean changed;             /* whether @hidden was not copied to the device yet */
} MgpuBackgroundHole;

struct _MgpuInpaintBackground
{
  MgpuObject object;
  GstVideoInfo info;            /* format and size of the frames; rows have no gaps */
  gsize row[2];                 /* size of a work-group; its n work-items process every n-th
                                 * element of a row of an image */

  MgpuInpaintParams params;
  MgpuBackgroundHole holes[N_MASKS];
  guint serial;                 /* serial number of the newest mask */
  guint8 *was;                  /* mask of the frame that was remembered last, shifted with the
                                 * camera, as in the scratch buffer WAS */
  guint was_serial;             /* serial number of @was; 0 when @was was shifted */
  guint8 *forbidden;            /* for each pixel: 1 when it must never be
                                 * copied into the hole; may be NULL */
  /* arrays with a byte for each pixel, in the frame for which patches were last searched:
   * @extra is 1 for pixels near unknown ones whose background was not settled; @planned is 1
   * for the pixels that patches fill: unknown ones and those of @extra */
  guint8 *planned, *extra;
  guint8 *kept;                 /* for each pixel: 2 when it keeps the value with which it was
                                 * filled before patches were searched anew; NULL: none does */
  gboolean has_kept;            /* whether the scratch buffer FIRST has the values of the pixels of
                                 * @kept */
  gboolean has_extra;           /* whether any pixel of @extra is set */
  guint n_seen, n_unseen;       /* numbers of hidden pixels: @n_seen of those whose background
                                 * colour is remembered, @n_unseen of the others */
  guint unknown_at, filled_at;  /* index, 0 or 1, of the scratch buffer UNKNOWN of this frame, and
                                 * of the scratch buffer FILLED of the last frame that was
                                 * filled */
  guint age;                    /* number of frames of the present scene so far */
  gboolean has_first;           /* whether the scratch buffer FIRST holds the first image
                                 * that was filled with the patches now in use */
  gboolean is_first;            /* whether the next frame is the first of a scene, so that no
                                 * background is remembered */
  gboolean is_new_scene;        /* whether a scene has begun since the last frame was filled */
  gboolean is_planned;          /* whether the MgpuInpaint object has the array @planned as its
                                 * mask */
  /* The patches are replaced in the next frame when more than 1 / @stale_share of the compared
   * pixels have changed; 0: no pixels were compared; G_MAXUINT: the patches are replaced in any
   * case. @stale_share belongs to the frame before, @next_share to the current frame */
  guint stale_share, next_share;
  MgpuInpaintResult result;

  gboolean camera_moves;        /* whether the camera moves, so that it has to be followed */
  gint x, y;                    /* how far the camera has moved since the scene began, in pixels */
  guint sub_x, sub_y;           /* numbers of bits by which coordinates of the frame are shifted
                                 * right to get coordinates of the smallest colour component */

  gboolean has_passing;         /* whether moving objects behind the mask are shown */
  guint8 *still;                /* for each pixel: whether it was hidden in the last frame in
                                 * which passing objects were to be shown; NULL before the first
                                 * such frame */
  guint still_serial;           /* serial number of the mask of that frame */
  MgpuRect around;              /* part of the frame, around the hole, in which moving objects are
                                 * followed */
  MgpuInpaintTracks *tracks;    /* the moving objects that are followed; NULL when none are
                                 * followed because the mask moved, is empty or is too large */
  guint8 *found, *owners;       /* copies, on the host, of the scratch buffers AROUND and
                                 * OWNERS */
  guint shown;                  /* tracks (moving objects) that are shown in the hole: bit i is
                                 * set for track i */
};

/* Returns: the number of pixels of a frame */
static inline gsize
mgpu_background_count_pixels (const MgpuInpaintBackground * self)
{
  return (gsize) GST_VIDEO_INFO_WIDTH (&self->info)
      * GST_VIDEO_INFO_HEIGHT (&self->info);
}

/* Sets *columns and *rows to the size of the smallest component. */
void mgpu_background_get_smallest (const MgpuInpaintBackground * self, gint * columns, gint * rows);

/* ---- behind.c: kernels ------------------------------------------------------------ */

/* Allocates the slots (scratch buffers in device memory), and copies the mask @mask to the
 * device if it has changed. FALSE: the error is in @job. */
gboolean mgpu_background_prepare (MgpuInpaintBackground * self, GstMgpuJob * job, MgpuBackgroundMask mask);

/* Enqueues the kernel that compares the visible pixels of the frame @in with the remembered
 * background. */
void mgpu_background_compare (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    MgpuBackgroundMask mask);

/* Enqueues the kernel that decides whether the frame begins a scene: because the member
 * @is_first of @self is TRUE, or by what mgpu_background_compare() found. */
void mgpu_background_judge (MgpuInpaintBackground * self, GstMgpuJob * job);

/* Enqueues kernels that forget the remembered samples of those pixels of the mask @mask that may
 * not have been background: pixels of objects that have just appeared, or of pieces of
 * objects. */
void mgpu_background_doubt (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    MgpuBackgroundMask mask);

/* Enqueues kernels that remember the visible samples of the frame @in, and write the
 * remembered background to @plate. */
void mgpu_background_remember (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * plate, MgpuBackgroundMask mask);

/* Enqueues the kernel that finds, for each pixel that the mask LEAVING hides, whether its
 * background is known, and counts these pixels. */
void mgpu_background_hide (MgpuInpaintBackground * self, GstMgpuJob * job);

/* Enqueues the kernel that writes the counts to the scratch buffer @slot, beginning at the number
 * with the index @first. */
void mgpu_background_tell (MgpuInpaintBackground * self, GstMgpuJob * job, guint slot, gint first);

/* Sets each byte of @report, which has one for each pixel, to the flags REPORT_ of the pixel.
 * Waits for the device. FALSE: the error is in @job. */
gboolean mgpu_background_report (MgpuInpaintBackground * self, GstMgpuJob * job, guint8 * report);

/* Enqueues the kernel that compares the images @filled and @base at the pixels that were
 * never visible. */
void mgpu_background_check (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * filled,
    const MgpuImage * base);

/* Enqueues kernels that steady the pixels that patches filled: a pixel of the image @filled
 * becomes the pixel of the image @first plus the change of light, which is the difference between
 * @filled and the image @base. If this difference is larger than a change of light can be, an
 * object has appeared or disappeared at the position from which the pixel is copied: then the
 * pixel becomes the pixel of @first alone. Changes only the pixels that have 2 in the scratch
 * buffer @which. */
void mgpu_background_steady (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * filled,
    const MgpuImage * base, const MgpuImage * first, guint which);

/* Enqueues kernels that write the frame @in to @out, with hidden samples replaced by the
 * remembered background, or by samples of @filled if no background is remembered for
 * them. */
void mgpu_background_show (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * filled, const MgpuImage * out);

/* ---- camera.c --------------------------------------------------------------------- */

/* Finds how far the camera has moved before the frame @in, which has the mask LEAVING, and shifts
 * the remembered background by as much. Waits for the device. FALSE: the error is in @job. */
gboolean mgpu_background_follow_camera (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in);

/* Remembers the hidden pixels of @filled that were never visible, as if they had been seen in
 * one frame. */
void mgpu_background_adopt (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * filled);

/* ---- passing.c -------------------------------------------------------------------- */

/* Returns: whether objects that move around the hole are to be followed in the next frame:
 * the mask is the same as in the frame before, and there is a hole of a suitable size */
gboolean mgpu_background_begin_passing (MgpuInpaintBackground * self);

/* Enqueues kernels that compare the frame @in with the background around the hole, in the
 * scratch buffer AROUND. Sets *first to the index of the number in it at which
 * mgpu_background_tell() writes. The visible samples of this frame must have been remembered
 * before. FALSE: the error is in @job. */
gboolean mgpu_background_find_passing (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    gint * first);

/* Follows the moving objects, from the array @found of @self, the host's copy of the scratch
 * buffer AROUND; enqueues kernels that keep the pixels of these objects in the frame @in. FALSE:
 * the error is in @job. */
gboolean mgpu_background_follow_passing (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in);

/* Enqueues kernels that write the moving objects behind the mask to the frame @out. */
void mgpu_background_show_passing (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * out);

/* Forgets the moving objects that were followed in earlier frames. */
void mgpu_background_forget_passing (MgpuInpaintBackground * self);

void mgpu_background_clear_passing (MgpuInpaintBackground * self);

G_END_DECLS
