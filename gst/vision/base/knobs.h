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
  /* Values that are allowed beside the defaults, such as "1 4 16". NULL: none, because
   * other knobs depend on this one, or it depends on them. */
  const gchar *choices;
  const gchar *text;            /* description of the knob, with its unit */
} MgpuKnob;

/* Chooses a value for each knob of a list, which ends with a NULL name, on the
 * device of @context, and writes it to values. The parameter algorithm is the
 * name of the algorithm that has the list. See docs/tuning.md for the sources
 * of values and their order. */
void mgpu_knobs_choose (const MgpuKnob * knobs, const gchar * algorithm, GstMgpuContext * context, gint * values);

/* Returns: the number of @knobs in a list that ends with a NULL name */
guint mgpu_knobs_count (const MgpuKnob * knobs);

/* Appends " -DNAME=value" for each knob to the compiler options. */
void mgpu_knobs_define (const MgpuKnob * knobs, const gint * values, GString * options);

/* ---- Functions for the tuner and gst-mgpu-info ---------------------------------------- */

/* These functions have the values of an algorithm's knobs on a device as one text: words
 * "NAME=value" for knobs without the default value, and before them "class=cpu",
 * "class=discrete" or "class=mobile" if all others have the defaults of that class
 * instead of the device's own. */

/* Returns: (transfer full): the text with the knobs of @algorithm on the device
 * of @context; "" where all have the defaults. Sets *source, unless @source is
 * NULL, to words that say where the text comes from, which are (transfer none)
 * and valid until the next mgpu_knobs_set(). */
gchar *mgpu_knobs_get (GstMgpuContext * context, const gchar * algorithm, const gchar ** source);

/* Sets the text with the knobs of @algorithm, for objects that are made from
 * now on. */
void mgpu_knobs_set (GstMgpuContext * context, const gchar * algorithm, const gchar * text);

/* Returns: (transfer full): a NULL-terminated list of the algorithms for which a text
 * with knobs is known, sorted by name */
gchar **mgpu_knobs_list (GstMgpuContext * context);

/* Returns: (transfer container): the lists of knobs, each a const MgpuKnob *,
 * with which objects of @algorithm were made in this context so far */
GPtrArray *mgpu_knobs_get_tables (GstMgpuContext * context, const gchar * algorithm);

/* Returns: the reason why no knobs can be saved to a file for the device of
 * @context; NULL where they can */
const gchar *mgpu_knobs_refuses_files (GstMgpuContext * context);

/* Returns: (transfer full): the path of the file with the knobs for the device
 * of @context */
gchar *mgpu_knobs_get_path (GstMgpuContext * context);

/* Writes the file with the knobs for the device of @context: all that were set
 * with mgpu_knobs_set() or read from that file. FALSE: the error is set. */
gboolean mgpu_knobs_save (GstMgpuContext * context, GError ** error);

G_END_DECLS
