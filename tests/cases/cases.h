/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Describes how algorithms are tested that make one frame from one frame of the same caps.
 * kernelcheck compares their kernels with their references, and the gst-check program mgpucases
 * their elements. */
#pragma once

#include <gst/video/video.h>
#include <gst/vision/base/object.h>

#include "../reference/reference.h"

G_BEGIN_DECLS

/* Lists the formats that elements accept, before GST_VIDEO_FORMAT_UNKNOWN. Digests of kernelcheck
 * depend on the order. */
#define N_ALL_FORMATS 22
extern const GstVideoFormat all_formats[N_ALL_FORMATS + 1];

/* Holds the parameters of an algorithm for one frame. */
typedef struct
{
  const MgpuAlgorithm *algorithm;
  gconstpointer values;         /* the struct of the algorithm's parameters */
} TestParams;

/* Makes the parameters of @algorithm: the defaults, except for the values in @text, which is
 * written as in a launch line, such as "method=grid sigma-space=5". Free them with g_free(). */
gpointer test_params_new (const MgpuAlgorithm * algorithm, const gchar * text);

/* Returns: the value of the parameter named @name; for an enum its number */
gdouble test_params_get (const TestParams * params, const gchar * name);

/* Describes a set of parameters. */
typedef struct
{
  const gchar *text;            /* for test_params_new() */
  guint max_pixels;             /* number of pixels of the largest frame for which the reference is
                                 * fast enough; 0: any */
} TestVariant;

/* Describes the cases of an algorithm. */
typedef struct _TestCases TestCases;
struct _TestCases
{
  const gchar *name;            /* name of the algorithm; its element is named "mgpu" followed by
                                 * this name */
  const MgpuAlgorithm *algorithm;
  const GstVideoFormat *formats;        /* NULL: all_formats */
  const TestVariant *variants;  /* list of variants, which ends with a NULL text */
  guint n_sizes;                /* number of sizes that kernelcheck tries with each format and
                                 * variant; 0: all */

  /* Computes the components of @out, which are initially those of @in, with the reference. @info:
   * the format and size of both */
  void (*reference) (const TestParams * params, const GstVideoInfo * info, const RefPlane * in, const RefPlane * out);

  const gchar *memory;          /* parameters with which the result depends on earlier frames; NULL:
                                 * no such parameters */
  gboolean remembers;           /* whether the result depends on earlier frames with all
                                 * parameters */
  const TestCases *more;        /* cases of the same algorithm, checked after these; may be NULL */
};

/* Declares the test cases in a file of this folder, and the algorithm: cases_sharpen and
 * mgpu_sharpen, for example. */
#define TEST_DECLARE(name) \
  extern const TestCases cases_##name; extern const MgpuAlgorithm mgpu_##name;

/* Declares the test cases of all files of this folder. meson.build defines the macro TEST_CASES, so
 * that a new file rebuilds only the files that use it. */
#ifdef TEST_CASES
#define C TEST_DECLARE
TEST_CASES
#undef C
#endif

/* Lists all cases; ends with NULL. */
extern const TestCases *const test_cases[];

/* Sets @lo and @hi to the nominal range of a component, computed with functions of GStreamer. */
void test_get_range (const GstVideoInfo * info, guint component, gint * lo, gint * hi);

/* Returns: (nullable): the cases of the algorithm named @name */
const TestCases *test_cases_find (const gchar * name);

G_END_DECLS
