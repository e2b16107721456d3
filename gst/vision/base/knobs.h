/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* A tuning parameter: a constant that changes the speed of kernels, never their result. Kernels
 * see it as a macro, defined with -DNAME=value. */
typedef struct
{
  const gchar *name;
  gint value[3];                /* default values for the device classes cpu, discrete,
                                 * mobile */
  /* values that are allowed in addition to the defaults, such as "1 4 16". NULL: only the
   * defaults are allowed, because the value of this tuning parameter must fit the value of
   * another tuning parameter. */
  const gchar *choices;
  const gchar *text;            /* description of the tuning parameter, with its unit */
} MgpuKnob;

/* Chooses a value for each tuning parameter on the device of @context. See docs/tuning.md for the
 * sources of values and their order.
 * @knobs: list of tuning parameters, which ends with a NULL name.
 * @algorithm: name of the algorithm that has the list.
 * @values: set to the values, one for each tuning parameter. */
void mgpu_knobs_choose (const MgpuKnob * knobs, const gchar * algorithm, GstMgpuContext * context, gint * values);

/* Returns: the number of tuning parameters in the list @knobs, which ends with a NULL name */
guint mgpu_knobs_count (const MgpuKnob * knobs);

/* Appends " -DNAME=value" for each tuning parameter in the list @knobs to the OpenCL compiler
 * options @options. */
void mgpu_knobs_define (const MgpuKnob * knobs, const gint * values, GString * options);

/* ---- Functions for the tuner and gst-mgpu-info ---------------------------------------- */

/* The functions below take and return the values of an algorithm's tuning parameters on a device
 * as one text. The text has a word "NAME=value" for each tuning parameter that does not have its
 * default value. If the other tuning parameters have the defaults of another device class, a
 * word "class=cpu", "class=discrete" or "class=mobile" comes first. */

/* Gets the values of the tuning parameters of @algorithm on the device of @context.
 * @source: unless it is NULL, *source is set to words that say where the values come from. They
 * are (transfer none) and valid until the next mgpu_knobs_set().
 * Returns: (transfer full): the values as text; "" if all tuning parameters have the defaults */
gchar *mgpu_knobs_get (GstMgpuContext * context, const gchar * algorithm, const gchar ** source);

/* Sets the values of tuning parameters of @algorithm to those that @text lists as "NAME=value".
 * Existing objects keep their values. */
void mgpu_knobs_set (GstMgpuContext * context, const gchar * algorithm, const gchar * text);

/* Lists the algorithms for which values of tuning parameters are known. Returns: (transfer
 * full): their names, sorted, as a NULL-terminated list */
gchar **mgpu_knobs_list (GstMgpuContext * context);

/* Returns: (transfer container): the lists of tuning parameters, each a const MgpuKnob *, of all
 * objects of @algorithm created in this context so far */
GPtrArray *mgpu_knobs_get_tables (GstMgpuContext * context, const gchar * algorithm);

/* Returns: a text that says why the values of tuning parameters cannot be saved to a file for
 * the device of @context; NULL if they can be saved */
const gchar *mgpu_knobs_refuses_files (GstMgpuContext * context);

/* Returns: (transfer full): the path of the file with the values of tuning parameters for the
 * device of @context */
gchar *mgpu_knobs_get_path (GstMgpuContext * context);

/* Writes the file with the values of tuning parameters for the device of @context. It gets all
 * values that were set with mgpu_knobs_set() or read from this file.
 * Returns: FALSE with the error set */
gboolean mgpu_knobs_save (GstMgpuContext * context, GError ** error);

G_END_DECLS
