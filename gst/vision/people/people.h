/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/boxes.h>
#include <gst/vision/base/image.h>

G_BEGIN_DECLS

#define MGPU_PEOPLE_N_WEIGHTS (15 * 36 * 7 + 1)

/* Weights of the features of a window, whose sum is the score for a person: 15 rows of
 * blocks, 36 features of a block, 7 columns of blocks, and last the bias. See
 * docs/algorithms/people.md. */
extern const gfloat mgpu_people_weights[MGPU_PEOPLE_N_WEIGHTS];

/* Describes the windows in the frame scaled to one size. The window at (column, row) has
 * number first + row * pitch + column among all scores. */
typedef struct
{
  gdouble scale;                /* ratio of the widths of the frame and the level */
  gint columns, rows;
  gint first, pitch;
} MgpuPeopleLevel;

typedef struct _MgpuPeople MgpuPeople;

/* Makes an object for frames of the format and size of info, any format, and builds its
 * kernels. */
MgpuPeople * mgpu_people_new (GstMgpuContext * context, const GstVideoInfo * info, GError ** error);

/* Gets the levels: the sizes of the frame into which a window fits. A small frame has
 * none. The parameter levels is (out) (transfer none). Returns: the number of levels */
guint mgpu_people_get_levels (MgpuPeople * self, const MgpuPeopleLevel ** levels);

/* Sets *scores and *hits to the sizes of the memories that mgpu_people_enqueue() writes,
 * in bytes. */
void mgpu_people_get_sizes (MgpuPeople * self, gsize * scores, gsize * hits);

/* Scores all windows of a frame, and lists the hits: windows whose score is at least
 * threshold. Errors stay in job. */
void mgpu_people_enqueue (MgpuPeople * self, GstMgpuJob * job, gdouble threshold, const MgpuImage * in,
    GstMgpuMemory * scores, GstMgpuMemory * hits);

/* Waits for the scores and hits, and appends a box for each hit: small boxes first, boxes
 * of one size from top to bottom and from left to right. The parameters threshold, scores
 * and hits are those given to mgpu_people_enqueue(). */
gboolean mgpu_people_read (MgpuPeople * self, gdouble threshold, GstMgpuMemory * scores, GstMgpuMemory * hits,
    GArray * boxes, GError ** error);

void mgpu_people_free (MgpuPeople * self);

G_END_DECLS
