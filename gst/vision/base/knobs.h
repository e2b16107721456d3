/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Describes a knob: a number that changes the speed of kernels, never their result.
 * Kernels see it as a macro, defined with -DNAME=value. */
typedef struct
{
  const gchar *name;
  gint value[3];                /* one for each device class: cpu, discrete, mobile */
  /* All values that are allowed beside that of the class, such as "1 4 16". NULL: none,
   * because other knobs depend on this one, or it depends on them. */
  const gchar *choices;
  const gchar *text;            /* description with the unit */
} MgpuKnob;

/* Fills values with the value of each knob in the list knobs, which ends with a NULL
 * name, for the device of context. The string algorithm is the name of the algorithm that
 * has the list. See docs/tuning.md for the sources of values and their order. */
void mgpu_knobs_choose (const MgpuKnob * knobs, const gchar * algorithm, GstMgpuContext * context, gint * values);

/* Returns: the number of knobs before the NULL name that ends their list */
guint mgpu_knobs_count (const MgpuKnob * knobs);

/* Appends " -DNAME=value" for each knob to options. */
void mgpu_knobs_define (const MgpuKnob * knobs, const gint * values, GString * options);

/* ---- What the tuner and gst-mgpu-info call -------------------------------------------- */

/* The knobs of an algorithm on a device are a text: words "NAME=value" for knobs whose
 * value is not that of the class, and before them "class=cpu", "class=discrete" or
 * "class=mobile" if the others have the values of that class in place of the device's. */

/* Returns: (transfer full): the text for algorithm on the device of context; "" where no
 * source has one. Sets *source, unless source is NULL, to words that name the source,
 * which are (transfer none) and valid until the next mgpu_knobs_set(). */
gchar *mgpu_knobs_get (GstMgpuContext * context, const gchar * algorithm, const gchar ** source);

/* Sets the text for the objects of algorithm that are made from now on. */
void mgpu_knobs_set (GstMgpuContext * context, const gchar * algorithm, const gchar * text);

/* Returns: (transfer full): a NULL-terminated list of the algorithms that have a text,
 * sorted by name */
gchar **mgpu_knobs_list (GstMgpuContext * context);

/* Returns: (transfer container): the lists of knobs that objects of algorithm in context
 * were made with so far, as const MgpuKnob * */
GPtrArray *mgpu_knobs_get_tables (GstMgpuContext * context, const gchar * algorithm);

/* Returns: why the device of context cannot have a file; NULL where it can */
const gchar *mgpu_knobs_refuses_files (GstMgpuContext * context);

/* Returns: (transfer full): the path of the file for the device of context */
gchar *mgpu_knobs_get_path (GstMgpuContext * context);

/* Writes the file for the device of context, with all texts that came from
 * mgpu_knobs_set() or from that file. FALSE: the error is set. */
gboolean mgpu_knobs_save (GstMgpuContext * context, GError ** error);

G_END_DECLS
