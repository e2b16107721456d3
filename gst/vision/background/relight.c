/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Adapts the remembered background to the illumination of a frame. */
#include "background-private.h"

#include <math.h>
#include <string.h>

#include <gst/vision/base/words.h>

/* Number that is added to luma before luma is multiplied by a change of brightness; luma is from 0
 * to 255 */
#define DARK 24

/* Returns: whether the table of the kernel contains, after its powers, the columns and rows of
 * @light */
static gboolean
has_table (const MgpuInpaintBackground * self,
    const MgpuBackgroundLight * light)
{
  gsize width = GST_VIDEO_INFO_WIDTH (&self->info);
  gsize height = GST_VIDEO_INFO_HEIGHT (&self->info);
  const gint *columns;

  if (self->light_table == NULL)
    return FALSE;
  columns = &g_array_index (self->light_table, gint, RELIGHT_POWERS);
  return memcmp (columns, light->columns, width * sizeof (gint)) == 0
      && memcmp (columns + width, light->rows, height * sizeof (gint)) == 0;
}

/* Makes the table of the kernel, unless a table with the same columns and rows exists. Sets
 * *@changed to TRUE if it makes one. Returns: FALSE after an error, which is in @job */
static gboolean
set_table (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuBackgroundLight * light, gboolean * changed)
{
  g_autoptr (GArray) words = NULL;

  if (has_table (self, light))
    return TRUE;
  words = mgpu_words_new ();
  for (gint i = 0; i < RELIGHT_POWERS; i++)
    mgpu_words_add (words, rint (16384 * exp2 (i / (gdouble) RELIGHT_POWERS)));
  g_array_append_vals (words, light->columns,
      GST_VIDEO_INFO_WIDTH (&self->info));
  g_array_append_vals (words, light->rows, GST_VIDEO_INFO_HEIGHT (&self->info));
  *changed = TRUE;
  g_clear_pointer (&self->light_table, g_array_unref);
  if (!mgpu_slot_set_words (self, RELIGHT_TABLE, job, words))
    return FALSE;
  self->light_table = g_steal_pointer (&words);
  return TRUE;
}

/* Returns: the base value of component @i. A change of brightness multiplies the differences of
 * samples from this value */
static gint
get_base (const MgpuInpaintBackground * self, guint i, const MgpuComponent * c)
{
  if (GST_VIDEO_INFO_IS_YUV (&self->info) && i > 0)
    return (c->max + 1) / 2;
  return c->lo - (DARK * (c->hi - c->lo) + 127) / 255;
}

void
mgpu_background_relight (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuBackgroundLight * light)
{
  guint n_components = MIN (GST_VIDEO_INFO_N_COMPONENTS (&self->info), 3);
  gboolean is_first;
  cl_kernel kernel;
  gboolean ok;

  is_first = !self->has_light || light == NULL
      || self->light_number != light->number;
  self->has_light = self->is_lit = FALSE;
  if (self->is_first || light == NULL || light->memory == NULL)
    return;
  ok = mgpu_object_ensure (self, 2, job) && set_table (self, job, light,
      &is_first);
  for (guint i = 0; i < n_components && ok; i++) {
    MgpuComponent c = mgpu_get_component (&self->object.in, i);

    ok = mgpu_slot_ensure_zeros (self, LIT + i, job,
        sizeof (cl_ushort2) * (gsize) c.width * c.height);
    kernel = self->object.kernels[RELIGHT];
    gst_mgpu_job_set_args (job, kernel, "mmmmmmiiiiiiiii",
        mgpu_slot_write (self, SAMPLES + i, job, 0),
        mgpu_slot_write (self, LIT + i, job, 0),
        mgpu_slot_read (self, MASK + COMING, job),
        mgpu_slot_read (self, WAS, job),
        mgpu_slot_read (self, RELIGHT_TABLE, job),
        gst_mgpu_job_read (job, light->memory), light->offset, light->stride,
        self->info.finfo->w_sub[i], self->info.finfo->h_sub[i], c.width,
        GST_VIDEO_INFO_WIDTH (&self->info), get_base (self, i, &c), c.max,
        is_first);
    mgpu_launch (job, kernel, 1, c.height, 1, 1, self->row);
  }
  self->has_light = self->is_lit = ok && job->error == NULL;
  self->light_number = light->number;
}
