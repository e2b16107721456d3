/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Types and functions shared by the source files that inpaint with a remembered background. */
#pragma once

#include <gst/vision/base/map.h>
#include <kernels/background/background-shared.h>

#include "background.h"
#include "tracks.h"

G_BEGIN_DECLS

/* Two samples count as equal when they differ by at most 1 / NEAR_PART of the range of sample
 * values. For chroma samples, the limit is 1 / NEAR_PART_OF_CHROMA */
#define NEAR_PART 16
#define NEAR_PART_OF_CHROMA 32

/* Indices into the array @kernels: the OpenCL kernels that compare and remember the background,
 * and those that draw the moving objects that pass behind the mask */
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
  PASSING_SHOW,
  RELIGHT
};

/* Indices of the two masks that the object keeps. LEAVING: the mask of the frame that is filled
 * next. COMING, used with look-ahead: the mask of the frame that arrived last */
typedef enum
{
  LEAVING,
  COMING,
  N_MASKS
} MgpuBackgroundMask;

/* Indices of the slots: scratch buffers in device memory, in which kernels leave data for later
 * kernels. A slot with the comment "pixels" has a byte for each pixel: see
 * kernels/background/count.cl. "The hole" means the hidden pixels */
enum
{
  SAMPLES,
  MASK = SAMPLES + GST_VIDEO_MAX_COMPONENTS,    /* pixels: one scratch buffer for each mask */
  WAS = MASK + N_MASKS,         /* pixels */
  WAS_MOVED,                    /* content of the scratch buffer WAS, SEEN or WHOLE after it was
                                 * shifted to follow the moving camera */
  SEEN,                         /* pixels */
  SEEN_MOVED,
  WHOLE,                        /* a byte for each sample of the smallest component */
  WHOLE_MOVED,
  HIDDEN,                       /* pixels */
  UNKNOWN,                      /* pixels; two scratch buffers: one for this frame, one for the
                                 * frame that was filled before */
  LEFT = UNKNOWN + 2,           /* pixels */
  PLANNED,                      /* pixels: flags PLANNED_ */
  MOVING,                       /* pixels */
  REPORTED,                     /* pixels: flags REPORT_, which the host reads before it plans
                                 * the filling */
  PARTS,                        /* a number for each pixel: which part of the mask that has
                                 * appeared it belongs to. Then two counts for each part */
  CHANGED,                      /* a number for each pixel */
  BESIDE,                       /* pixels */
  SUMS,                         /* N_COPIES x N_COUNTERS numbers */
  STATE,                        /* N_TOLD numbers; kernels read only the number CUT */
  TOLD,                         /* the N_TOLD numbers of a frame that the host reads */
  PLATE,                        /* image of the background: the remembered value of each sample */
  FILLED,                       /* the image of the scratch buffer PLATE, in which patches fill
                                 * the pixels that were never visible. Two scratch buffers: one
                                 * for this frame, one for the last frame that was filled */
  BASE = FILLED + 2,            /* the frame in which the patches now in use were found, filled
                                 * with these patches */
  FIRST,                        /* output image of the frame in which the patches were found. It
                                 * differs from the image of the scratch buffer BASE where
                                 * pixels keep the values with which earlier frames were filled */
  AROUND,                       /* for each pixel in and around the hole, two bytes: the sample
                                 * of its first color component, and flags. Then N_TOLD
                                 * numbers: the host reads both with one transfer */
  OWNERS,                       /* for each pixel in and around the hole: 1 + the index of the
                                 * track (moving object) that is shown there, or 0 */
  KEPT_PIXELS,                  /* copy of the array @kept */
  PAIRS,                        /* three bytes for each pixel, written by the kernel
                                 * background_pair() */
  SPARE,                        /* one scratch buffer for each color component. When the camera
                                 * moves, the samples of the scratch buffer SAMPLES + i are
                                 * copied, shifted, to SPARE + i; then the two scratch buffers
                                 * are exchanged */
  KEPT = SPARE + GST_VIDEO_MAX_COMPONENTS,      /* one scratch buffer for each track (moving
                                                 * object): the samples of all color components
                                                 * of the pixels in and around the hole. They
                                                 * are from the frame in which the track's
                                                 * template was taken */
  LIT = KEPT + MGPU_INPAINT_TRACKS,     /* one scratch buffer for each color component: the light
                                         * of each sample, see kernels/background/relight.cl */
  RELIGHT_TABLE = LIT + GST_VIDEO_MAX_COMPONENTS,
  N_BACKGROUND_SLOTS
};

/* A mask on the host: the pixels that the caller gave, and the same pixels enlarged to whole
 * samples of all components */
typedef struct
{
  guint8 *given;                /* for each pixel: whether it is to be filled */
  guint8 *hidden;               /* for each pixel: whether it shares a sample of any component
                                 * with a pixel that has to be filled */
  guint serial;                 /* serial number of this content; no other mask has the same
                                 * number */
  gboolean changed;             /* whether @hidden still has to be copied to the device */
} MgpuBackgroundHole;

struct _MgpuInpaintBackground
{
  MgpuObject object;
  GstVideoInfo info;            /* format and size of the frames; rows have no padding */
  gsize row[2];                 /* size of a work-group. A work-group processes one row of an
                                 * image: each of its n work-items processes every n-th element
                                 * of the row */

  MgpuInpaintParams params;
  MgpuBackgroundHole holes[N_MASKS];
  guint serial;                 /* serial number of the newest mask */
  guint8 *was;                  /* mask of the last frame that was remembered, shifted with the
                                 * camera; the scratch buffer WAS has the same content */
  guint was_serial;             /* serial number of the mask in @was; 0 if @was was shifted */
  guint8 *forbidden;            /* for each pixel: 1 if it must never be copied into the hole;
                                 * NULL if every pixel may be copied */
  /* Arrays with a byte for each pixel. They describe the frame for which patches were last
   * searched for.
   * @extra: 1 for a pixel near unknown pixels whose own background was not settled.
   * @planned: 1 for a pixel that patches fill: an unknown pixel, or one that is set in @extra */
  guint8 *planned, *extra;
  guint8 *kept;                 /* for each pixel: 2 if it keeps the value with which it was
                                 * filled before the last search for patches, else 0; NULL if no
                                 * pixel keeps its value */
  gboolean has_kept;            /* whether the scratch buffer FIRST holds the values of the
                                 * pixels that are set in @kept */
  gboolean has_extra;           /* whether any pixel of @extra is set */
  guint n_seen, n_unseen;       /* number of hidden pixels whose background color is
                                 * remembered, and number of the other hidden pixels */
  guint unknown_at, filled_at;  /* which of two scratch buffers is in use, 0 or 1. @unknown_at:
                                 * UNKNOWN of this frame. @filled_at: FILLED of the last frame
                                 * that was filled */
  guint age;                    /* number of frames of the present scene so far */
  gboolean has_first;           /* whether the scratch buffer FIRST holds the first image that
                                 * was filled with the current patches */
  gboolean is_first;            /* whether the next frame is the first of a scene: no background
                                 * is remembered yet */
  gboolean is_new_scene;        /* whether a scene has begun since the last frame was filled */
  gboolean is_planned;          /* whether the array @planned is the current mask of the
                                 * MgpuInpaint object */
  /* When more than 1 / @stale_share of the compared pixels have changed, the next frame gets
   * new patches. @stale_share is for the comparison made in the frame before, @next_share for
   * the one made in the current frame. 0: no pixels were compared. G_MAXUINT: the patches are
   * replaced in any case */
  guint stale_share, next_share;
  MgpuInpaintResult result;

  gboolean camera_moves;        /* whether the camera moves: the background is then shifted with
                                 * it */
  gint x, y;                    /* how far the camera has moved since the scene began, in pixels */
  guint sub_x, sub_y;           /* horizontal and vertical subsampling of the smallest color
                                 * component: numbers of bits by which coordinates of the frame
                                 * are shifted right to get coordinates of this component */

  gboolean has_passing;         /* whether moving objects stay visible when they pass behind the
                                 * mask */
  guint8 *still;                /* mask of the last frame in which passing objects were to be
                                 * shown: for each pixel, whether it was hidden. NULL before the
                                 * first such frame */
  guint still_serial;           /* serial number of the mask @still */
  MgpuRect around;              /* part of the frame, around the hole, in which moving objects are
                                 * followed */
  MgpuInpaintTracks *tracks;    /* the moving objects that are followed; NULL while none are
                                 * followed: the mask moved, is empty, or is too large */
  guint8 *found, *owners;       /* copies, on the host, of the scratch buffers AROUND and OWNERS */
  gboolean has_light;           /* whether the scratch buffers LIT have the illumination of the last
                                 * frame */
  gboolean is_lit;              /* whether the remembered background was adapted to the illumination
                                 * of the next frame */
  guint light_number;           /* number of the background relative to which that illumination was
                                 * measured */
  GArray *light_table;          /* copy of the content of the scratch buffer RELIGHT_TABLE, or
                                 * NULL */
  guint shown;                  /* tracks (moving objects) that are shown in the hole: bit i for
                                 * track i */
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

/* ---- relight.c -------------------------------------------------------------------- */

/* Enqueues the kernels that adapt the remembered background to @light (nullable), the illumination
 * of the frame with the mask COMING. mgpu_background_prepare() was called for this mask. Errors
 * stay in @job. */
void mgpu_background_relight (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuBackgroundLight * light);

/* ---- behind.c: kernels ------------------------------------------------------------ */

/* Allocates the slots (scratch buffers in device memory), and copies the mask @mask to the
 * device if it has changed.
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_background_prepare (MgpuInpaintBackground * self, GstMgpuJob * job, MgpuBackgroundMask mask);

/* Enqueues the kernel that compares the visible pixels of the frame @in with the remembered
 * background. */
void mgpu_background_compare (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    MgpuBackgroundMask mask);

/* Enqueues the kernel that decides whether the frame begins a scene. It does if the member
 * @is_first of @self is TRUE, or if mgpu_background_compare() found too many differences. */
void mgpu_background_judge (MgpuInpaintBackground * self, GstMgpuJob * job);

/* Enqueues kernels that forget remembered samples which may show an object instead of the
 * background: samples of pixels of the mask @mask where an object, or a piece of one, has just
 * appeared. */
void mgpu_background_doubt (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    MgpuBackgroundMask mask);

/* Enqueues kernels that remember the visible samples of the frame @in, and write the
 * remembered background to @plate. */
void mgpu_background_remember (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * plate, MgpuBackgroundMask mask);

/* Enqueues the kernel that finds, for each pixel hidden by the mask LEAVING, whether its
 * background is known. The kernel also counts the pixels whose background is known, and the
 * others. */
void mgpu_background_hide (MgpuInpaintBackground * self, GstMgpuJob * job);

/* Enqueues the kernel that writes the counts to the scratch buffer @slot, starting at the
 * element @first (a number has 4 bytes). */
void mgpu_background_tell (MgpuInpaintBackground * self, GstMgpuJob * job, guint slot, gint first);

/* Sets each byte of @report, an array of one byte for each pixel, to the flags REPORT_ of the
 * pixel. Waits for the device.
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_background_report (MgpuInpaintBackground * self, GstMgpuJob * job, guint8 * report);

/* Enqueues the kernel that compares the images @filled and @base at the pixels that were never
 * visible. The comparison shows whether new patches are needed. */
void mgpu_background_check (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * filled,
    const MgpuImage * base);

/* Enqueues kernels that steady the pixels that patches filled, where the scratch buffer @which
 * is 2: they follow a change of light, but not a moving object. A pixel of the image @filled
 * becomes the pixel of the image @first plus the difference between @filled and the image
 * @base. If this difference is too large for a change of light, an object has appeared or
 * disappeared at the position from which the pixel is copied; the pixel then becomes the pixel
 * of @first alone. */
void mgpu_background_steady (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * filled,
    const MgpuImage * base, const MgpuImage * first, guint which);

/* Enqueues kernels that write the frame @in to @out. Hidden samples are replaced by the
 * remembered background or, where no background is remembered, by the samples of @filled. */
void mgpu_background_show (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * filled, const MgpuImage * out);

/* ---- camera.c --------------------------------------------------------------------- */

/* Finds how far the camera has moved between the previous frame and the frame @in, and shifts
 * the remembered background by this distance. The mask LEAVING is the mask of @in. Waits for
 * the device.
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_background_follow_camera (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in);

/* Remembers the hidden pixels of @filled that were never visible, as if they had been visible
 * in one frame with the colors of @filled. */
void mgpu_background_adopt (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * filled);

/* ---- passing.c -------------------------------------------------------------------- */

/* Returns: whether to follow, in the next frame, the objects that move around the hole: TRUE if
 * the mask is the same as in the frame before, and the hole is neither empty nor too large */
gboolean mgpu_background_begin_passing (MgpuInpaintBackground * self);

/* Enqueues kernels that compare the frame @in with the background in and around the hole, and
 * write the result to the scratch buffer AROUND. The visible samples of this frame must have
 * been remembered before. Sets *first to the index of the element of AROUND at which
 * mgpu_background_tell() is to write.
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_background_find_passing (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in,
    gint * first);

/* Follows the moving objects in self->found, the host's copy of the scratch buffer AROUND.
 * Enqueues kernels that keep the pixels of these objects in the frame @in.
 * Returns: FALSE after an error, which is in @job */
gboolean mgpu_background_follow_passing (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * in);

/* Enqueues kernels that write the moving objects behind the mask to the frame @out. */
void mgpu_background_show_passing (MgpuInpaintBackground * self, GstMgpuJob * job, const MgpuImage * out);

/* Forgets the moving objects that were followed in earlier frames. */
void mgpu_background_forget_passing (MgpuInpaintBackground * self);

void mgpu_background_clear_passing (MgpuInpaintBackground * self);

G_END_DECLS
