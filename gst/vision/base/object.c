/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The base class of algorithms: chooses tuning parameters, builds kernels, keeps scratch
 * memory. */
#include "object.h"

#include <string.h>

#include <gst/mgpu/gstmgpulimit-private.h>
#include <gst/mgpu/gstmgpuprogram-private.h>

#include <gst/vision/base/kernels.h>
#include <gst/vision/base/map.h>

/* A set of kernels of an object that has to be built. */
typedef struct
{
  MgpuObject *object;
  guint set;
} Wanted;

/* What a thread has to build between a mgpu_build_begin() and the matching mgpu_build_end(). */
typedef struct
{
  guint depth;                  /* number of mgpu_build_begin() calls without a matching
                                 * mgpu_build_end() so far */
  guint built;                  /* number of mgpu_build_program() calls */
  GArray *wanted;               /* array of Wanted */
} Plan;

static void
plan_free (gpointer plan)
{
  g_array_unref (((Plan *) plan)->wanted);
  g_free (plan);
}

static GPrivate thread_plan = G_PRIVATE_INIT (plan_free);

static guint
count_kernels (const MgpuKernel * kernels)
{
  guint n = 0;

  while (kernels[n].name != NULL)
    n++;
  return n;
}

static void
set_info (GstVideoInfo * info, const GstVideoInfo * from)
{
  if (from != NULL)
    *info = *from;
  else
    gst_video_info_init (info);
}

/* Chooses the values of the object's tuning parameters. mgpu_knobs_choose() identifies an
 * algorithm by the name of the folder of its kernel files. */
static void
choose_knobs (MgpuObject * self)
{
  const MgpuAlgorithm *algorithm = self->algorithm;
  g_autofree gchar *name = g_path_get_dirname (algorithm->kernels[0].file);

  self->knobs = g_new0 (gint, mgpu_knobs_count (algorithm->knobs));
  mgpu_knobs_choose (algorithm->knobs, name, self->context, self->knobs);
}

gpointer
mgpu_object_new (const MgpuAlgorithm * algorithm, GstMgpuContext * context,
    const GstVideoInfo * in, const GstVideoInfo * guide,
    const GstVideoInfo * out, gconstpointer params, GError ** error)
{
  MgpuObject *self = g_malloc0 (algorithm->size);

  self->algorithm = algorithm;
  self->context = context;
  self->traits = gst_mgpu_context_get_traits (context);
  set_info (&self->in, in);
  set_info (&self->guide, guide);
  set_info (&self->out, out);
  self->kernels = g_new0 (cl_kernel, count_kernels (algorithm->kernels));
  self->slots = g_new0 (GstMemory *, algorithm->n_slots);
  if (algorithm->knobs != NULL)
    choose_knobs (self);
  mgpu_build_begin ();
  /* Records set 0 before init() is called, because init() may build programs itself, and these are
   * counted together with set 0. */
  if (!mgpu_build_end (mgpu_object_build (self, 0, error)
          && (algorithm->init == NULL
              || algorithm->init (self, params, error)), error))
    g_clear_pointer (&self, mgpu_object_free);
  return self;
}

/* Returns: (transfer full): the OpenCL compiler options for set number @set of the algorithm's
 * kernels. The kernels of a set are compiled together */
static gchar *
get_options (MgpuObject * self, guint set)
{
  const MgpuAlgorithm *algorithm = self->algorithm;
  GString *options = g_string_new (NULL);

  if (algorithm->knobs != NULL)
    mgpu_knobs_define (algorithm->knobs, self->knobs, options);
  if (algorithm->define != NULL)
    algorithm->define (self, set, options);
  return g_string_free (options, FALSE);
}

/* Counts the OpenCL files that contain kernels of set number @set that are not built yet. The
 * algorithm's list must name the kernels of one file one after the other. Returns: the number */
static guint
count_files (const MgpuObject * self, guint set)
{
  const MgpuKernel *list = self->algorithm->kernels;
  const gchar *file = NULL;
  guint n = 0;

  for (guint i = 0; list[i].name != NULL; i++) {
    if (list[i].set != set || self->kernels[i] != NULL)
      continue;
    n += g_strcmp0 (file, list[i].file) != 0;
    file = list[i].file;
  }
  return n;
}

/* Builds set number @set, and adds the number of programs that it built to *@built. @total is
 * the number of programs to build in all. */
static gboolean
build_set (MgpuObject * self, guint set, guint * built, guint total,
    GError ** error)
{
  const MgpuKernel *list = self->algorithm->kernels;
  GstMgpuProgram *program = NULL;
  const gchar *file = NULL;
  gchar *options = NULL;
  gboolean ok = TRUE;

  for (guint i = 0; list[i].name != NULL && ok; i++) {
    if (list[i].set != set || self->kernels[i] != NULL)
      continue;
    if (options == NULL)
      options = get_options (self, set);
    if (file == NULL || !g_str_equal (file, list[i].file)) {
      file = list[i].file;
      g_clear_object (&program);
      gst_mgpu_program_set_place ((*built)++, total);
      program = mgpu_kernels_build (self->context, file, options, error);
    }
    if (program != NULL)
      self->kernels[i] =
          gst_mgpu_program_create_kernel (program, list[i].name, error);
    ok = self->kernels[i] != NULL;
    if (ok && !list[i].is_fixed)
      gst_mgpu_limit_add (self->kernels[i], self->context);
  }
  gst_mgpu_program_set_place (0, 0);
  g_clear_object (&program);
  g_free (options);
  return ok;
}

void
mgpu_build_begin (void)
{
  Plan *plan = g_private_get (&thread_plan);

  if (plan == NULL) {
    plan = g_new0 (Plan, 1);
    plan->wanted = g_array_new (FALSE, FALSE, sizeof (Wanted));
    g_private_set (&thread_plan, plan);
  }
  plan->depth++;
}

/* Returns: the number of programs that mgpu_build_end() is going to build */
static guint
count_wanted (const Plan * plan)
{
  guint n = 0;

  for (guint i = 0; i < plan->wanted->len; i++) {
    const Wanted *wanted = &g_array_index (plan->wanted, Wanted, i);

    n += count_files (wanted->object, wanted->set);
  }
  return n;
}

void
mgpu_build_program (guint n)
{
  Plan *plan = g_private_get (&thread_plan);

  if (plan == NULL || plan->depth == 0)
    return;
  gst_mgpu_program_set_place (plan->built,
      plan->built + n + count_wanted (plan));
  plan->built++;
}

void
mgpu_watch_launches (GstMgpuFirstLaunches * watch)
{
  gst_mgpu_job_watch (watch);
}

gboolean
mgpu_build_end (gboolean ok, GError ** error)
{
  Plan *plan = g_private_get (&thread_plan);
  guint built = plan->built, total;

  if (--plan->depth > 0)
    return ok;
  gst_mgpu_program_set_place (0, 0);
  total = built + count_wanted (plan);
  for (guint i = 0; i < plan->wanted->len && ok; i++) {
    const Wanted *wanted = &g_array_index (plan->wanted, Wanted, i);

    ok = build_set (wanted->object, wanted->set, &built, total, error);
  }
  g_array_set_size (plan->wanted, 0);
  plan->built = 0;
  return ok;
}

gboolean
mgpu_object_build (gpointer object, guint set, GError ** error)
{
  Plan *plan = g_private_get (&thread_plan);
  guint built = 0;

  if (plan == NULL || plan->depth == 0)
    return build_set (object, set, &built, count_files (object, set), error);
  for (guint i = 0; i < plan->wanted->len; i++) {
    const Wanted *wanted = &g_array_index (plan->wanted, Wanted, i);

    if (wanted->object == object && wanted->set == set)
      return TRUE;
  }
  g_array_append_vals (plan->wanted, &(Wanted) {
      object, set}
      , 1);
  return TRUE;
}

/* Removes @object from the list of what the thread has to build. Called before the object is
 * freed. */
static void
forget_wanted (MgpuObject * object)
{
  Plan *plan = g_private_get (&thread_plan);

  for (guint i = plan == NULL ? 0 : plan->wanted->len; i > 0; i--)
    if (g_array_index (plan->wanted, Wanted, i - 1).object == object)
      g_array_remove_index (plan->wanted, i - 1);
}

static void
release_kernel (cl_kernel kernel)
{
  gst_mgpu_limit_remove (kernel);
  gst_mgpu_job_forget (kernel);
  clReleaseKernel (kernel);
}

gboolean
mgpu_object_renew (gpointer object, guint set, GError ** error)
{
  MgpuObject *self = object;
  const MgpuKernel *list = self->algorithm->kernels;
  gchar *options = get_options (self, set);

  if (g_strcmp0 (options, self->renewed[set]) == 0) {
    g_free (options);
    return mgpu_object_build (self, set, error);
  }
  g_free (self->renewed[set]);
  self->renewed[set] = options;
  for (guint i = 0; list[i].name != NULL; i++)
    if (list[i].set == set)
      g_clear_pointer (&self->kernels[i], release_kernel);
  return mgpu_object_build (self, set, error);
}

gboolean
mgpu_object_ensure (gpointer self, guint set, GstMgpuJob * job)
{
  GError *error = NULL;

  if (mgpu_object_build (self, set, &error))
    return TRUE;
  gst_mgpu_job_fail (job, error);
  return FALSE;
}

void
mgpu_object_free (gpointer object)
{
  MgpuObject *self = object;

  if (self == NULL)
    return;
  forget_wanted (self);
  if (self->algorithm->clear != NULL)
    self->algorithm->clear (self);
  for (guint i = 0; i < count_kernels (self->algorithm->kernels); i++)
    g_clear_pointer (&self->kernels[i], release_kernel);
  for (guint i = 0; i < self->algorithm->n_slots; i++)
    g_clear_pointer (&self->slots[i], gst_memory_unref);
  for (guint i = 0; i < MGPU_MAX_SETS; i++)
    g_free (self->renewed[i]);
  g_free (self->kernels);
  g_free (self->slots);
  g_free (self->knobs);
  g_free (self);
}

gint
mgpu_reach_nothing (gpointer self, gconstpointer params, gint * step)
{
  *step = 2;
  return 0;
}

gboolean
mgpu_slot_has (gpointer object, guint slot, gsize size)
{
  const GstMemory *memory = ((MgpuObject *) object)->slots[slot];

  return memory != NULL && memory->size >= size;
}

gboolean
mgpu_slot_ensure (gpointer object, guint slot, GstMgpuJob * job, gsize size)
{
  GstMemory **memory = &((MgpuObject *) object)->slots[slot];
  GError *error = NULL;

  if (mgpu_slot_has (object, slot, size))
    return TRUE;
  g_clear_pointer (memory, gst_memory_unref);
  *memory = gst_mgpu_memory_new (job->queue, size, NULL, &error);
  if (*memory == NULL)
    gst_mgpu_job_fail (job, error);
  return *memory != NULL;
}

gboolean
mgpu_slot_ensure_zeros (gpointer object, guint slot, GstMgpuJob * job,
    gsize size)
{
  /* Copies the zeros to the device now, because a later kernel may write only a part of the memory,
   * and the rest must be zero. */
  return mgpu_slot_has (object, slot, size)
      || (mgpu_slot_upload (object, slot, job, NULL, 0, size)
      && mgpu_slot_read (object, slot, job) != NULL);
}

gboolean
mgpu_slot_image (gpointer object, guint slot, GstMgpuJob * job,
    const GstVideoInfo * info, MgpuImage * image)
{
  if (!mgpu_slot_ensure (object, slot, job, GST_VIDEO_INFO_SIZE (info)))
    return FALSE;
  image->memory = (GstMgpuMemory *) ((MgpuObject *) object)->slots[slot];
  image->info = *info;
  return TRUE;
}

gboolean
mgpu_slot_upload (gpointer object, guint slot, GstMgpuJob * job,
    gconstpointer data, gsize size, gsize margin)
{
  GstMemory **memory = &((MgpuObject *) object)->slots[slot];
  GstMapInfo map;

  if (!mgpu_slot_ensure (object, slot, job, size + margin))
    return FALSE;
  if (!mgpu_map_in_job (job, *memory, &map, GST_MAP_WRITE)) {
    g_clear_pointer (memory, gst_memory_unref);
    return FALSE;
  }
  if (size > 0)
    memcpy (map.data, data, size);
  memset (map.data + size, 0, map.size - size);
  gst_memory_unmap (*memory, &map);
  return TRUE;
}

gboolean
mgpu_slot_download (gpointer object, guint slot, GstMgpuJob * job,
    gpointer data, gsize size)
{
  GstMemory *memory = ((MgpuObject *) object)->slots[slot];
  GstMapInfo map;

  if (!mgpu_map_in_job (job, memory, &map, GST_MAP_READ))
    return FALSE;
  memcpy (data, map.data, size);
  gst_memory_unmap (memory, &map);
  return TRUE;
}

cl_mem
mgpu_slot_write (gpointer object, guint slot, GstMgpuJob * job, gsize size)
{
  MgpuObject *self = object;

  return size == 0 || mgpu_slot_ensure (self, slot, job, size)
      ? gst_mgpu_job_write (job, (GstMgpuMemory *) self->slots[slot]) : NULL;
}

cl_mem
mgpu_slot_read (gpointer object, guint slot, GstMgpuJob * job)
{
  return gst_mgpu_job_read (job,
      (GstMgpuMemory *) ((MgpuObject *) object)->slots[slot]);
}

gboolean
mgpu_slot_set_words (gpointer object, guint slot, GstMgpuJob * job,
    const GArray * words)
{
  g_clear_pointer (&((MgpuObject *) object)->slots[slot], gst_memory_unref);
  return mgpu_slot_upload (object, slot, job, words->data,
      words->len * sizeof (gint32), 0);
}

cl_mem
mgpu_slot_read_words (gpointer object, guint slot, GstMgpuJob * job,
    const GArray * words)
{
  return ((MgpuObject *) object)->slots[slot] != NULL
      || mgpu_slot_set_words (object, slot, job, words)
      ? mgpu_slot_read (object, slot, job) : NULL;
}

void
mgpu_group (GstMgpuContext * context, gsize width, gsize height, gsize group[2])
{
  gsize limit = gst_mgpu_context_get_traits (context)->max_work_group_size;

  group[0] = MIN (width, limit);
  group[1] = CLAMP (limit / group[0], 1, height);
}

static gsize
count_items (gint size, gint step, gsize group)
{
  gsize n = (size + step - 1) / step;

  return (n + group - 1) / group * group;
}

static void
launch (GstMgpuJob * job, cl_kernel kernel, guint n_dims, guint n, gint width,
    gint height, gint columns, gint rows, const gsize local[2])
{
  gsize group[3] = { local[0], local[1], 1 };
  gsize global[3] = {
    count_items (width, columns, group[0]), count_items (height, rows,
        group[1]), n
  };

  gst_mgpu_job_launch (job, kernel, n_dims, global, group);
}

void
mgpu_launch (GstMgpuJob * job, cl_kernel kernel, gint width, gint height,
    gint columns, gint rows, const gsize local[2])
{
  launch (job, kernel, 2, 1, width, height, columns, rows, local);
}

void
mgpu_launch_items (GstMgpuJob * job, cl_kernel kernel, gsize n, gsize group)
{
  gsize global = (n + group - 1) / group * group;

  if (n > 0)
    gst_mgpu_job_launch (job, kernel, 1, &global, &group);
}

void
mgpu_launch_planes (GstMgpuJob * job, cl_kernel kernel, guint n, gint width,
    gint height, gint columns, gint rows, const gsize local[2])
{
  launch (job, kernel, 3, n, width, height, columns, rows, local);
}

void
mgpu_launch_rows (GstMgpuJob * job, cl_kernel kernel, guint n, gint columns,
    gint rows, gint lanes, gint group)
{
  const gsize local[2] = { group, 1 };

  mgpu_launch_planes (job, kernel, n, columns, rows, lanes, 1, local);
}
