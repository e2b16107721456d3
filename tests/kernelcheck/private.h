/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Declares what the files of the framework share. */
#pragma once

#include "kernelcheck.h"
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Holds the times that kc_bench() measures for the tuner, in the order of its calls. */
typedef struct
{
  GPtrArray *wanted;            /* names of the benchmarks to measure; NULL: all */
  GPtrArray *names;             /* names of the benchmarks that were measured */
  GArray *times;                /* medians, gdouble, in milliseconds */
  const GArray *base;           /* times with the tuning parameters in use, while a candidate is
                                 * measured; or NULL */
  gboolean is_hopeless;         /* whether a case took twice as long, so that the other cases are
                                 * left out */
} KcTimes;

struct _KcRunPrivate
{
  const gchar *function;
  const gchar *class_name;
  gboolean verbose;
  gboolean silent;              /* whether failures are counted without being printed */
  KcTimes *times;               /* or NULL */
  const gchar *page;            /* text with a table of launches; if it is not NULL, launches are
                                 * compared and nothing is timed */
  guint n_counted;              /* number of rows of the table of launches that were compared */
  GChecksum *digest;
  JsonBuilder *benches;         /* builder of the JSON report, inside an array; or NULL */
  GString *text;                /* the case */
  KcKind kind;
  gboolean case_failed;
  guint n_cases, n_failed;
};

/* Returns: (transfer full): a description of the byte at @offset, for reports about bytes that
 * belong to no sample */
gchar *kc_picture_describe_byte (const KcPicture * picture, gsize offset);

/* A sample of an array. */
gdouble kc_array_get (const KcArray * array, gint x, gint y);

/* Component as an array. */
KcArray kc_picture_array (const KcPicture * picture, guint component);

/* Returns the bytes of a plane of a packed format, without padding of rows. */
KcArray kc_picture_words (const KcPicture * picture, guint plane);

/* Returns: the number of rows of the page's table of launches that are about the function of
 * @run */
guint kc_count_rows (KcRun * run);

/* Sends a call to the child process, which runs it once. Returns FALSE if there is no such
 * library, or it does not support the call; a line is printed about it. */
gboolean kc_python_prepare (KcPython * python);

/* Runs the call that was prepared last; a KcTimed. Returns the milliseconds that the child process
 * measured, or a negative number if the child process has ended. */
gdouble kc_python_run (gpointer data);

/* Runs the call that was prepared last, and sets *@processor to the processor time of the call in
 * milliseconds, summed over all processors. */
gdouble kc_python_time (gdouble * processor);

/* Sets @numbers to the first @n numbers of the result of the call that was prepared last. Returns
 * FALSE if the result has fewer. */
gboolean kc_python_get (gdouble * numbers, guint n);

/* Searches for faster tuning parameters of @functions, a list that ends with NULL, and stores
 * them in the file of the device. @quick: ends after 15 minutes. Returns FALSE after an error,
 * which is printed. */
gboolean kc_tune (const gchar * device, const KcFunction * const *functions, gboolean quick);

/* Checks @n combinations of tuning parameters that the tuning parameter tables allow, drawn from
 * the seed of @run. Returns how many of them failed. */
guint kc_tune_draw (KcRun * run, const KcFunction * function, guint n);

G_END_DECLS
