/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Finds the connected components of binary images. */
#include "components.h"

#include <string.h>

/* Indices of the tuning parameters in the list */
enum
{
  ITEMS,
  SCAN
};

static const MgpuKnob knobs[] = {
  {"ITEMS", {1, 64, 32}, "1 16 32 64 128",
      "number of work-items that share a row of runs"},
  {"SCAN", {1, 1024, 64}, "1 64 128 256 512 1024",
      "number of work-items that add up the counts of all rows"},
  {NULL}
};

enum
{
  FIND,
  MERGE,
  LABEL,
  MEASURE,
  SIZES,
  TOTAL,
  LIST
};

static const MgpuKernel kernels[] = {
  [FIND] = {"components/runs", "components_find", 0, TRUE},
  [MERGE] = {"components/runs", "components_merge", 0, TRUE},
  [LABEL] = {"components/runs", "components_label", 0, TRUE},
  [MEASURE] = {"components/measure", "components_measure", 0, TRUE},
  [SIZES] = {"components/list", "components_sizes", 0, TRUE},
  [TOTAL] = {"components/list", "components_scan", 0, TRUE},
  [LIST] = {"components/list", "components_list", 0, TRUE},
  {NULL}
};

/* Indices of the slots: scratch buffers in device memory */
enum
{
  MAPS,
  ROWS,
  STARTS,
  LABELS,
  PARENTS,
  CRACKS,
  AREAS,
  PLACES,
  COUNTS,
  COMPONENTS,
  STATE,
  N_SLOTS
};

struct _MgpuComponents
{
  MgpuObject object;
  guint n_maps, n_rows, n_chunks, most, most_cracks;
  guint64 n_runs;
  ComponentsMap maps[MGPU_COMPONENTS_MAX_MAPS];
};

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  MgpuComponents *self = object;
  const MgpuComponentsSetup *setup = params;
  gint *values = self->object.knobs;
  gint limit = self->object.traits->max_work_group_size;

  while (values[ITEMS] > limit)
    values[ITEMS] /= 2;
  while (values[SCAN] > limit)
    values[SCAN] /= 2;
  self->n_maps = setup->n_maps;
  self->most = setup->most;
  self->most_cracks = setup->most_cracks;
  for (guint i = 0; i < setup->n_maps; i++) {
    ComponentsMap *map = &self->maps[i];

    map->width = setup->maps[i].width;
    map->height = setup->maps[i].height;
    map->bits = setup->maps[i].bits;
    map->words = setup->maps[i].words;
    map->first_row = self->n_rows;
    map->first_run = self->n_runs;
    /* Reserves one run for each 2 pixels, the maximum, which noise may reach. */
    map->most_runs = MAX (map->width * 3 / 4, 1);
    map->most_cracks = setup->maps[i].most_cracks;
    self->n_rows += map->height;
    self->n_runs += (guint64) map->most_runs * map->height;
    self->n_chunks = MAX (self->n_chunks,
        (guint) (map->words + values[ITEMS] - 1) / values[ITEMS]);
  }
  return mgpu_components_check_size (self, error);
}

gboolean
mgpu_components_check_size (const MgpuComponents * self, GError ** error)
{
  guint64 bytes = self->n_runs * sizeof (gint);
  guint64 most = MIN (self->object.traits->max_allocation_size,
      (guint64) G_MAXINT * sizeof (gint));

  if (bytes <= most)
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
      "the components of maps with %u rows take %" G_GUINT64_FORMAT " bytes in "
      "one piece, and %" G_GUINT64_FORMAT " are available on %s: scale the "
      "frames down before this element", self->n_rows, bytes, most,
      gst_mgpu_context_get_device_name (self->object.context));
  return FALSE;
}

/* ---- Work on a frame -------------------------------------------------------- */

#define MAPS_ARGS "mii"
#define MAPS_OF(self, result) \
    (result)->map_table, (self)->n_maps, (self)->n_rows

#define RULE "iiii"
#define RULE_OF(params) (params)->classes, (params)->least_cracks, \
    (params)->least_area, (params)->roughness

static void
launch_rows (MgpuComponents * self, GstMgpuJob * job, guint kernel)
{
  gint items = self->object.knobs[ITEMS];

  mgpu_launch_items (job, self->object.kernels[kernel],
      (gsize) self->n_rows * items, items);
}

static void
prepare (MgpuComponents * self, GstMgpuJob * job, MgpuComponentsResult * result)
{
  gsize n = MAX (self->n_runs, 1);

  result->maps = self->maps;
  result->n_maps = self->n_maps;
  result->n_rows = self->n_rows;
  result->n_runs = self->n_runs;
  if (mgpu_slot_has (self, MAPS, sizeof (self->maps))
      || mgpu_slot_upload (self, MAPS, job, self->maps, sizeof (self->maps), 0))
    result->map_table = mgpu_slot_read (self, MAPS, job);
  result->rows = mgpu_slot_write (self, ROWS, job,
      self->n_rows * sizeof (gint));
  result->starts = mgpu_slot_write (self, STARTS, job, n * sizeof (guint16));
  result->labels = mgpu_slot_write (self, LABELS, job, n * sizeof (gint));
  result->parents = mgpu_slot_write (self, PARENTS, job, n * sizeof (gint));
  result->cracks = mgpu_slot_write (self, CRACKS, job, n * sizeof (gint));
  result->areas = mgpu_slot_write (self, AREAS, job, n * sizeof (gint));
  result->places = mgpu_slot_write (self, PLACES, job, n * sizeof (gint));
  result->list = mgpu_slot_write (self, COMPONENTS, job,
      MAX (self->most, 1) * sizeof (Component));
  result->state = mgpu_slot_write (self, STATE, job,
      COMPONENTS_STATE * sizeof (gint));
}

static void
enqueue_labels (MgpuComponents * self, GstMgpuJob * job,
    const MgpuComponentsParams * params, cl_mem bits,
    const MgpuComponentsResult * result)
{
  cl_kernel *list = self->object.kernels;

  gst_mgpu_job_set_args (job, list[FIND], MAPS_ARGS "immmmmmmm",
      MAPS_OF (self, result), self->n_chunks, bits, result->rows,
      result->starts, result->labels, result->cracks, result->areas,
      result->places, result->state);
  launch_rows (self, job, FIND);
  gst_mgpu_job_set_args (job, list[MERGE], MAPS_ARGS "immm",
      MAPS_OF (self, result), params->eight, result->rows, result->starts,
      result->labels);
  launch_rows (self, job, MERGE);
  gst_mgpu_job_set_args (job, list[LABEL], MAPS_ARGS "mmmmm",
      MAPS_OF (self, result), result->rows, result->starts, result->labels,
      result->parents, result->cracks);
  launch_rows (self, job, LABEL);
  gst_mgpu_job_set_args (job, list[MEASURE], MAPS_ARGS "immmmmm",
      MAPS_OF (self, result), params->classes, result->rows, result->starts,
      result->labels, result->parents, result->cracks, result->areas);
  launch_rows (self, job, MEASURE);
}

static void
enqueue_list (MgpuComponents * self, GstMgpuJob * job,
    const MgpuComponentsParams * params, const MgpuComponentsResult * result)
{
  cl_kernel *list = self->object.kernels;
  cl_mem counts = mgpu_slot_write (self, COUNTS, job,
      2 * self->n_rows * sizeof (gint));
  gint scan = self->object.knobs[SCAN];

  gst_mgpu_job_set_args (job, list[SIZES], MAPS_ARGS RULE "mmmmmm",
      MAPS_OF (self, result), RULE_OF (params), result->rows, result->labels,
      result->cracks, result->areas, result->state, counts);
  launch_rows (self, job, SIZES);
  gst_mgpu_job_set_args (job, list[TOTAL], MAPS_ARGS RULE "iimmmmmm",
      MAPS_OF (self, result), RULE_OF (params), self->most, self->most_cracks,
      result->rows, result->labels, result->cracks, result->areas, counts,
      result->state);
  mgpu_launch_items (job, list[TOTAL], scan, scan);
  gst_mgpu_job_set_args (job, list[LIST], MAPS_ARGS RULE "mmmmmmmm",
      MAPS_OF (self, result), RULE_OF (params), result->rows, result->labels,
      result->cracks, result->areas, result->state, counts, result->places,
      result->list);
  launch_rows (self, job, LIST);
}

void
mgpu_components_enqueue (MgpuComponents * self, GstMgpuJob * job,
    const MgpuComponentsParams * params, cl_mem bits,
    MgpuComponentsResult * result)
{
  memset (result, 0, sizeof (*result));
  prepare (self, job, result);
  enqueue_labels (self, job, params, bits, result);
  enqueue_list (self, job, params, result);
}

GArray *
mgpu_components_get (MgpuComponents * self, GstMgpuJob * job, guint * dropped)
{
  GArray *list;
  gint state[COMPONENTS_STATE];

  if (!mgpu_slot_download (self, STATE, job, state, sizeof (state)))
    return NULL;
  *dropped = state[COMPONENTS_DROPPED];
  list = g_array_new (FALSE, FALSE, sizeof (Component));
  g_array_set_size (list, state[COMPONENTS_LISTED]);
  if (list->len > 0 && !mgpu_slot_download (self, COMPONENTS, job, list->data,
          list->len * sizeof (Component))) {
    g_array_unref (list);
    return NULL;
  }
  return list;
}

const MgpuAlgorithm mgpu_components = {
  .size = sizeof (MgpuComponents),
  .knobs = knobs,
  .kernels = kernels,
  .n_slots = N_SLOTS,
  .init = init
};
