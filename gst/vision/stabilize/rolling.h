/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the motion of a camera whose rows are read one after the other (rolling shutter), on the
 * host: see docs/algorithms/stabilize.md. The code uses only + - * / and sqrt in a fixed order. All
 * machines therefore give the same bits. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Maximum number of frames to whose tracks a path is fitted */
#define MGPU_ROLLING_FRAMES 3

/* Number of intervals between knots in the time of a frame */
#define MGPU_ROLLING_KNOTS 4

/* Maximum number of coefficients of a path, which is needed if the readout time is the whole frame
 * interval */
#define MGPU_ROLLING_COEFFICIENTS (MGPU_ROLLING_FRAMES * MGPU_ROLLING_KNOTS + 4)

/**
 * MgpuRollingPath:
 * @width, @height: size of the frames, in pixels
 * @share: readout time of the rows of a frame, as a fraction of the frame interval, 0 to 1
 * @n: number of coefficients
 * @values: coefficients of cubic B-splines, at most MGPU_ROLLING_COEFFICIENTS of them: of a, b, x
 *   and y of the similarity (a -b x; b a y) from positions seen at a time to positions that do not
 *   depend on time. Positions are relative to the center of the frame, in half its height.
 * @n_frames: number of frames, 2 or 3. The middle row of frame i is read at the time i, in frames
 * @n_inliers: number of tracks between the last two frames that agree with the path
 * @residual: median distance of tracks from the path, in pixels
 *
 * The path of a camera during a few frames.
 */
typedef struct
{
  gint width, height;
  gdouble share;
  guint n;
  gdouble values[MGPU_ROLLING_COEFFICIENTS][4];
  guint n_frames, n_inliers;
  gdouble residual;
} MgpuRollingPath;

/**
 * MgpuRollingTracks:
 * @pairs: for each track x and y in a frame and in the next one, in units of @zoom pixels
 * @n: number of tracks
 *
 * Positions of the same points in two neighboring frames.
 */
typedef struct
{
  const gfloat *pairs;
  guint n;
  gdouble zoom;
} MgpuRollingTracks;

/* Fits the path of a camera to the tracks of @n_frames frames: @tracks has @n_frames - 1 elements.
 * Sets @path, whose members @width, @height and @share are read.
 * Returns: FALSE if there are too few tracks, or too few of the last two frames agree */
gboolean mgpu_rolling_fit (const MgpuRollingTracks * tracks, guint n_frames, MgpuRollingPath * path);

/* Sets @motion to the motion from the middle row of frame @i - 1 to the middle row of frame @i:
 * a homography, in pixels from the center of the frame. */
void mgpu_rolling_get_motion (const MgpuRollingPath * path, guint i, gdouble motion[9]);

/* Sets @place to a position in frame @i. It shows the content that would be at the position
 * @straight if all rows of the frame had been read at the same time as the middle row. Positions
 * are in pixels from the center of the frame. */
void mgpu_rolling_find (const MgpuRollingPath * path, guint i, const gdouble straight[2], gdouble place[2]);

/* Sets @most to the largest distances, along x and y, by which mgpu_rolling_find() moves positions at the
 * edges of frame @i, in pixels. */
void mgpu_rolling_get_reach (const MgpuRollingPath * path, guint i, gdouble most[2]);

/* Number of frames from which the readout time (share) is estimated, and number of shares that are
 * tried at the same time */
#define MGPU_ROLLING_SEARCH 60
#define MGPU_ROLLING_SHARES 6

/**
 * MgpuRollingSearch:
 * @is_found: whether @share was found
 * @share: the readout time, as a fraction of the frame interval
 * @sums: sums of squares of the residuals of paths with the shares that are tried
 * @n: number of frames in @sums
 * @is_fine: whether shares near the best one are tried
 *
 * The search for the readout time of a camera (share), as a fraction of the frame interval. Zero
 * the struct before its first use.
 */
typedef struct
{
  gboolean is_found;
  gdouble share;
  gdouble sums[MGPU_ROLLING_SHARES];
  guint n;
  gboolean is_fine;
} MgpuRollingSearch;

/**
 * MgpuRollingAnswer:
 * @MGPU_ROLLING_OPEN: more frames are needed
 * @MGPU_ROLLING_FOUND: the readout time (share) was found
 * @MGPU_ROLLING_UNKNOWN: the camera moved too little, and the search has begun again
 */
typedef enum
{
  MGPU_ROLLING_OPEN,
  MGPU_ROLLING_FOUND,
  MGPU_ROLLING_UNKNOWN
} MgpuRollingAnswer;

/* Adds the tracks of MGPU_ROLLING_FRAMES frames of @width x @height pixels to a search that has not
 * found the readout time yet. */
MgpuRollingAnswer mgpu_rolling_search_add (MgpuRollingSearch * search, const MgpuRollingTracks * tracks, gint width,
    gint height);

G_END_DECLS
