/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares elements that have a file in tests/cases with their references. The argument of the
 * program is the name of an algorithm; without it all are tested. */
#include "reference.h"

#include <glob.h>
#include <math.h>

#include "../launches.h"

/* Algorithms of test_cases that are tested */
static guint first, n_algorithms;

/* Holds an element, and the cases with which it is tested */
typedef struct
{
  const TestCases *cases;
  GstHarness *h;
  GstElement *filter;
  GstVideoInfo info;
} Subject;

static void
subject_init (Subject * subject, const TestCases * cases)
{
  g_autofree gchar *launch = g_strdup_printf ("mgpu%s name=f", cases->name);

  subject->cases = cases;
  subject->h = gst_harness_new_parse (launch);
  subject->filter = harness_filter (subject->h);
  gst_harness_add_propose_allocation_meta (subject->h, GST_VIDEO_META_API_TYPE,
      NULL);
  gst_harness_set_sink_caps_str (subject->h, "video/x-raw");
}

static void
subject_clear (Subject * subject)
{
  gst_object_unref (subject->filter);
  gst_harness_teardown (subject->h);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Subject, subject_clear)
     static void
         set_caps (Subject * subject, GstVideoFormat format, gint width,
    gint height)
{
  GstCaps *caps = caps_new (format, width, height, FALSE);

  fail_unless (gst_video_info_from_caps (&subject->info, caps));
  gst_harness_set_src_caps (subject->h, caps);
}

/* Sets all properties: those that @text names to the values in it, the others to their defaults. */
static void
set_properties (const Subject * subject, const gchar * text)
{
  GObject *object = G_OBJECT (subject->filter);
  const MgpuParam *params = subject->cases->algorithm->params;
  gchar **words = g_strsplit (text, " ", -1);

  for (const MgpuParam * p = params; p != NULL && p->name != NULL; p++) {
    GParamSpec *spec =
        g_object_class_find_property (G_OBJECT_GET_CLASS (object), p->name);

    fail_unless (spec != NULL, "no property %s", p->name);
    g_object_set_property (object, p->name,
        g_param_spec_get_default_value (spec));
  }
  for (guint i = 0; words[i] != NULL; i++) {
    gchar **word = g_strsplit (words[i], "=", 2);

    gst_util_set_object_arg (object, word[0], word[1]);
    g_strfreev (word);
  }
  g_strfreev (words);
}

typedef struct
{
  const TestCases *cases;
  TestParams params;
} Reference;

static void
reference (GstVideoFrame * in, GstVideoFrame * out, gconstpointer data)
{
  const Reference *r = data;
  RefPlane from[GST_VIDEO_MAX_COMPONENTS], to[GST_VIDEO_MAX_COMPONENTS];

  ref_planes (in, from);
  ref_planes (out, to);
  r->cases->reference (&r->params, &in->info, from, to);
}

static gboolean
passes (const MgpuAlgorithm * algorithm, gconstpointer values)
{
  return algorithm->passes != NULL && algorithm->passes (values);
}

/* Sets properties, pushes a frame, and compares the output with the reference. A frame that the
 * reference does not change has to be pushed without a copy. */
static void
check_frame (const Subject * subject, const gchar * text, GstBuffer * frame)
{
  const MgpuAlgorithm *algorithm = subject->cases->algorithm;
  gpointer values = test_params_new (algorithm, text);
  Reference r = { subject->cases, {algorithm, values} };
  g_autoptr (GstBuffer) out = NULL;

  GST_INFO ("%s %s, %s %dx%d", subject->cases->name, text,
      GST_VIDEO_INFO_NAME (&subject->info), subject->info.width,
      subject->info.height);
  set_properties (subject, text);
  out = harness_push_pull (subject->h, gst_buffer_ref (frame));
  fail_unless_as_reference (&subject->info, frame, out, reference, &r);
  if (passes (algorithm, values))
    fail_unless (out == frame);
  else
    frame_memory (out);
  g_free (values);
}

/* Tests all variants with many layouts of frames, odd sizes, and sizes smaller than a chroma
 * sample. No frame affects a later frame, with or without a gap between them. */
GST_START_TEST (test_formats)
{
  static const gint sizes[][2] = { {37, 29}, {1, 1}, {66, 22} };
  g_auto (Subject) subject = { NULL };
  guint n = 0;

  subject_init (&subject, test_cases[first + __i__ / N_ALL_FORMATS]);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    set_caps (&subject, all_formats[__i__ % N_ALL_FORMATS], sizes[i][0],
        sizes[i][1]);
    for (const TestCases * c = subject.cases; c != NULL; c = c->more)
      for (const TestVariant * v = c->variants; v->text != NULL; v++, n++) {
        g_autoptr (GstBuffer) frame =
            frame_new (&subject.info, n % N_LAYOUTS, n);

        if (c->remembers)
          GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_DISCONT);
        check_frame (&subject, v->text, frame);
      }
  }
  fail_unless_equals_uint64 (harness_stat (subject.h, "frames"), n);
}

GST_END_TEST;

/* Checks a frame with the parameters of the variant @v, except for one parameter, which is set to
 * @value. */
static void
check_end (const Subject * subject, const TestVariant * v, const MgpuParam * p,
    gdouble value, guint seed)
{
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree gchar *text = g_strdup_printf ("%s %s=%s", v->text, p->name,
      g_ascii_dtostr (number, sizeof (number), value));
  g_autoptr (GstBuffer) frame =
      frame_new (&subject->info, LAYOUT_DEFAULT, seed);

  /* Marks the frame as discontinuous, so that it does not depend on earlier frames, whatever the
   * parameter's value. */
  GST_BUFFER_FLAG_SET (frame, GST_BUFFER_FLAG_DISCONT);
  check_frame (subject, text, frame);
}

/* Tests the minimum and the maximum of each parameter, together with each variant. */
GST_START_TEST (test_ranges)
{
  static const gint sizes[][2] = { {23, 17}, {1, 1} };
  g_auto (Subject) subject = { NULL };
  guint n = 0;

  subject_init (&subject, test_cases[first + __i__ / 2]);
  set_caps (&subject, GST_VIDEO_FORMAT_I420, sizes[__i__ % 2][0],
      sizes[__i__ % 2][1]);
  for (const TestCases * c = subject.cases; c != NULL; c = c->more)
    for (const TestVariant * v = c->variants; v->text != NULL; v++)
      for (const MgpuParam * p = c->algorithm->params;
          p != NULL && p->name != NULL; p++)
        if (p->min < p->max) {
          check_end (&subject, v, p, p->min, n++);
          check_end (&subject, v, p, p->max, n++);
        }
}

GST_END_TEST;

/* Tests that values out of range are refused, with a warning for each. */
GST_START_TEST (test_bad_values)
{
  const TestCases *cases = test_cases[first + __i__];
  g_autofree gchar *name = g_strdup_printf ("mgpu%s", cases->name);
  g_autoptr (GstElement) filter = gst_element_factory_make (name, NULL);

  for (const MgpuParam * p = cases->algorithm->params;
      p != NULL && p->name != NULL; p++)
    if (p->type == MGPU_PARAM_DOUBLE) {
      set_badly (filter, p->name, p->min - 0.01);
      set_badly (filter, p->name, 1.001 * p->max + 0.01);
      set_badly (filter, p->name, INFINITY);
      set_badly (filter, p->name, -INFINITY);
      set_badly (filter, p->name, NAN);
    }
}

GST_END_TEST;

/* Number of kernel launches that succeed before one fails; if negative, all succeed. */
static gint n_launches = -1;

/* Returns an error for the launch that @n_launches selects. */
static cl_int
on_launch (cl_kernel kernel, cl_uint n_dims, const size_t *global)
{
  return n_launches >= 0
      && n_launches-- == 0 ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

/* Makes each launch fail for one frame, and checks that the next frame is processed like a first
 * frame. */
static void
check_failures (const TestCases * cases, const gchar * text)
{
  gboolean failed = TRUE;
  g_auto (Subject) subject = { NULL };
  g_autoptr (GstBuffer) frame = NULL, expected = NULL;
  GstBuffer *out;

  subject_init (&subject, cases);
  set_properties (&subject, text);
  set_caps (&subject, GST_VIDEO_FORMAT_RGB, 40, 30);
  frame = frame_new (&subject.info, LAYOUT_DEFAULT, 1);
  expected = harness_push_pull (subject.h, gst_buffer_ref (frame));
  for (guint call = 0; failed; call++) {
    fail_unless (call < 100);
    /* Runs the test twice: in the second run, memory that keeps data between frames is newly
     * allocated. */
    for (guint i = 0; i < 2; i++) {
      n_launches = call;
      failed = gst_harness_push (subject.h, frame_new (&subject.info,
              LAYOUT_DEFAULT, 2)) == GST_FLOW_ERROR;
      n_launches = -1;
      out = failed ? gst_harness_try_pull (subject.h)
          : harness_pull (subject.h);
      fail_unless (failed == (out == NULL));
      gst_clear_buffer (&out);
      fail_unless (failed || call > 0, "no launch with %s", text);
    }
    if (failed) {
      out = harness_push_pull (subject.h, gst_buffer_ref (frame));
      fail_unless_same_frame (&subject.info, out, expected);
      gst_buffer_unref (out);
    }
  }
}

GST_START_TEST (test_failed_frame)
{
  for (const TestCases * c = test_cases[first + __i__]; c != NULL; c = c->more)
    for (const TestVariant * v = c->variants; v->text != NULL; v++) {
      gpointer values = test_params_new (c->algorithm, v->text);

      if (!passes (c->algorithm, values)) {
        check_failures (c, v->text);
        if (c->memory != NULL) {
          g_autofree gchar *text =
              g_strdup_printf ("%s %s", v->text, c->memory);

          check_failures (c, text);
        }
      }
      g_free (values);
    }
}

GST_END_TEST;

/* Tests that each element without a source file of its own is a plain filter, which has cases. */
GST_START_TEST (test_all_plain_filters)
{
  gchar **names = elements_list (NULL);

  for (guint i = 0; names[i] != NULL; i++) {
    g_autofree gchar *file =
        g_strdup_printf (SOURCE_ROOT "/gst/elements/gst%s.c", names[i]);
    gchar *pattern =
        g_strdup_printf (SOURCE_ROOT "/gst/elements/*/gst%s.c", names[i]);
    glob_t found = { 0 };

    fail_unless (g_file_test (file, G_FILE_TEST_EXISTS)
        || glob (pattern, 0, NULL, &found) == 0
        || test_cases_find (names[i] + strlen ("mgpu")) != NULL,
        "%s has no file in tests/cases", names[i]);
    globfree (&found);
    g_free (pattern);
  }
  g_strfreev (names);
}

GST_END_TEST;

CHECK_SUITE (mgpucases)
{
  tcase_add_loop_test (tc, test_formats, 0, n_algorithms * N_ALL_FORMATS);
  tcase_add_loop_test (tc, test_ranges, 0, 2 * n_algorithms);
  tcase_add_loop_test (tc, test_bad_values, 0, n_algorithms);
  tcase_add_loop_test (tc, test_failed_frame, 0, n_algorithms);
  tcase_add_test (tc, test_all_plain_filters);
}

int
main (int argc, char **argv)
{
  gst_check_init (&argc, &argv);
  while (argc > 1 && test_cases[first] != NULL
      && !g_str_equal (test_cases[first]->name, argv[1]))
    first++;
  while (test_cases[first + n_algorithms] != NULL)
    n_algorithms++;
  if (n_algorithms == 0) {
    g_printerr ("no cases of %s\n", argv[1]);
    return 1;
  }
  if (argc > 1)
    n_algorithms = 1;
  return gst_check_run_suite (mgpucases_suite (), "mgpucases", __FILE__);
}
