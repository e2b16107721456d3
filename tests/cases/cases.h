/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Describes how algorithms are tested that take one frame and give one of the same caps.
 * kernelcheck compares their kernels with their references, and the gst-check program
 * mgpucases their elements. */
#pragma once

#include <gst/video/video.h>
#include <gst/vision/base/object.h>

#include "../reference/reference.h"

G_BEGIN_DECLS

/* Lists the formats that elements take, before GST_VIDEO_FORMAT_UNKNOWN. Digests of
 * kernelcheck depend on the order. */
#define N_ALL_FORMATS 22
extern const GstVideoFormat all_formats[N_ALL_FORMATS + 1];

/* Holds the parameters of an algorithm for one frame. */
typedef struct
{
  const MgpuAlgorithm *algorithm;
  gconstpointer values;         /* the struct of its parameters */
} TestParams;

/* Makes the parameters of @algorithm: the defaults, except for the values in @text, which is
 * written as in a launch line: "method=grid sigma-space=5". Free it with g_free(). */
gpointer test_params_new (const MgpuAlgorithm * algorithm, const gchar * text);

/* Returns: the value of the parameter with this name; of an enum its number */
gdouble test_params_get (const TestParams * params, const gchar * name);

/* Describes a set of parameters. */
typedef struct
{
  const gchar *text;            /* for test_params_new() */
  guint max_pixels;             /* size of the largest frame worth the reference's time; 0: any */
} TestVariant;

/* Describes the cases of an algorithm. */
typedef struct _TestCases TestCases;
struct _TestCases
{
  const gchar *name;            /* name of the algorithm; its element is "mgpu" and name */
  const MgpuAlgorithm *algorithm;
  const GstVideoFormat *formats;        /* NULL: all_formats */
  const TestVariant *variants;  /* a list that ends with a NULL text */
  guint n_sizes;                /* sizes that kernelcheck tries with each format and variant; 0: all */

  /* Makes the components of out, which hold those of in at first. info: the format and
   * size of both */
  void (*reference) (const TestParams * params, const GstVideoInfo * info, const RefPlane * in, const RefPlane * out);

  const gchar *memory;          /* parameters with which a frame depends on earlier ones; NULL: with
                                 * none it does */
  gboolean remembers;           /* a frame depends on earlier ones with all parameters */
  const TestCases *more;        /* cases of the same algorithm, checked after these; may be NULL */
};

/* Declares the object of a file of this folder, and its algorithm: cases_sharpen and
 * mgpu_sharpen ... */
#define TEST_DECLARE(name) \
  extern const TestCases cases_##name; extern const MgpuAlgorithm mgpu_##name;

/* Declares all for the files of this folder. The macro comes from meson.build: a new file
 * changes it, and nothing elsewhere has to be built again for that. */
#ifdef TEST_CASES
#define C TEST_DECLARE
TEST_CASES
#undef C
#endif

/* Lists all cases; ends with NULL. */
extern const TestCases *const test_cases[];

/* Sets lo and hi to the nominal range of a component, computed with functions of GStreamer. */
void test_get_range (const GstVideoInfo * info, guint component, gint * lo, gint * hi);

/* Returns: (nullable): the cases of the algorithm with this name */
const TestCases *test_cases_find (const gchar * name);

G_END_DECLS
