/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Between the files of the framework. */
#pragma once

#include "kernelcheck.h"
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Holds what kc_bench() measures for the tuner, in the order of its calls. */
typedef struct
{
  GPtrArray *wanted;            /* names of what is measured; NULL: all */
  GPtrArray *names;             /* names of what was measured */
  GArray *times;                /* medians, gdouble, in milliseconds */
  const GArray *base;           /* times of the knobs in use, while a candidate is measured; or NULL */
  gboolean is_hopeless;         /* whether a case took twice as long: the others are left out */
} KcTimes;

struct _KcRunPrivate
{
  const gchar *function;
  const gchar *class_name;
  gboolean verbose;
  gboolean silent;              /* whether failures are counted without a word */
  KcTimes *times;               /* or NULL */
  const gchar *page;            /* text with a table of launches, which are compared instead of
                                 * timing anything; or NULL */
  guint n_counted;              /* rows of the table that were compared */
  GChecksum *digest;
  JsonBuilder *benches;         /* inside an array, or NULL */
  GString *text;                /* the case */
  KcKind kind;
  gboolean case_failed;
  guint n_cases, n_failed;
};

/* Returns: (transfer full): words for the byte at offset, for reports about bytes that
 * are no sample */
gchar *kc_picture_describe_byte (const KcPicture * picture, gsize offset);

/* A sample of an array. */
gdouble kc_array_get (const KcArray * array, gint x, gint y);

/* Component as an array. */
KcArray kc_picture_array (const KcPicture * picture, guint component);

/* The bytes of a plane of a packed format, without padding of rows. */
KcArray kc_picture_words (const KcPicture * picture, guint plane);

/* Returns: the number of rows of the page's table of launches that are about the function of
 * @run */
guint kc_count_rows (KcRun * run);

/* Hands a call to the child process and runs it once. FALSE: there is no such OpenCV, or it
 * cannot; a line says so. */
gboolean kc_python_prepare (KcPython * python);

/* Runs the call that was prepared last; a KcTimed. Returns the milliseconds that the child
 * measured, or a negative number when the child is gone. */
gdouble kc_python_run (gpointer data);

/* Does the same, and sets *processor to the milliseconds that all processors spent on the
 * call. */
gdouble kc_python_time (gdouble * processor);

/* Sets numbers to the first n that the call gave that was prepared last. FALSE: there are
 * fewer. */
gboolean kc_python_get (gdouble * numbers, guint n);

/* Searches for faster knobs of @functions, a list that ends with NULL, and stores them in the file of
 * the device. @quick: ends after 15 minutes. Returns FALSE after an error, which is printed. */
gboolean kc_tune (const gchar * device, const KcFunction * const *functions, gboolean quick);

/* Checks n combinations of knobs that tables allow, drawn from the seed of run. Returns
 * how many of them failed. */
guint kc_tune_draw (KcRun * run, const KcFunction * function, guint n);

G_END_DECLS
