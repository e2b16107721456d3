/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "match.h"

#include <gst/vision/base/kernels.h>

/* As in kernels/match/match.cl */
#define ROWS 3
#define CPU_QUERIES 64
#define CPU_TRAINS 32
#define CPU_LANES 16
#define SIDE 4

/* Ratios are multiples of 2^-20: their squares times any distance fit into 64
 * bits. */
#define RATIO_BITS 20

/* Parts of the trains for each of which a work-item or work-group is started
 * where there would be few otherwise. */
#define MAX_PARTS 64

/* Work-groups that keep a compute unit of a GPU busy. */
#define GROUPS_PER_UNIT 4

struct _MgpuMatch
{
  gsize edge;                   /* of a work-group */
  guint queries;                /* of a work-group */
  guint trains;                 /* of a tile */
  guint lanes;
  guint n_groups;               /* that are worth starting */
  cl_kernel search, merge;
};

static void
choose_knobs (MgpuMatch * self, const GstMgpuTraits * traits)
{
  guint units = MAX (traits->compute_units, 1);

  if (traits->device_class == GST_MGPU_DEVICE_CLASS_CPU) {
    self->edge = 1;
    self->queries = CPU_QUERIES;
    self->trains = CPU_TRAINS;
    self->lanes = CPU_LANES;
    self->n_groups = units;
    return;
  }
  self->edge = traits->device_class == GST_MGPU_DEVICE_CLASS_DISCRETE
      && traits->max_work_group_size >= 256 ? 16 : 8;
  self->queries = self->trains = SIDE * self->edge;
  self->lanes = self->edge;
  self->n_groups = GROUPS_PER_UNIT * units;
}

MgpuMatch *
mgpu_match_new (GstMgpuContext * context, GError ** error)
{
  MgpuMatch *self = g_new0 (MgpuMatch, 1);
  GstMgpuProgram *program;
  gchar *options;

  choose_knobs (self, gst_mgpu_context_get_traits (context));
  options = g_strdup_printf ("-DEDGE=%d", (gint) self->edge);
  program = mgpu_kernels_build (context, "match/match", options, error);
  g_free (options);
  if (program != NULL)
    self->search = gst_mgpu_program_create_kernel (program, "match_search",
        error);
  if (self->search != NULL)
    self->merge = gst_mgpu_program_create_kernel (program, "match_merge",
        error);
  g_clear_object (&program);
  if (self->merge == NULL)
    g_clear_pointer (&self, mgpu_match_free);
  return self;
}

static guint
divide_up (guint a, guint b)
{
  return (a + b - 1) / b;
}

/* Tiles of a part. */
static guint
choose_part (MgpuMatch * self, guint n, guint m)
{
  guint groups = divide_up (n, self->queries);
  guint tiles = divide_up (m, self->trains);
  guint parts = CLAMP (self->n_groups / groups, 1, MIN (tiles, MAX_PARTS));

  return divide_up (tiles, parts);
}

static guint
count_parts (MgpuMatch * self, guint n, guint m)
{
  return divide_up (divide_up (m, self->trains), choose_part (self, n, m));
}

gsize
mgpu_match_get_scratch_size (MgpuMatch * self, guint n, guint m)
{
  return (gsize) n * count_parts (self, n, m) * self->lanes * ROWS
      * sizeof (gint32);
}

void
mgpu_match_enqueue (MgpuMatch * self, GstMgpuJob * job, GstMgpuMemory * queries,
    guint n, GstMgpuMemory * trains, guint m, GstMgpuMemory * scratch,
    GstMgpuMemory * nearest)
{
  guint parts = count_parts (self, n, m);
  gsize local[2] = { self->edge, self->edge };
  gsize global[2] = { divide_up (n, self->queries) * self->edge,
    parts * self->edge
  };
  gsize merge_local = 64, merge_global = GST_ROUND_UP_64 ((gsize) n);
  cl_mem left = gst_mgpu_job_write (job, scratch);

  gst_mgpu_job_set_args (job, self->search, "mimiim",
      gst_mgpu_job_read (job, queries), (gint) n,
      gst_mgpu_job_read (job, trains), (gint) m,
      (gint) choose_part (self, n, m), left);
  gst_mgpu_job_launch (job, self->search, 2, global, local);
  gst_mgpu_job_set_args (job, self->merge, "miim", left, (gint) n, (gint) parts,
      gst_mgpu_job_write (job, nearest));
  gst_mgpu_job_launch (job, self->merge, 1, &merge_global, &merge_local);
}

void
mgpu_match_free (MgpuMatch * self)
{
  if (self->search != NULL)
    clReleaseKernel (self->search);
  if (self->merge != NULL)
    clReleaseKernel (self->merge);
  g_free (self);
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

    /* A train that does not exist: a mistake of the device. */
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
