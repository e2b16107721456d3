/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Describes a knob: a tuning constant that changes the speed of kernels, never their
 * result. Kernels see it as a macro, defined with -DNAME=value. */
typedef struct
{
  const gchar *name;
  gint value[3];                /* default values for the device classes cpu, discrete,
                                 * mobile */
  /* values that are allowed beside the defaults, such as "1 4 16". NULL: only the defaults
   * are allowed, because the values of this knob and of another knob must fit together. */
  const gchar *choices;
  const gchar *text;            /* description of the knob, with its unit */
} MgpuKnob;

/* Chooses a value for each tuning knob of the list @knobs, which ends with a NULL name,
 * on the device of @context, and writes the values to the array @values. @algorithm is
 * the name of the algorithm that has the list. See docs/tuning.md for the sources of
 * values and their order. */
void mgpu_knobs_choose (const MgpuKnob * knobs, const gchar * algorithm, GstMgpuContext * context, gint * values);

/* Returns: the number of tuning knobs in the list @knobs, which ends with a NULL name */
guint mgpu_knobs_count (const MgpuKnob * knobs);

/* Appends " -DNAME=value" for each tuning knob in the list @knobs to the OpenCL compiler
 * options @options. */
void mgpu_knobs_define (const MgpuKnob * knobs, const gint * values, GString * options);

/* ---- Functions for the tuner and gst-mgpu-info ---------------------------------------- */

/* The functions below take and return the values of an algorithm's knobs on a device as
 * one text: words "NAME=value" for knobs without the default value, and before them
 * "class=cpu", "class=discrete" or "class=mobile" if all other knobs have the defaults of
 * that class instead of those of the device's own class. */

/* Returns: (transfer full): the values of the tuning knobs of @algorithm on the device of
 * @context, as text; "" if all have the defaults. Unless @source is NULL, sets *source to
 * words that say where the values come from; these words are (transfer none) and valid
 * until the next mgpu_knobs_set(). */
gchar *mgpu_knobs_get (GstMgpuContext * context, const gchar * algorithm, const gchar ** source);

/* Sets the values of the tuning knobs of @algorithm, which @text lists as "NAME=value", for
 * objects that are made from now on. */
void mgpu_knobs_set (GstMgpuContext * context, const gchar * algorithm, const gchar * text);

/* Returns: (transfer full): a NULL-terminated list of the names of all algorithms for which
 * values of tuning knobs are known, sorted */
gchar **mgpu_knobs_list (GstMgpuContext * context);

/* Returns: (transfer container): the lists of tuning knobs, each a const MgpuKnob *, of the
 * objects of @algorithm that were made in this context so far */
GPtrArray *mgpu_knobs_get_tables (GstMgpuContext * context, const gchar * algorithm);

/* Returns: the reason why the values of tuning knobs cannot be saved to a file for the
 * device of @context; NULL if they can be saved */
const gchar *mgpu_knobs_refuses_files (GstMgpuContext * context);

/* Returns: (transfer full): the path of the file with the values of tuning knobs for the
 * device of @context */
gchar *mgpu_knobs_get_path (GstMgpuContext * context);

/* Writes the file with the values of tuning knobs for the device of @context: all values
 * that were set with mgpu_knobs_set() or read from that file. FALSE: the error is set. */
gboolean mgpu_knobs_save (GstMgpuContext * context, GError ** error);

G_END_DECLS
