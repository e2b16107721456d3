/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/boxes.h>
#include <gst/vision/base/image.h>

G_BEGIN_DECLS

#define MGPU_PEOPLE_N_WEIGHTS (15 * 36 * 7 + 1)

/* What makes a window look like a person: 15 rows of 36 features of 7 columns
 * of blocks, and the bias. See docs/algorithms/people.md. */
extern const gfloat mgpu_people_weights[MGPU_PEOPLE_N_WEIGHTS];

/* One size of the frame. Score (column, row) is number first + row * pitch +
 * column of the scores. */
typedef struct
{
  gdouble scale;                /* pixels of the frame for one of the level */
  gint columns, rows;
  gint first, pitch;
} MgpuPeopleLevel;

typedef struct _MgpuPeople MgpuPeople;

/* Builds the kernels for frames like info, of any format. */
MgpuPeople * mgpu_people_new (GstMgpuContext * context, const GstVideoInfo * info, GError ** error);

/* Sizes of the frame that a window fits into: none in a small frame.
 * levels: (out) (transfer none) */
guint mgpu_people_get_levels (MgpuPeople * self, const MgpuPeopleLevel ** levels);

/* Bytes of the memories for mgpu_people_enqueue(). */
void mgpu_people_get_sizes (MgpuPeople * self, gsize * scores, gsize * hits);

/* Scores all windows of a frame and lists those with threshold or more. Errors
 * stay in job. */
void mgpu_people_enqueue (MgpuPeople * self, GstMgpuJob * job, gdouble threshold, const MgpuImage * in,
    GstMgpuMemory * scores, GstMgpuMemory * hits);

/* Waits, and appends a box for each hit: small ones first, then from above,
 * then from the left. threshold, scores, hits: as before */
gboolean mgpu_people_read (MgpuPeople * self, gdouble threshold, GstMgpuMemory * scores, GstMgpuMemory * hits,
    GArray * boxes, GError ** error);

void mgpu_people_free (MgpuPeople * self);

G_END_DECLS
