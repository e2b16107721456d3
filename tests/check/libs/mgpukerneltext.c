/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests how texts of users' kernels are parsed, and the errors about invalid texts. */
#include "../suite.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gst/models/kernel-load.h>

#define PIXEL "PIXEL (a) { return LOAD (x, y); }\n"

/* ---- Lines ----------------------------------------------------------------------- */

GST_START_TEST (lines)
{
  GError *error = NULL;
  g_autoptr (MgpuKernelText) text =
      mgpu_kernel_text_new ("//! param strength int 2 0 16  How strong edges "
      "are\n"
      "  //! param gain float 0.5 -1 8 control=3 Gain\r\n"
      "//!param plain int 1 1 1\n"
      "/* in a comment:\n//! nonsense\n*/\n"
      "//! results int 1 edges\n//! results float 3 sums\n"
      "//! boxes faces\n//! boxes hands 7\n"
      "//! buffer mean float 4 per-pixel keep\n"
      "//! buffer all int 100\n"
      "//! formats RGBA GRAY8\n//! output GRAY8\n//! previous\n//! feedback\n"
      "//! reach 7\n//! group 8 4\n//! group 16 2 b\n"
      "//! size WIDTH/3 HEIGHT c\n//! size 5 6 d\n//! pass b a b\n"
      "PIXEL (a) { return PREVIOUS_LOAD (x, y); }\n"
      "SAMPLE\n(b) { return SECOND_LOAD (x, y); }\n"
      "WORK (c) { } /* OUT_DATA */\n"
      "WORK (d) { OUT_DATA[0] = FEEDBACK_LOAD (0, 0).s0; }\n"
      "#define E PIXEL (e) { }\n" "// PIXEL (f) { }\n", &error);
  const MgpuKernelParam *p;
  const MgpuKernelList *l;
  const MgpuKernelFunction *f;

  fail_unless (text != NULL, "%s", error != NULL ? error->message : "");
  fail_unless_equals_int (text->params->len, 3);
  p = (const MgpuKernelParam *) text->params->data;
  fail_unless_equals_string (p[0].name, "strength");
  fail_unless_equals_string (p[0].text, "How strong edges are");
  fail_unless (!p[0].is_float && p[0].value == 2 && p[0].max == 16
      && p[0].control == 0);
  fail_unless_equals_string (p[1].text, "Gain");
  fail_unless (p[1].is_float && p[1].min == -1 && p[1].control == 3);
  fail_unless_equals_string (p[2].text, "");
  fail_unless_equals_int (mgpu_kernel_text_find_param (text, "gain"), 1);
  l = (const MgpuKernelList *) text->results->data;
  fail_unless (text->results->len == 2 && l[1].is_float && l[1].n == 3);
  l = (const MgpuKernelList *) text->boxes->data;
  fail_unless (text->boxes->len == 2 && l[0].n == 256 && l[1].n == 7);
  fail_unless_equals_string (l[1].name, "hands");
  fail_unless_equals_int (mgpu_kernel_text_count_results (text),
      4 + 1 + 5 * 256 + 1 + 5 * 7);
  l = (const MgpuKernelList *) text->buffers->data;
  fail_unless (text->buffers->len == 2 && l[0].per_pixel && l[0].keep
      && !l[1].per_pixel && !l[1].keep && l[1].n == 100);
  fail_unless (text->formats->len == 2
      && text->output == GST_VIDEO_FORMAT_GRAY8);
  fail_unless (text->previous && text->feedback && text->second
      && !text->source);
  fail_unless_equals_int (text->reach, 7);
  fail_unless_equals_int (text->functions->len, 4);
  f = (const MgpuKernelFunction *) text->functions->data;
  fail_unless (f[0].form == MGPU_KERNEL_PIXEL && f[0].group[0] == 8);
  fail_unless (f[1].form == MGPU_KERNEL_SAMPLE && f[1].group[0] == 16);
  fail_unless (!f[2].writes && f[2].divisor[0] == 3 && f[2].items[0] == 0);
  fail_unless (f[3].writes && f[3].items[0] == 5 && f[3].items[1] == 6);
  fail_unless (text->passes->len == 3
      && g_array_index (text->passes, guint, 2) == 1);
}

GST_END_TEST;

/* ---- Broken texts ---------------------------------------------------------------- */

static const struct
{
  const gchar *text, *error;    /* the beginning of the error message */
} broken[] = {
  {"", "source:1: the source text has no kernel"},
  {"int a;", "source:1: the source text has no kernel"},
  {"\n//! parm a int 1 0 2\n" PIXEL, "source:2: \"//! parm\" does not begin"},
  {"//!\n" PIXEL, "source:1: \"//! \" does not begin with"},
  {"//! param a int 1 0\n" PIXEL, "source:1: \"param\" needs a name"},
  {"//! param 2a int 1 0 2\n" PIXEL, "source:1: the name \"2a\" is not"},
  {"//! param LOAD int 1 0 2\n" PIXEL, "source:1: the name \"LOAD\" has"},
  {"//! param x int 1 0 2\n" PIXEL, "source:1: the name \"x\" has another"},
  {"//! param a int 1 0 2\n//! results int 1 a\n" PIXEL,
      "source:2: the name \"a\" is used twice"},
  {"//! param a short 1 0 2\n" PIXEL, "source:1: the type \"short\" is"},
  {"//! param a int 1.5 0 2\n" PIXEL, "source:1: \"1.5\" is not an int: write "
        "\"//! param a float 1.5 0 2\""},
  {"//! param a int one 0 2\n" PIXEL, "source:1: default, minimum and"},
  {"//! param a int 99999999999 0 2\n" PIXEL, "source:1: default, minimum"},
  {"//! param a float nan 0 2\n" PIXEL, "source:1: default, minimum and"},
  {"//! param a float 1e40 0 1e41\n" PIXEL, "source:1: default, minimum"},
  {"//! param a int 3 0 2\n" PIXEL, "source:1: the default 3 of \"a\" is"},
  {"//! param a int 1 2 0\n" PIXEL, "source:1: the minimum 2 of \"a\" is "
        "greater than its maximum 0"},
  {"//! param a int 1 0 2 control=5\n" PIXEL, "source:1: \"control=5\" is not"},
  {"//! results int 0 a\n" PIXEL, "source:1: \"0\" is not a valid number"},
  {"//! results int 16384 b\n//! results int 1 c\n" PIXEL,
      "source:2: \"1\" is not a valid number of results"},
  {"//! results int edges 1\n" PIXEL, "source:1: the number of values "
        "has to come before the name: write \"//! results int 1 edges\""},
  {"//! results edges int 1\n" PIXEL, "source:1: the type \"edges\" is neither "
        "int nor float: write \"//! results int|float N NAME\""},
  {"//! results int 1 2\n" PIXEL, "source:1: the name \"2\" is not an "
        "identifier of at most 63 letters, digits and _: write \"//! results "},
  {"//! results int 1\n" PIXEL, "source:1: \"results\" needs int or float"},
  {"//! boxes\n" PIXEL, "source:1: \"boxes\" needs a name, and may have a "
        "number of boxes (default 256): write \"//! boxes NAME [MAX]\""},
  {"//! boxes 7 a\n" PIXEL, "source:1: the name has to come before the n"},
  {"//! boxes 2a\n" PIXEL, "source:1: the name \"2a\" is not an identifier of "
        "at most 63 letters, digits and _: write \"//! boxes NAME [MAX]\""},
  {"//! boxes _a\n" PIXEL, "source:1: the name \"_a\" has to begin with a "
        "letter, because it becomes the type of regions"},
  {"//! boxes BOX\n" PIXEL, "source:1: the name \"BOX\" has another meaning"},
  {"//! boxes a\n//! param a int 1 0 2\n" PIXEL,
      "source:2: the name \"a\" is used twice"},
  {"//! boxes a 0\n" PIXEL, "source:1: \"0\" is not a number of boxes from 1 "
        "to 3276, the limit for 16384 values of all results and boxes "},
  {"//! results int 16000 a\n//! boxes b\n" PIXEL, "source:2: a list of "
        "boxes without a number has 256 boxes, but there is only room for 76: write "
        "\"//! boxes b 76\""},
  {"//! results int 16000 a\n//! boxes b 77\n" PIXEL, "source:2: \"77\" is n"},
  {"//! results int 16384 a\n//! boxes b 1\n" PIXEL,
      "source:2: there is no room for boxes: all results and boxes together "
        "have at most 16384 values, and one box has 5 values"},
  {"//! boxes a 3276\n//! results int 4 b\n" PIXEL,
      "source:2: \"4\" is not a valid number of results"},
  {"//! boxes a 1\n//! boxes b 1\n//! boxes c 1\n//! boxes d 1\n"
        "//! boxes e 1\n//! boxes f 1\n//! boxes g 1\n//! boxes h 1\n"
        "//! boxes i 1\n" PIXEL, "source:9: more than 8 lists of boxes"},
  {"//! boxes a\nWORK (f) {\n  BOX (b, 1, 2, 3, 4, 5);\n}\n",
      "source:3: BOX (b, ...) needs a line \"//! boxes\" with this name"},
  {"//! boxes a\nWORK (f) {\n  BOX (a[0], 1, 2, 3, 4, 5);\n}\n",
      "source:3: BOX () needs the name in a line \"//! boxes\", followed by x, y"},
  {"//! boxes a\nvoid f (int i) {\n  BOX (a, i, 2, 3, 4, 5);\n}\n" PIXEL,
      "source:3: BOX is not available in this function: give the function"},
  {"//! buffer b int\n" PIXEL, "source:1: \"buffer\" needs a name"},
  {"//! buffer b int 17 per-pixel\n" PIXEL, "source:1: \"17\" is not a valid"},
  {"//! buffer b int 1 stay\n" PIXEL, "source:1: \"stay\" is neither"},
  {"//! buffer b int 1\n//! buffer c int 1\n//! buffer d int 1\n"
        "//! buffer e int 1\n//! buffer f int 1\n" PIXEL,
      "source:5: more than 4 buffers"},
  {"//! formats\n" PIXEL, "source:1: \"formats\" needs names"},
  {"//! formats RGB GREY8\n" PIXEL, "source:1: the format \"GREY8\" is not "
        "supported; the supported formats are NV12 I420 "},
  {"//! output RGB\n" PIXEL, "source:1: \"output\" can only be GRAY8"},
  {"//! previous 2\n" PIXEL, "source:1: \"previous\" has no arguments"},
  {"//! feedback 2\n" PIXEL, "source:1: \"feedback\" has no arguments"},
  {"//! reach -1\n" PIXEL, "source:1: \"reach\" needs a number of pixels"},
  {"//! pass\n" PIXEL, "source:1: \"pass\" needs names of kernels"},
  {"\n\n//! pass a b\n" PIXEL, "source:3: there is no kernel \"b\"; the k"},
  {"//! pass a a a a a a a a a\n" PIXEL, "source:1: more than 8 passes"},
  {"//! group 8\n" PIXEL, "source:1: \"group\" needs two numbers of "
        "work-items, whose product is at most 4096"},
  {"//! group WIDTH 1\n" PIXEL, "source:1: \"group\" needs two numbers"},
  {"//! group 100 100\n" PIXEL, "source:1: \"group\" needs two numbers"},
  {"//! group 100000 100000\n" PIXEL, "source:1: \"group\" needs two numbers "
        "of work-items, whose product is at most 4096"},
  {"//! size 100000 1\n" PIXEL, "source:1: \"size\" needs two numbers of "
        "work-items, each 1 to 65536"},
  {"//! size 8 HEIGHT/0\n" PIXEL, "source:1: \"size\" needs two numbers"},
  {"//! size 8 8 a\n" PIXEL, "source:1: \"size\" is only for WORK kernels"},
  {"//! group 8 8 c\n" PIXEL "SAMPLE (b) { return 1; }",
      "source:1: there is no kernel \"c\"; the kernels are a, b"},
  {PIXEL "\n" PIXEL, "source:3: the kernel \"a\" is defined twice"},
  {PIXEL "\nSAMPLE (b) { return PREVIOUS_LOAD (x, y); }",
      "source:3: PREVIOUS_... needs a line"},
  {"\nint f (int x) { return FEEDBACK_LOAD (x, 0); }\n" PIXEL,
      "source:2: FEEDBACK_... needs a line"},
  {"\nint f (int x) { return LOAD (x, 0).s0; }\n" PIXEL,
      "source:2: LOAD is not available in this function: give the function a "
        "parameter KERNEL_PARAMS"},
  {PIXEL "\nstatic int f (int x)\n{\n  if (x) {}\n  return WIDTH;\n}\n",
      "source:6: WIDTH is not available"},
  {"int f (KERNEL_PARAMS) { return WIDTH; }\nint g () { return f (KERNEL_ARGS); }\n" PIXEL, "source:2: KERNEL_ARGS is not available"},
  {"\n#include <a.h>\n" PIXEL, "source:2: only files of the same folder"},
  {PIXEL "\n # /* */ include A\n", "source:3: only files of the same"},
  {"\n#include \"a.h\"\n" PIXEL, "source:2: source text that does not "},
  {"\xff\n" PIXEL, "source:1: the file is not UTF-8 text"},
  {"SAMPLE (a)\n{\n  return LOAD_RGB (x, y);\n}\n",
      "source:3: a SAMPLE kernel processes a single component"},
  {"PIXEL (a);\n{\n  return LOAD (x, y);\n}\n",
      "source:1: PIXEL, SAMPLE or WORK begins a kernel"},
  {"\nSAMPLE a\n{\n  return 1;\n}\n" PIXEL,
      "source:2: PIXEL, SAMPLE or WORK begins a kernel"},
  {"\npixel (a)\n{\n  return LOAD (x, y);\n}\n",
      "source:2: a kernel has to begin with PIXEL, in capital letters"},
  {PIXEL "int f (int a) { return a; }\nWork (b)\n{\n}\n",
      "source:3: a kernel has to begin with WORK, in capital letters"},
  /* Brackets */
  {"PIXEL (a)\n{\n  if (x > 3) {\n    y = 3;\n  return LOAD (x, y);\n}\n",
      "source:3:14: this \"{\" has no \"}\", according to the indentation"},
  {"PIXEL (a) { if (x > 3) { return LOAD (x, y); }\n",
      "source:1:11: this \"{\" has no \"}\""},
  {"PIXEL (a)\n{\n  return LOAD (x, y);\n\nPIXEL (b)\n{\n  return 1;\n}\n",
      "source:2:1: this \"{\" has no \"}\""},
  {"int f (int a)\n{\n\tif (a) {\n\treturn a;\n}\n" PIXEL,
      "source:3:9: this \"{\" has no \"}\", according to the indentation"},
  {"PIXEL (a)\n{\n  int4 c = LOAD (x, y);\n  }\n  return c;\n}\n",
      "source:4:3: this \"}\" has no \"{\", according to the indentation"},
  {PIXEL "}\n", "source:2:1: this \"}\" has no \"{\""},
  {"PIXEL (a)\n{\n  int4 c = LOAD (x, y;\n  return c;\n}\n",
      "source:3:17: this \"(\" has no \")\""},
  {"PIXEL (a)\n{\n  int4 c = (LOAD (x, y)));\n  return c;\n}\n",
      "source:3:25: this \")\" has no \"(\""},
  {"constant int t[3 = { 1, 2, 3 };\n" PIXEL,
      "source:1:15: this \"[\" has no \"]\""},
  {"#define F(a) (a)\n//! param p int 1 0 2\nPIXEL (a) { return F(1; }\n",
      "source:3:21: this \"(\" has no \")\""},
  {"#if FORMAT_IS_YUV\n#define A 1\n#endif\nPIXEL (a) { return (1; }\n",
      "source:4:20: this \"(\" has no \")\""},
  {PIXEL "  /* to be\ndone\n", "source:2:3: this comment has no end"},
  {PIXEL "#if 0\n" PIXEL, "source:2:1: this #if has no #endif"},
  {PIXEL "#ifdef A\n#else\n", "source:2:1: this #if has no #endif"}
};

static const gchar *const functions[] = {
  "int f (KERNEL_PARAMS, int x) { return LOAD (x, 0).s0; }\n" PIXEL,
  "int f (KERNEL_PARAMS);\nint g (KERNEL_PARAMS) { if (WIDTH > 1) { return 1; } return HEIGHT; }\n"
      PIXEL,
  "int sample (int a) { return a; }\nint4\npixel (int a) { return sample (a); }\n"
      PIXEL,
  "/* int f () { LOAD } */ constant int t[] = { 1, 2 };\n" PIXEL,
  PIXEL "\n#define F (KERNEL_PARAMS)\nint f F { return WIDTH; }\n",
  "#ifdef A\nint f () {\n#else\nint f (int a) {\n#endif\n return 1; }\n"
      "int g (int h) { return WIDTH; }\n" PIXEL,
  "SAMPLE (b) { return 1; }\nint f (KERNEL_PARAMS) { return LOAD_RGB (0, 0).s0; }\n"
      PIXEL,
  "#define BEGIN {\n#define END }\nint f (int a) BEGIN return a; END\n" PIXEL,
  "#if 0\n(\n#elif 1\n#define F( a) \\\n  (a)\n#endif\n/* { */ constant char t[] = \"({\";\n"
      PIXEL,
  "#ifdef A\nint f (int a)\n{\n#endif\nint g ();\n#ifdef A\n}\n#endif\n" PIXEL
};

GST_START_TEST (texts_with_functions)
{
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++) {
    GError *error = NULL;
    MgpuKernelText *text = mgpu_kernel_text_new (functions[i], &error);

    fail_unless (text != NULL, "text %u: %s", i,
        error != NULL ? error->message : "");
    mgpu_kernel_text_unref (text);
  }
}

GST_END_TEST;

GST_START_TEST (broken_texts)
{
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++) {
    GError *error = NULL;
    MgpuKernelText *text = mgpu_kernel_text_new (broken[i].text, &error);

    fail_unless (text == NULL, "text %u was accepted", i);
    fail_unless (g_str_has_prefix (error->message, broken[i].error),
        "text %u: \"%s\" does not begin with \"%s\"", i, error->message,
        broken[i].error);
    g_error_free (error);
  }
}

GST_END_TEST;

/* ---- Files ----------------------------------------------------------------------- */

static gchar *
write_file (const gchar * folder, const gchar * name, const gchar * contents)
{
  gchar *path = g_build_filename (folder, name, NULL);

  fail_unless (g_file_set_contents (path, contents, -1, NULL));
  return path;
}

GST_START_TEST (included_files)
{
  g_autofree gchar *folder = g_dir_make_tmp ("mgpu-kernel-XXXXXX", NULL);
  g_autofree gchar *main = write_file (folder, "main.cl",
      "#include \"mgpu-kernel.h\"\n#include \"one.h\"\n"
      "PIXEL (a) { return f (x); }\n");
  g_autofree gchar *one = write_file (folder, "one.h",
      "//! param p int 1 0 2\n  #  include \"two.h\"\n#include \"one.h\"\n");
  g_autofree gchar *two = write_file (folder, "two.h", "\n//! reach 3\n");
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  GError *error = NULL;
  MgpuKernelText *text = mgpu_kernel_text_load (main, files, &error);
  guint64 stamp = mgpu_kernel_get_stamp (files);

  fail_unless (text != NULL, "%s", error != NULL ? error->message : "");
  fail_unless_equals_string (text->name, "main.cl");
  fail_unless (text->params->len == 1 && text->reach == 3);
  fail_unless_equals_int (files->len, 3);
  fail_unless_equals_string (g_ptr_array_index (files, 2), two);
  mgpu_kernel_text_unref (text);
  fail_unless_equals_uint64 (mgpu_kernel_get_stamp (files), stamp);

  g_free (write_file (folder, "two.h", "\n\n//! reach x\n"));
  fail_unless (mgpu_kernel_get_stamp (files) != stamp);
  fail_unless (mgpu_kernel_text_load (main, NULL, &error) == NULL);
  fail_unless (g_str_has_prefix (error->message, "two.h:3: \"reach\" needs"),
      "%s", error->message);
  g_clear_error (&error);

  stamp = mgpu_kernel_get_stamp (files);
  g_remove (two);
  fail_unless (mgpu_kernel_get_stamp (files) != stamp);
  g_ptr_array_set_size (files, 0);
  fail_unless (mgpu_kernel_text_load (main, files, &error) == NULL);
  fail_unless (g_str_has_prefix (error->message, "one.h:2: "), "%s",
      error->message);
  g_clear_error (&error);
  /* The missing file is also in the list, because it is searched for again. */
  fail_unless_equals_int (files->len, 3);

  g_free (write_file (folder, "main.cl", "\n#include \"../one.h\"\n" PIXEL));
  fail_unless (mgpu_kernel_text_load (main, NULL, &error) == NULL);
  fail_unless (g_str_has_prefix (error->message, "main.cl:2: \"../one.h\" can"
          "not be included"), "%s", error->message);
  g_clear_error (&error);
  g_remove (main);
  fail_unless (mgpu_kernel_text_load (main, NULL, &error) == NULL);
  g_clear_error (&error);
  g_remove (one);
  g_rmdir (folder);
}

GST_END_TEST;

/* Tests texts with the line ends of other systems, and text inside #if 0. */
GST_START_TEST (odd_texts)
{
  static const gchar *const texts[] = {
    "\xef\xbb\xbf//! param p int 1 0 2\n" PIXEL,
    "//! param p int 1 0 2\r\n\r\n" PIXEL "\r\n",
    "//! param p int 1 0 2\n//! formats RGB RGB GRAY8 RGB\n" PIXEL,
    "//! param p int 1 0 2\n#if 0 // don't {\n#include <x>\n#ifdef A\n#endif\n"
        "SAMPLE (b) { FEEDBACK_ {{\n#else\n" PIXEL "\n#endif\n",
    "//! param p int 1 0 2\n" PIXEL "\n#if 0\nWORK (c) {}\n#endif",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    GError *error = NULL;
    g_autoptr (MgpuKernelText) text = mgpu_kernel_text_new (texts[i], &error);

    fail_unless (text != NULL, "text %u: %s", i,
        error != NULL ? error->message : "");
    fail_unless_equals_int (text->params->len, 1);
    fail_unless_equals_int (text->functions->len, 1);
    fail_unless_equals_string (g_array_index (text->functions,
            MgpuKernelFunction, 0).name, "a");
    fail_unless (text->formats->len == (i == 2 ? 2 : 0));
    fail_if (strchr (text->text, '\r') != NULL
        || strstr (text->text, "\xef\xbb\xbf") != NULL);
  }
}

GST_END_TEST;

/* Returns: (transfer full): a kernel text with @n kernels, whose names have @length characters */
static gchar *
make_kernels (guint n, guint length)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "WORK (a%0*u) {}\n", (gint) length - 1, i);
  return g_string_free (text, FALSE);
}

/* Returns: (transfer full): the error message about a file, or "" */
static gchar *
get_file_error (const gchar * path, GQuark domain)
{
  GError *error = NULL;
  MgpuKernelText *text = mgpu_kernel_text_load (path, NULL, &error);
  gchar *message;

  if (text != NULL) {
    mgpu_kernel_text_unref (text);
    return g_strdup ("");
  }
  fail_unless (domain == 0 || error->domain == domain);
  message = g_strdup (error->message);
  g_error_free (error);
  return message;
}

/* Tests very long files, and paths that are not regular files: reading them never takes long. */
GST_START_TEST (odd_files)
{
  g_autofree gchar *folder = g_dir_make_tmp ("mgpu-kernel-XXXXXX", NULL);
  g_autofree gchar *path = g_build_filename (folder, "f.cl", NULL);
  g_autofree gchar *long_text = g_strnfill (10 << 20, ' ');
  g_autofree gchar *pixels = make_kernels (1 << 15, 6);
  g_autofree gchar *name = make_kernels (1, 100000);
  g_autofree gchar *word = g_strnfill (100000, 'w');
  g_autofree gchar *line = g_strconcat ("//! ", word, NULL);
  const struct
  {
    const gchar *contents;
    gssize size;
    const gchar *error;
  } files[] = {
    {"", 0, "f.cl:1: the source text has no kernel"},
    {PIXEL, -1, ""},
    {PIXEL "\0", sizeof (PIXEL), "f.cl:1: the file is not UTF-8 text"},
    {long_text, -1, "is longer than"},
    {pixels, -1, "f.cl:65: more than 64 kernels"},
    {name, -1, "f.cl:1: the name of a kernel has more than 63"},
    {line, -1, "f.cl:1: \"//! wwwww"},
    {"#include \"f.cl\"\n#include \"f.cl\"\n" PIXEL, -1, ""},
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree gchar *error = NULL;

    fail_unless (g_file_set_contents (path, files[i].contents, files[i].size,
            NULL));
    error = get_file_error (path, 0);
    fail_unless (strstr (error, files[i].error) != NULL
        && strlen (error) < 1000, "file %u: %s", i, error);
  }
  g_remove (path);
  for (guint i = 0; i < 4; i++) {
    g_autofree gchar *error = NULL;

    if (i == 0)
      fail_unless (mkfifo (path, 0600) == 0);
    else if (i == 1)
      fail_unless (g_mkdir (path, 0700) == 0);
    else if (i == 2)
      fail_unless (symlink ("/dev/zero", path) == 0);
    else
      fail_unless (symlink ("f.cl", path) == 0);
    error = get_file_error (path, G_IO_ERROR);
    fail_unless (strstr (error, i < 3 ? "f.cl\" is not a regular file"
            : "cannot read the file") != NULL, "%s", error);
    g_remove (path);
  }
  g_rmdir (folder);
}

GST_END_TEST;

/* ---- Compilers ------------------------------------------------------------------- */

/* Builds a kernel text. Returns: (transfer full) (nullable): the error message */
static gchar *
try_build (GstMgpuContext * context, const gchar * contents, gchar ** log)
{
  GError *error = NULL;
  g_autoptr (MgpuKernelText) text = mgpu_kernel_text_new (contents, &error);
  GstVideoInfo info;
  gpointer kernel;
  gchar *message;

  fail_unless (text != NULL, "%s", error != NULL ? error->message : "");
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 32, 16);
  kernel = mgpu_kernel_new (text, NULL, context, &info, NULL, &info, log,
      &error);
  message = kernel == NULL ? g_strdup (error->message) : NULL;
  g_clear_pointer (&kernel, mgpu_object_free);
  g_clear_error (&error);
  return message;
}

/* Builds a kernel text, which has to fail. Returns: (transfer full): the error message */
static gchar *
get_build_error (GstMgpuContext * context, const gchar * contents, gchar ** log)
{
  gchar *message = try_build (context, contents, log);

  fail_unless (message != NULL, "%s is accepted", contents);
  return message;
}

GST_START_TEST (errors_of_compilers)
{
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, NULL);
  gchar *log, *message;

  message = get_build_error (context, "//! param strength int 1 0 2\n"
      "PIXEL (a)\n{\n  int4 c = LOAD (x, y);\n  c.s0 *= strenth;\n"
      "  return c;\n}\n", &log);
  fail_unless (g_str_has_prefix (message, "source:5:"), "%s", message);
  fail_unless (strstr (message, "strenth") != NULL, "%s", message);
  fail_unless (strstr (log, "source:5:") != NULL, "%s", log);
  g_free (message);
  g_free (log);

  /* Puts the error after a kernel of another kind, whose lines must not be counted twice. */
  message = get_build_error (context, "SAMPLE (a) { return LOAD (x, y); }\n\n"
      "PIXEL (b)\n{\n  return nothing;\n}\n//! pass a b\n", &log);
  fail_unless (g_str_has_prefix (message, "source:5:"), "%s", message);
  g_free (message);
  g_free (log);

  message = get_build_error (context, "//! output GRAY8\nWORK (a) { }\n", NULL);
  fail_unless (strstr (message, "but no kernel writes it") != NULL, "%s",
      message);
  g_free (message);
}

GST_END_TEST;

/* Tests that code that would give different pixels in each run is an error. */
GST_START_TEST (errors_of_missing_values)
{
  static const struct
  {
    const gchar *text, *line;
  } texts[] = {
    {"PIXEL (a)\n{\n  int4 c = LOAD (x, y);\n}\n", "source:4:"},
    {"SAMPLE (a)\n{\n  if (x > 3)\n    return 2;\n}\n", "source:5:"},
    {"int f (int a)\n{\n}\n" PIXEL, "source:3:"},
    {"PIXEL (a)\n{\n  int4 c;\n  return c;\n}\n", "source:4:"},
  };
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree gchar *message = get_build_error (context, texts[i].text, NULL);

    fail_unless (g_str_has_prefix (message, texts[i].line), "%s", message);
  }
}

GST_END_TEST;

#define END "return LOAD (x, y);\n}\n"

/* Tests that the compiler's message is followed by an explanation for the user. */
GST_START_TEST (cures_of_errors)
{
  static const struct
  {
    const gchar *text, *line, *cure;
    gboolean may_pass;          /* whether the text may build: PoCL 6 has no limit of arrays */
  } texts[] = {
    {"//! param gain int 1 0 4\nPIXEL (a)\n{\n  int gain = 3;\n"
          "  return gain;\n}\n", "source:4:", "\"gain\" is a parameter"},
    {"PIXEL (a)\n{\n  int x = 3;\n  return x;\n}\n", "source:3:",
        "x and y are the position of the pixel"},
    {"WORK (a)\n{\n  OUT_STORE (0, blockIdx.x, 0, 1);\n}\n", "source:3:",
        "get_group_id (0)"},
    {"WORK (a)\n{\n  OUT_STORE (0, threadIdx.x, 0, 1);\n}\n", "source:3:",
        "get_local_id (0)"},
    {"PIXEL (a)\n{\n  return LOAD (x, y) * 0.5f;\n}\n", "source:3:", "an int"},
    {"PIXEL (a)\n{\n  return (int) sqrt (x);\n}\n", "source:3:", "a cast"},
    {"//! results int 1 n\nPIXEL (a)\n{\n  n++;\n" END, "source:4:", "name[0]"},
    {"//! buffer sum float 1 keep\nPIXEL (a)\n{\n  sum += 1.0f;\n" END,
        "source:4:", "name[0]"},
    {"//! boxes faces\nPIXEL (a)\n{\n  faces[0] = 1;\n" END, "source:4:",
        "BOX (faces, x, y, width, height, score)"},
    {"//! boxes faces\nPIXEL (a)\n{\n  BOX (faces, x, y, 1, 1);\n" END,
        "source:4:", "and BOX () needs a name, x, y, width, height and score"},
    {"//! boxes faces\n#define MARK(list) BOX (list, x, y, 1, 1, 1)\n"
          "PIXEL (a)\n{\n  MARK (f);\n" END, "source:",
        "first argument of BOX"},
    {"\nWORK (a)\n{\n  local int t[64 << 20];\n  t[get_local_id (0)] = 1;\n"
          "  barrier (CLK_LOCAL_MEM_FENCE);\n  OUT_STORE (0, 0, 0, t[0]);\n}\n",
          "source:2: the kernel \"a\" needs 268435456 bytes of local memory",
        "make its local arrays smaller", TRUE},
  };
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree gchar *message = try_build (context, texts[i].text, NULL);

    fail_unless (message != NULL || texts[i].may_pass, "%s is accepted",
        texts[i].text);
    fail_unless (message == NULL || (g_str_has_prefix (message, texts[i].line)
            && strstr (message, texts[i].cure) != NULL), "%s", message);
  }
}

GST_END_TEST;

/* Builds a kernel text. Returns: (transfer full): the compiler's log */
static gchar *
get_build_log (GstMgpuContext * context, const gchar * contents)
{
  GError *error = NULL;
  g_autoptr (MgpuKernelText) text = mgpu_kernel_text_new (contents, &error);
  GstVideoInfo info;
  gpointer kernel;
  gchar *log;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 32, 16);
  kernel = mgpu_kernel_new (text, NULL, context, &info, NULL, &info, &log,
      &error);
  fail_unless (error == NULL, "%s: %s", contents, error->message);
  mgpu_object_free (kernel);
  return log;
}

#define LISTS "//! results int 4 edges\n//! results float 2 sums\n" \
    "//! buffer b int 3\n//! buffer p float 2 per-pixel\nPIXEL (a)\n{\n"

/* Tests that only constant indices outside of results and buffers are errors. */
GST_START_TEST (indices)
{
  static const gchar *const wrong[] = { "edges[4] = 1", "RESULTS[4] = 1",
    "edges[-1] = 1", "atomic_inc (&edges[7])", "atomic_inc (edges + 7)",
    "sums[2] = 1", "b[3] = b[0]"
  };
  static const gchar *const right[] = { "edges[3] = 1", "RESULTS[3] = 1",
    "atomic_inc (edges)", "atomic_inc (&edges[3])", "atomic_inc (edges + 3)",
    "sums[1] = 1.5f", "b[2] = b[x % 3]", "p[2 * (y * WIDTH + x) + 1] = p[7]",
    "for (int i = 0; i < 4; i++) edges[i] = b[i / 2]",
    "global float *s = sums; global int *q = b; *s = *q"
  };
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, NULL);
  g_autoptr (GString) text = g_string_new (LISTS);
  g_autofree gchar *log = NULL, *message = NULL, *good = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_string_append_printf (text, "%s;\n", wrong[i]);
  g_string_append (text, END);
  message = get_build_error (context, text->str, &log);
  fail_unless (g_str_has_prefix (message, "source:7:")
      && strstr (message, "outside of the list of results") != NULL, "%s",
      message);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autofree gchar *line = g_strdup_printf ("source:%u:", 7 + i);

    fail_unless (strstr (log, line) != NULL, "%s: %s", wrong[i], log);
  }
  g_string_assign (text, LISTS);
  for (guint i = 0; i < G_N_ELEMENTS (right); i++)
    g_string_append_printf (text, "%s;\n", right[i]);
  g_string_append (text, END);
  good = get_build_log (context, text->str);
  fail_unless_equals_string (good, "");
}

GST_END_TEST;

/* Tests that the log mentions a variable that hides a parameter in an inner block. */
GST_START_TEST (shadows)
{
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, NULL);
  g_autofree gchar *log = get_build_log (context, "//! param gain int 1 0 4\n"
      "PIXEL (a)\n{\n  if (x > 1) {\n    int gain = 3;\n"
      "    return gain;\n  }\n  return LOAD (x, y);\n}\n");

  fail_unless (strstr (log, "source:5:") != NULL
      && strstr (log, "shadows") != NULL, "%s", log);
}

GST_END_TEST;

/* Tests that errors in the code that surrounds the user's kernel name the user's file. */
GST_START_TEST (errors_of_macros)
{
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, NULL);
  gchar *log, *message;

  message = get_build_error (context, "\n#define left 3\n" PIXEL, &log);
  fail_unless (g_str_has_prefix (message, "source:2:14: expected ")
      || g_str_has_prefix (message, "source: the generated code does not "),
      "%s", message);
  fail_unless (strstr (log, "<Spelling=") == NULL, "%s", log);
  g_free (message);
  g_free (log);
  message = get_build_error (context, "#define A {\nint f (void)\nA\n" PIXEL,
      NULL);
  fail_unless (g_str_has_prefix (message, "source:4:"), "%s", message);
  g_free (message);
}

GST_END_TEST;

/* Tests that messages name the current file, not another file with the same text. */
GST_START_TEST (messages_of_copies)
{
  g_autofree gchar *folder = g_dir_make_tmp ("mgpu-kernel-XXXXXX", NULL);
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, NULL);
  /* A line break before #warning moves the line of the warning. */
  static const gchar *const names[] = { "first.cl", "second.cl", "second.cl" };
  static const gchar *const texts[] = { "", "", "\n" };
  static const gchar *const places[] = { "first.cl:1:", "second.cl:1:",
    "second.cl:2:"
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree gchar *contents = g_strconcat (texts[i], "#warning odd\n" PIXEL,
        NULL);
    g_autofree gchar *path = write_file (folder, names[i], contents);
    g_autoptr (MgpuKernelText) text = mgpu_kernel_text_load (path, NULL, NULL);
    g_autofree gchar *log = NULL;
    GstVideoInfo info;
    gpointer kernel;

    gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 32, 16);
    kernel = mgpu_kernel_new (text, NULL, context, &info, NULL, &info, &log,
        NULL);
    fail_unless (kernel != NULL);
    fail_unless (strstr (log, places[i]) != NULL, "%s", log);
    mgpu_object_free (kernel);
    g_remove (path);
  }
  g_rmdir (folder);
}

GST_END_TEST;

GST_START_TEST (groups_beyond_the_device)
{
  g_autoptr (GstMgpuContext) context = NULL;
  g_autofree gchar *message = NULL;

  /* Sets a variable that PoCL reads when the first context is made; each test has its own process. */
  g_setenv ("POCL_MAX_WORK_GROUP_SIZE", "64", TRUE);
  context = gst_mgpu_context_new (NULL, NULL);
  fail_unless (gst_mgpu_context_get_traits (context)->max_work_group_size
      < 4096);
  message = get_build_error (context, "//! group 64 64\n" PIXEL, NULL);
  fail_unless (strstr (message, "source:2: the kernel \"a\" has work-groups of "
          "64 x 64 work-items, and ") != NULL, "%s", message);
}

GST_END_TEST;

GST_START_TEST (logs)
{
  g_autoptr (MgpuKernelText) text = mgpu_kernel_text_new ("\n" PIXEL
      "\nSAMPLE (b) { return LOAD (x, y); }\n", NULL);
  /* One #line directive precedes the text; 8 lines lie between the kernels. */
  g_autofree gchar *mapped = mgpu_kernel_text_map_log (text, 10,
      "error: <kernel>:13:4: a\n<stdin>:22:5: b\nx <y> 5\n<source>:3: c\n"
      "<kernel>:91:7: d\n");
  g_autofree gchar *pocl = mgpu_kernel_first_error (text, "warning: w\n"
      "error: source:6:34: bad\n");
  g_autofree gchar *clang = mgpu_kernel_first_error (text,
      "source:1: warning: w\nsource:6:34: error: bad\n");
  g_autofree gchar *later = mgpu_kernel_first_error (text,
      "error: pixel.h:6:34: w\nerror: source:6:34: bad\n");
  g_autofree gchar *around = mgpu_kernel_first_error (text,
      "error: pixel.h:6:34: bad\n");
  g_autofree gchar *linking = mgpu_kernel_first_error (text,
      "Error(s) while linking: \nCannot find symbol f\nDevice d failed\n");
  g_autofree gchar *few = mgpu_kernel_first_error (text,
      "error: source:6:34: too few arguments to function call\n");
  g_autofree gchar *empty = mgpu_kernel_first_error (text, "");
  g_autofree gchar *spelling = mgpu_kernel_text_map_log (text, 10,
      "error: source:1:2 <Spelling=pixel.h:3:4>: a\n"
      "error: pixel.h:1:2 <Spelling=source:3:4>: b\n"
      "error: pixel.h:1:2 <Spelling=<scratch space>:3:4>: c\nd <Spelling=");

  fail_unless_equals_string (mapped, "error: source:2:4: a\nsource:3:5: b\n"
      "x <y> 5\n<source>:3: c\n<kernel>:91:7: d\n");
  fail_unless_equals_string (pocl, "source:6:34: bad");
  fail_unless_equals_string (clang, "source:6:34: error: bad");
  fail_unless_equals_string (later, "source:6:34: bad");
  fail_unless (g_str_has_prefix (around, "source: the generated code does ")
      && g_str_has_suffix (around, ": pixel.h:6:34: bad"), "%s", around);
  fail_unless (g_str_has_suffix (linking,
          " while linking: Cannot find symbol f"));
  fail_unless (g_str_has_suffix (few, "KERNEL_ARGS as the first argument"));
  fail_unless_equals_string (spelling,
      "error: source:1:2: a\n"
      "error: source:3:4: b\nerror: pixel.h:1:2: c\nd");
  fail_unless_equals_string (empty, "");
  fail_unless_equals_uint64 (mgpu_kernel_log_local_memory
      ("'mgpu_kernel_a' uses too much shared data (0x10 bytes", "a"), 16);
}

GST_END_TEST;

CHECK_TESTS (mgpukerneltext)
{
  tcase_add_test (tc, lines);
  tcase_add_test (tc, texts_with_functions);
  tcase_add_test (tc, broken_texts);
  tcase_add_test (tc, included_files);
  tcase_add_test (tc, odd_texts);
  tcase_add_test (tc, odd_files);
  tcase_add_test (tc, errors_of_compilers);
  tcase_add_test (tc, errors_of_missing_values);
  tcase_add_test (tc, cures_of_errors);
  tcase_add_test (tc, indices);
  tcase_add_test (tc, shadows);
  tcase_add_test (tc, errors_of_macros);
  tcase_add_test (tc, messages_of_copies);
  tcase_add_test (tc, groups_beyond_the_device);
  tcase_add_test (tc, logs);
}
