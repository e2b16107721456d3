/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Matches the descriptors of keypoints by brute force. */
#include "match.h"

#include <kernels/match/match-shared.h>

/* Number of fraction bits of the fixed-point limit for the ratio test, that is, of the ratio of
 * the distances to the nearest and the second nearest train descriptor. With 20, the square of a
 * ratio times any distance fits into 64 bits. */
#define RATIO_BITS 20

/* Largest number of parts into which the list of trains (the descriptors that are searched) is
 * divided. Different work-items search the parts, which keeps a device busy even if there are
 * few queries. */
#define MAX_PARTS 64

/* Indices into the array @knobs, which lists the tuning parameters (knobs) of the kernels */
enum
{
  EDGE,
  GROUPS
};

static const MgpuKnob knobs[] = {
  [EDGE] = {"EDGE", {1, 16, 8}, "1 8 16",
      "width and height of a work-group, in work-items (1: single "
      "work-items, which use vectors)"},
  [GROUPS] = {"GROUPS", {1, 4, 4}, "1 2 4 8",
      "number of work-groups that keep a compute unit busy"},
  {NULL}
};

/* Indices into the array @kernels, which lists the OpenCL kernels that compare
 * descriptors */
enum
{
  SEARCH,
  MERGE
};

static const MgpuKernel kernels[] = {
  [SEARCH] = {"match/match", "match_search", 0},
  [MERGE] = {"match/match", "match_merge", 0},
  {NULL}
};

/* Halves the tuning parameter EDGE until the device allows work-groups of EDGE x EDGE
 * work-items. */
static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuObject *self = object;
  gint limit = self->traits->max_work_group_size;

  while (self->knobs[EDGE] > 8
      && self->knobs[EDGE] * self->knobs[EDGE] > limit)
    self->knobs[EDGE] /= 2;
  return TRUE;
}

static guint
divide_up (guint a, guint b)
{
  return (a + b - 1) / b;
}

/* Divides @m trains (the descriptors that are searched for the nearest one to each of @n
 * queries) into parts of whole tiles. A tile consists of the train descriptors that a work-group
 * compares at once. Returns: the number of tiles of a part */
static guint
choose_part (MgpuObject * self, guint n, guint m)
{
  gint edge = self->knobs[EDGE];
  guint most = self->knobs[GROUPS] * MAX (self->traits->compute_units, 1);
  guint groups = divide_up (n, QUERIES_OF (edge));
  guint tiles = divide_up (m, TRAINS_OF (edge));
  guint parts = CLAMP (most / groups, 1, MIN (tiles, MAX_PARTS));

  return divide_up (tiles, parts);
}

static guint
count_parts (MgpuObject * self, guint n, guint m)
{
  return divide_up (divide_up (m, TRAINS_OF (self->knobs[EDGE])),
      choose_part (self, n, m));
}

gsize
mgpu_match_get_scratch_size (MgpuObject * self, guint n, guint m)
{
  return (gsize) n * count_parts (self, n, m) * LANES_OF (self->knobs[EDGE])
      * ROWS * sizeof (gint32);
}

void
mgpu_match_enqueue (MgpuObject * self, GstMgpuJob * job,
    GstMgpuMemory * queries, guint n, GstMgpuMemory * trains, guint m,
    GstMgpuMemory * scratch, GstMgpuMemory * nearest)
{
  gint edge = self->knobs[EDGE], parts = count_parts (self, n, m);
  const gsize local[2] = { edge, edge };
  cl_mem left = gst_mgpu_job_write (job, scratch);

  gst_mgpu_job_set_args (job, self->kernels[SEARCH], "mimiim",
      gst_mgpu_job_read (job, queries), (gint) n,
      gst_mgpu_job_read (job, trains), (gint) m,
      (gint) choose_part (self, n, m), left);
  mgpu_launch (job, self->kernels[SEARCH], n, parts * edge,
      QUERIES_OF (edge) / edge, 1, local);
  gst_mgpu_job_set_args (job, self->kernels[MERGE], "miim", left, (gint) n,
      parts, gst_mgpu_job_write (job, nearest));
  mgpu_launch_items (job, self->kernels[MERGE], n, 64);
}

guint
mgpu_match_select (const MgpuNearest * nearest, guint n,
    const MgpuNearest * back, guint m, gdouble ratio,
    GstMgpuKeypointMatch * matches)
{
  guint64 r = ratio * (1 << RATIO_BITS) + 0.5;
  guint n_matches = 0;

  for (guint i = 0; i < n; i++) {
    const MgpuNearest *found = &nearest[i];

    /* Skips a query if the index of its nearest train descriptor is out of range. Only a faulty
     * device can write such an index. */
    if (found->train >= m)
      continue;
    if (ratio < 1 && found->second != G_MAXUINT32
        && ((guint64) found->distance << (2 * RATIO_BITS)) >=
        r * r * found->second)
      continue;
    if (back != NULL && back[found->train].train != i)
      continue;
    matches[n_matches].query = i;
    matches[n_matches].train = found->train;
    matches[n_matches].distance = found->distance;
    n_matches++;
  }
  return n_matches;
}

const MgpuAlgorithm mgpu_match = {
  .size = sizeof (MgpuObject),
  .knobs = knobs,
  .kernels = kernels,
  .init = init
};
