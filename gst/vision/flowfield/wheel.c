/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Draws fields of flow as colors. */
#include "flowfield.h"

#include <math.h>

#include <gst/vision/base/words.h>
#include <gst/vision/colour/colour.h>

#include <kernels/flowfield/flowfield-shared.h>

static const MgpuKernel kernels[] = {
  {"flowfield/wheel", "flowfield_wheel", 0}, {NULL}
};

/* Number of samples of a pixel that are drawn: all except alpha */
#define N_COMPONENTS 3

typedef struct
{
  MgpuObject object;
  GArray *table;                /* table of words: see flowfield-shared.h */
} Wheel;

/* Steps of the color wheel from one color to the next (Baker et al. 2011), in the order red,
 * yellow, green, cyan, blue, magenta, red. In each step, one of the three samples changes from 0 to
 * 255, or from 255 to 0. */
static const struct
{
  guint n;                      /* number of colors of the step */
  guint32 first;                /* first color of the step, as 0xrrggbb */
  gint shift;                   /* position, in bits, of the sample that changes */
  gint sign;
} arcs[] = {
  {15, 0xff0000, 8, 1}, {6, 0xffff00, 16, -1}, {4, 0x00ff00, 0, 1},
  {11, 0x00ffff, 8, -1}, {13, 0x0000ff, 16, 1}, {6, 0xff00ff, 0, -1}
};

static void
add_colour (Wheel * self, guint i, guint32 argb)
{
  gint samples[N_COMPONENTS] = { 0 };

  mgpu_colour_from_argb (&self->object.in, argb, samples);
  for (guint c = 0; c < N_COMPONENTS; c++)
    *mgpu_words_at (self->table, WHEEL_OF (c) + i) = samples[c];
}

static gboolean
init (gpointer object, gconstpointer params, GError ** error)
{
  Wheel *self = object;
  guint i = 0;

  self->table = mgpu_words_new ();
  mgpu_words_grow (self->table, WHEEL_OF (N_COMPONENTS));
  for (guint k = 0; k < WHEEL_SECTORS; k++) {
    gdouble angle = 2 * G_PI * k / WHEEL_SECTORS;

    *mgpu_words_at (self->table, 2 * k) = rint (WHEEL_UNIT * cos (angle));
    *mgpu_words_at (self->table, 2 * k + 1) = rint (WHEEL_UNIT * sin (angle));
  }
  for (guint a = 0; a < G_N_ELEMENTS (arcs); a++)
    for (guint k = 0; k < arcs[a].n; k++) {
      guint32 change = (255 * k / arcs[a].n) << arcs[a].shift;

      add_colour (self, i++, 0xff000000 + arcs[a].first
          + (arcs[a].sign > 0 ? change : -change));
    }
  add_colour (self, WHEEL_WHITE, 0xffffffff);
  add_colour (self, WHEEL_BLACK, 0xff000000);
  return TRUE;
}

static void
clear (gpointer object)
{
  Wheel *self = object;

  g_array_unref (self->table);
}

/* Returns: whether pixels have bytes that the kernel does not write: alpha, or the unused byte of
 * RGBx and similar formats */
static gboolean
has_more_bytes (const GstVideoInfo * info)
{
  MgpuComponent c = mgpu_get_component (info, 0);

  return GST_VIDEO_INFO_HAS_ALPHA (info)
      || (GST_VIDEO_INFO_IS_RGB (info)
      && c.pixel_stride > N_COMPONENTS * c.bytes);
}

void
mgpu_flow_wheel_enqueue (gpointer object, GstMgpuJob * job,
    GstMgpuMemory * flow, const MgpuFlowSize * size, gboolean is_to_previous,
    gdouble range, const MgpuImage * in, const MgpuImage * out)
{
  Wheel *self = object;
  const GstVideoInfo *info = &out->info;
  cl_kernel kernel = self->object.kernels[0];
  cl_mem table = mgpu_slot_read_words (self, 0, job, self->table);
  gsize group[2];

  if (has_more_bytes (info))
    mgpu_image_copy_planes (job, in, out, ~0u);
  mgpu_group (self->object.context, 64, 1, group);
  for (guint i = 0; i < MIN (GST_VIDEO_INFO_N_COMPONENTS (info), N_COMPONENTS);
      i++) {
    MgpuComponent c = mgpu_get_component (info, i);

    /* Passes any memory if there is no field, because the kernel does not read it. */
    gst_mgpu_job_set_args (job, kernel, "miiiiimi" MGPU_PLANE "iiiiiii",
        flow != NULL ? gst_mgpu_job_read (job, flow) : table,
        flow != NULL ? size->width : 0, size->height, size->shift,
        is_to_previous ? -1 : 1, MAX ((gint) (32 * range + 0.5), 1), table,
        WHEEL_OF (i), MGPU_WRITE (job, out, c), c.pixel_stride, c.bytes,
        c.shift, info->finfo->w_sub[i], info->finfo->h_sub[i], c.width,
        c.height);
    mgpu_launch (job, kernel, c.width, c.height, 1, 1, group);
  }
}

const MgpuAlgorithm mgpu_flow_wheel = {
  .size = sizeof (Wheel),
  .kernels = kernels,
  .n_slots = 1,
  .init = init,
  .clear = clear
};
