/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Parses the //! lines of kernel files. */
#include "kernel-lines.h"

#include <math.h>
#include <string.h>

/* Maximum length of a message, which may quote words of the file */
#define MAX_MESSAGE 600

/* Maximum number of work-items in a dimension of a launch */
#define MAX_ITEMS 65536

/* Maximum number of work-items in a dimension of a work-group */
#define MAX_GROUP 4096

/* A line that names kernels */
typedef struct
{
  gchar **words;
  gchar *file;
  guint number;
} Line;

/* The state of the parser in one line. @words: the words that are left; the first word is the
 * keyword. */
typedef struct
{
  MgpuKernelText *text;
  GPtrArray *later;
  const gchar *file;
  guint number;
  gchar **words;
  guint n_words;
  const gchar *rest;            /* the line itself */
  const gchar *form;            /* syntax of lines with this keyword, for messages */
} Reader;

static void
line_free (gpointer data)
{
  Line *line = data;

  g_strfreev (line->words);
  g_free (line->file);
  g_free (line);
}

GPtrArray *
mgpu_kernel_lines_new (void)
{
  return g_ptr_array_new_with_free_func (line_free);
}

GError *
mgpu_kernel_line_error (const gchar * file, guint number, const gchar * format,
    ...)
{
  GString *message = g_string_new (NULL);
  const gchar *end;
  GError *error;
  va_list args;

  g_string_printf (message, "%s:%u: ", file, number);
  va_start (args, format);
  g_string_append_vprintf (message, format, args);
  va_end (args);
  if (message->len > MAX_MESSAGE) {
    g_string_truncate (message, MAX_MESSAGE);
    g_utf8_validate (message->str, -1, &end);
    g_string_truncate (message, end - message->str);
    g_string_append (message, "...");
  }
  error = g_error_new_literal (GST_MGPU_ERROR, GST_MGPU_ERROR_BUILD,
      message->str);
  g_string_free (message, TRUE);
  return error;
}

static gboolean
fail (const Reader * self, GError ** error, const gchar * format, ...)
G_GNUC_PRINTF (3, 4);

/* Sets the error of the line. Returns: FALSE */
     static gboolean
         fail (const Reader * self, GError ** error, const gchar * format, ...)
{
  gchar *message;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_propagate_error (error, mgpu_kernel_line_error (self->file, self->number,
          "%s", message));
  g_free (message);
  return FALSE;
}

/* ---- Words -------------------------------------------------------------------- */

/* Words that cannot be names: those of OpenCL C, and those that mgpu-kernel.h defines */
static const gchar *const reserved[] = {
  "auto", "break", "case", "char", "const", "constant", "continue", "default",
  "do", "double", "else", "enum", "extern", "float", "for", "global", "goto",
  "half", "if", "inline", "int", "kernel", "local", "long", "private",
  "register", "restrict", "return", "short", "signed", "sizeof", "static",
  "struct", "switch", "typedef", "uchar", "uint", "ulong", "union", "unsigned",
  "ushort", "void", "volatile", "while", "bool", "size_t", "x", "y",
  "component", "PIXEL", "SAMPLE", "WORK", "LOAD", "LOADF", "LOAD_RGB", "RGB",
  "AT", "FROM_RGB", "FROM_FLOAT", "TO_FLOAT", "WIDTH", "HEIGHT", "MAX",
  "OUT_MAX", "FRAME", "TIME", "TIME_NS", "RESULTS", "GROUP_X", "GROUP_Y",
  "KERNEL_PARAMS", "KERNEL_ARGS", "BOX", "reciprocal", "root", "exp2_", NULL
};

/* Prefixes of the other words that mgpu-kernel.h defines */
static const gchar *const reserved_prefixes[] = {
  "mgpu_", "MGPU_", "__", "SECOND_", "PREVIOUS_", "FEEDBACK_", "SOURCE_",
  "FORMAT_", "IN_", "OUT_", "HAS_", NULL
};

static gboolean
is_reserved (const gchar * name)
{
  for (guint i = 0; reserved_prefixes[i] != NULL; i++)
    if (g_str_has_prefix (name, reserved_prefixes[i]))
      return TRUE;
  return g_strv_contains (reserved, name);
}

static gboolean
is_identifier (const gchar * name)
{
  gsize length = strlen (name);

  if (length == 0 || length > MGPU_KERNEL_MAX_NAME || g_ascii_isdigit (name[0]))
    return FALSE;
  for (gsize i = 0; i < length; i++)
    if (!g_ascii_isalnum (name[i]) && name[i] != '_')
      return FALSE;
  return TRUE;
}

static gboolean
has_list (const GArray * lists, const gchar * name)
{
  for (guint i = 0; i < lists->len; i++)
    if (g_str_equal (g_array_index (lists, MgpuKernelList, i).name, name))
      return TRUE;
  return FALSE;
}

/* Checks a new name of a parameter or list. */
static gboolean
check_name (const Reader * self, const gchar * name, GError ** error)
{
  const MgpuKernelText *text = self->text;

  if (!is_identifier (name))
    return fail (self, error, "the name \"%s\" is not an identifier of at most "
        "%d letters, digits and _: write \"//! %s\"", name,
        MGPU_KERNEL_MAX_NAME, self->form);
  if (is_reserved (name))
    return fail (self, error, "the name \"%s\" has another meaning in "
        "kernels: choose another one", name);
  if (mgpu_kernel_text_find_param (text, name) >= 0
      || has_list (text->results, name) || has_list (text->buffers, name)
      || has_list (text->boxes, name))
    return fail (self, error, "the name \"%s\" is used twice", name);
  return TRUE;
}

/* Parses the whole number @word. Returns: FALSE if @word is not a whole number from @min to @max */
static gboolean
parse_whole (const gchar * word, gint64 min, gint64 max, gint64 * value)
{
  return min <= max
      && g_ascii_string_to_signed (word, 10, min, max, value, NULL);
}

/* Parses the number @word of a parameter. Returns: FALSE if it is not an int, or a finite
 * float */
static gboolean
parse_number (const gchar * word, gboolean is_float, gdouble * value)
{
  gchar *end;
  gint64 whole;

  if (!is_float) {
    if (!parse_whole (word, G_MININT32, G_MAXINT32, &whole))
      return FALSE;
    *value = whole;
    return TRUE;
  }
  *value = g_ascii_strtod (word, &end);
  return end != word && *end == '\0' && isfinite (*value)
      && fabs (*value) <= G_MAXFLOAT;
}

static gboolean
parse_type (const Reader * self, const gchar * word, gboolean * is_float,
    GError ** error)
{
  *is_float = g_str_equal (word, "float");
  return *is_float || g_str_equal (word, "int")
      || fail (self, error, "the type \"%s\" is neither int nor float: write "
      "\"//! %s\"", word, self->form);
}

/* ---- Lines -------------------------------------------------------------------- */

/* Returns: the rest of the line after its first @n words, without surrounding white space */
static gchar *
get_text (const Reader * self, guint n)
{
  const gchar *at = self->rest;

  for (guint i = 0; i < n; i++) {
    at += strspn (at, " \t");
    at += strcspn (at, " \t");
  }
  return g_strstrip (g_strdup (at));
}

/* Parses default, minimum and maximum of a parameter. */
static gboolean
parse_numbers (const Reader * self, MgpuKernelParam * p, GError ** error)
{
  gchar **w = self->words;
  gdouble *const numbers[] = { &p->value, &p->min, &p->max };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    const gchar *word = w[3 + i];

    if (parse_number (word, p->is_float, numbers[i]))
      continue;
    if (!p->is_float && parse_number (word, TRUE, numbers[i])
        && strpbrk (word, ".eE") != NULL)
      return fail (self, error, "\"%s\" is not an int: write \"//! param %s "
          "float %s %s %s\", or whole numbers", word, w[1], w[3], w[4], w[5]);
    return fail (self, error, "default, minimum and maximum of \"%s\" have to "
        "be numbers of the type %s, but they are \"%s %s %s\"%s", w[1], w[2],
        w[3], w[4], w[5], p->is_float ? "" : "; the range of int is "
        "-2147483648 to 2147483647");
  }
  if (p->min > p->max)
    return fail (self, error, "the minimum %s of \"%s\" is greater than its "
        "maximum %s: the order is default, minimum, maximum", w[4], w[1], w[5]);
  if (p->value < p->min || p->value > p->max)
    return fail (self, error, "the default %s of \"%s\" is not between %s and "
        "%s: the order is default, minimum, maximum", w[3], w[1], w[4], w[5]);
  return TRUE;
}

static gboolean
parse_param (Reader * self, GError ** error)
{
  MgpuKernelParam p = { 0 };
  gchar **w = self->words;
  gint64 control = 0;
  guint n = 6;

  if (self->n_words < 6)
    return fail (self, error, "\"param\" needs a name, a type (int or float), "
        "a default, a minimum and a maximum");
  if (self->text->params->len == MGPU_KERNEL_MAX_PARAMS)
    return fail (self, error, "more than %d parameters",
        MGPU_KERNEL_MAX_PARAMS);
  if (!check_name (self, w[1], error)
      || !parse_type (self, w[2], &p.is_float, error))
    return FALSE;
  if (!parse_numbers (self, &p, error))
    return FALSE;
  if (self->n_words > 6 && g_str_has_prefix (w[6], "control=")) {
    if (!parse_whole (w[6] + strlen ("control="), 1, MGPU_KERNEL_MAX_CONTROLS,
            &control))
      return fail (self, error, "\"%s\" is not valid: write control=1 to "
          "control=%d", w[6], MGPU_KERNEL_MAX_CONTROLS);
    n = 7;
  }
  p.control = control;
  p.name = g_strdup (w[1]);
  p.text = get_text (self, n);
  g_array_append_val (self->text->params, p);
  return TRUE;
}

static gboolean
parse_results (Reader * self, GError ** error)
{
  MgpuKernelText *text = self->text;
  MgpuKernelList list = { 0 };
  gchar **w = self->words;
  gsize total = mgpu_kernel_text_count_results (text);
  gint64 n;

  if (self->n_words != 4)
    return fail (self, error, "\"results\" needs int or float, the number of "
        "values, and a name");
  if (text->results->len == MGPU_KERNEL_MAX_RESULTS)
    return fail (self, error, "more than %d lists of results",
        MGPU_KERNEL_MAX_RESULTS);
  if (!parse_type (self, w[1], &list.is_float, error))
    return FALSE;
  if (is_identifier (w[2]) && !is_identifier (w[3]))
    return fail (self, error, "the number of values has to come before the "
        "name: write \"//! results %s %s %s\"", w[1], w[3], w[2]);
  if (!check_name (self, w[3], error))
    return FALSE;
  if (!parse_whole (w[2], 1, MGPU_KERNEL_MAX_RESULTS_SIZE / 4 - total, &n))
    return fail (self, error, "\"%s\" is not a valid number of results, "
        "because all lists and boxes together have 1 to %d values: write \"//! "
        "%s\"", w[2], MGPU_KERNEL_MAX_RESULTS_SIZE / 4, self->form);
  list.n = n;
  list.name = g_strdup (w[3]);
  g_array_append_val (text->results, list);
  return TRUE;
}

static gboolean
parse_boxes (Reader * self, GError ** error)
{
  MgpuKernelText *text = self->text;
  gint left = MGPU_KERNEL_MAX_RESULTS_SIZE / 4 -
      (gint) mgpu_kernel_text_count_results (text);
  MgpuKernelList list = { 0 };
  gchar **w = self->words;
  gint64 n = MGPU_KERNEL_DEFAULT_BOXES;
  gint most;

  if (self->n_words != 2 && self->n_words != 3)
    return fail (self, error, "\"boxes\" needs a name, and may have a number "
        "of boxes (default %d): write \"//! %s\"", MGPU_KERNEL_DEFAULT_BOXES,
        self->form);
  if (text->boxes->len == MGPU_KERNEL_MAX_BOXES)
    return fail (self, error, "more than %d lists of boxes",
        MGPU_KERNEL_MAX_BOXES);
  if (self->n_words == 3 && !is_identifier (w[1]) && is_identifier (w[2]))
    return fail (self, error, "the name has to come before the number of "
        "boxes: write \"//! boxes %s %s\"", w[2], w[1]);
  if (!check_name (self, w[1], error))
    return FALSE;
  /* Requires a letter at the beginning, as in the names of structures in messages. */
  if (!g_ascii_isalpha (w[1][0]))
    return fail (self, error, "the name \"%s\" has to begin with a letter, "
        "because it becomes the type of regions", w[1]);
  most = MAX (left - 1, 0) / MGPU_KERNEL_BOX_WORDS;
  if (most == 0)
    return fail (self, error,
        "there is no room for boxes: all results and boxes together have at "
        "most %d values, and one box has %d values",
        MGPU_KERNEL_MAX_RESULTS_SIZE / 4, MGPU_KERNEL_BOX_WORDS);
  if (self->n_words == 2 && n > most)
    return fail (self, error, "a list of boxes without a number has %d boxes, "
        "but there is only room for %d: write \"//! boxes %s %d\"",
        MGPU_KERNEL_DEFAULT_BOXES, most, w[1], most);
  if (self->n_words == 3 && !parse_whole (w[2], 1, most, &n))
    return fail (self, error, "\"%s\" is not a number of boxes from 1 to %d, "
        "the limit for %d values of all results and boxes together: write "
        "\"//! %s\"", w[2], most, MGPU_KERNEL_MAX_RESULTS_SIZE / 4, self->form);
  list.n = n;
  list.name = g_strdup (w[1]);
  g_array_append_val (text->boxes, list);
  return TRUE;
}

static gboolean
parse_buffer (Reader * self, GError ** error)
{
  MgpuKernelText *text = self->text;
  MgpuKernelList list = { 0 };
  gchar **w = self->words;
  gint64 most, n;

  if (self->n_words < 4)
    return fail (self, error, "\"buffer\" needs a name, int or float, and the "
        "number of values");
  if (text->buffers->len == MGPU_KERNEL_MAX_BUFFERS)
    return fail (self, error, "more than %d buffers", MGPU_KERNEL_MAX_BUFFERS);
  if (!check_name (self, w[1], error)
      || !parse_type (self, w[2], &list.is_float, error))
    return FALSE;
  for (guint i = 4; i < self->n_words; i++)
    if (g_str_equal (w[i], "per-pixel"))
      list.per_pixel = TRUE;
    else if (g_str_equal (w[i], "keep"))
      list.keep = TRUE;
    else
      return fail (self, error, "\"%s\" is neither per-pixel nor keep", w[i]);
  most = list.per_pixel ? MGPU_KERNEL_MAX_PER_PIXEL
      : MGPU_KERNEL_MAX_BUFFER_SIZE / 4;
  if (!parse_whole (w[3], 1, most, &n))
    return fail (self, error, "\"%s\" is not a valid number of values for a "
        "buffer, which is 1 to %" G_GINT64_FORMAT "%s", w[3], most,
        list.per_pixel ? " for each pixel" : "");
  list.n = n;
  list.name = g_strdup (w[1]);
  g_array_append_val (text->buffers, list);
  return TRUE;
}

/* Formats of the elements */
static const GstVideoFormat known_formats[] = {
  GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_YV12,
  GST_VIDEO_FORMAT_NV21, GST_VIDEO_FORMAT_Y42B, GST_VIDEO_FORMAT_Y444,
  GST_VIDEO_FORMAT_YUY2, GST_VIDEO_FORMAT_UYVY, GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_I420_10LE, GST_VIDEO_FORMAT_GRAY8,
  GST_VIDEO_FORMAT_GRAY16_LE, GST_VIDEO_FORMAT_RGB, GST_VIDEO_FORMAT_BGR,
  GST_VIDEO_FORMAT_RGBx, GST_VIDEO_FORMAT_xRGB, GST_VIDEO_FORMAT_BGRx,
  GST_VIDEO_FORMAT_xBGR, GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_ARGB,
  GST_VIDEO_FORMAT_BGRA, GST_VIDEO_FORMAT_ABGR
};

/* Returns: the video format with this name, if the elements support it; otherwise UNKNOWN */
static GstVideoFormat
find_format (const gchar * name)
{
  for (guint i = 0; i < G_N_ELEMENTS (known_formats); i++)
    if (g_str_equal (gst_video_format_to_string (known_formats[i]), name))
      return known_formats[i];
  return GST_VIDEO_FORMAT_UNKNOWN;
}

static gboolean
has_format (const GArray * formats, GstVideoFormat format)
{
  for (guint i = 0; i < formats->len; i++)
    if (g_array_index (formats, GstVideoFormat, i) == format)
      return TRUE;
  return FALSE;
}

/* Sets the error for an unknown format. Returns: FALSE */
static gboolean
fail_format (const Reader * self, const gchar * name, GError ** error)
{
  GString *list = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (known_formats); i++)
    g_string_append_printf (list, "%s%s", i > 0 ? " " : "",
        gst_video_format_to_string (known_formats[i]));
  fail (self, error, "the format \"%s\" is not supported; the supported "
      "formats are %s", name, list->str);
  g_string_free (list, TRUE);
  return FALSE;
}

static gboolean
parse_formats (Reader * self, GError ** error)
{
  if (self->n_words < 2)
    return fail (self, error, "\"formats\" needs names of formats");
  for (guint i = 1; i < self->n_words; i++) {
    GstVideoFormat format = find_format (self->words[i]);

    if (format == GST_VIDEO_FORMAT_UNKNOWN)
      return fail_format (self, self->words[i], error);
    if (!has_format (self->text->formats, format))
      g_array_append_val (self->text->formats, format);
  }
  return TRUE;
}

static gboolean
parse_output (Reader * self, GError ** error)
{
  if (self->n_words != 2 || !g_str_equal (self->words[1], "GRAY8"))
    return fail (self, error, "\"output\" can only be GRAY8");
  self->text->output = GST_VIDEO_FORMAT_GRAY8;
  return TRUE;
}

static gboolean
parse_previous (Reader * self, GError ** error)
{
  self->text->previous = TRUE;
  return self->n_words == 1
      || fail (self, error, "\"previous\" has no arguments: write it alone");
}

static gboolean
parse_feedback (Reader * self, GError ** error)
{
  self->text->feedback = TRUE;
  return self->n_words == 1
      || fail (self, error, "\"feedback\" has no arguments: write it alone");
}

static gboolean
parse_reach (Reader * self, GError ** error)
{
  gint64 reach;

  if (self->n_words != 2
      || !parse_whole (self->words[1], 0, MGPU_KERNEL_MAX_REACH, &reach))
    return fail (self, error, "\"reach\" needs a number of pixels, 0 to %d",
        MGPU_KERNEL_MAX_REACH);
  self->text->reach = reach;
  return TRUE;
}

static gboolean
parse_later (Reader * self, GError ** error)
{
  Line *line = g_new0 (Line, 1);

  line->words = g_strdupv (self->words);
  line->file = g_strdup (self->file);
  line->number = self->number;
  g_ptr_array_add (self->later, line);
  return TRUE;
}

static const struct
{
  const gchar *name;
    gboolean (*parse) (Reader * self, GError ** error);
  const gchar *form;
} keywords[] = {
  {"param", parse_param, "param NAME int|float DEFAULT MIN MAX"},
  {"results", parse_results, "results int|float N NAME"},
  {"boxes", parse_boxes, "boxes NAME [MAX]"},
  {"buffer", parse_buffer, "buffer NAME int|float N [per-pixel] [keep]"},
  {"pass", parse_later, NULL},
  {"group", parse_later, NULL},
  {"size", parse_later, NULL},
  {"formats", parse_formats, NULL},
  {"output", parse_output, NULL},
  {"previous", parse_previous, NULL},
  {"feedback", parse_feedback, NULL},
  {"reach", parse_reach, NULL}
};

gboolean
mgpu_kernel_line_parse (MgpuKernelText * text, GPtrArray * later,
    const gchar * file, guint number, const gchar * line, GError ** error)
{
  Reader self = { text, later, file, number, NULL, 0, line, NULL };
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  const gchar *at = line;
  gboolean ok = FALSE;
  guint i = 0;

  for (at += strspn (at, " \t"); *at != '\0'; at += strspn (at, " \t")) {
    gsize length = strcspn (at, " \t");

    g_ptr_array_add (words, g_strndup (at, length));
    at += length;
  }
  self.n_words = words->len;
  g_ptr_array_add (words, NULL);
  self.words = (gchar **) words->pdata;
  while (self.n_words > 0 && i < G_N_ELEMENTS (keywords)
      && !g_str_equal (keywords[i].name, self.words[0]))
    i++;
  if (self.n_words == 0 || i == G_N_ELEMENTS (keywords))
    fail (&self, error, "\"//! %s\" does not begin with one of the words "
        "param, results, boxes, buffer, pass, group, size, formats, output, "
        "previous, feedback, reach", self.n_words > 0 ? self.words[0] : "");
  else {
    self.form = keywords[i].form;
    ok = keywords[i].parse (&self, error);
  }
  g_ptr_array_unref (words);
  return ok;
}

/* ---- Lines that name kernels --------------------------------------------------- */

/* Returns: the index of the kernel with the name @word; -1 with the error set */
static gint
find_kernel (const Reader * self, const gchar * name, GError ** error)
{
  gint i = mgpu_kernel_text_find_function (self->text, name);

  if (i < 0) {
    g_autofree gchar *list = mgpu_kernel_text_list_functions (self->text);

    fail (self, error, "there is no kernel \"%s\"; the kernels are %s", name,
        list);
  }
  return i;
}

static gboolean
apply_pass (Reader * self, GError ** error)
{
  if (self->n_words < 2)
    return fail (self, error, "\"pass\" needs names of kernels");
  for (guint i = 1; i < self->n_words; i++) {
    gint found = find_kernel (self, self->words[i], error);

    if (found < 0)
      return FALSE;
    if (self->text->passes->len == MGPU_KERNEL_MAX_PASSES)
      return fail (self, error, "more than %d passes", MGPU_KERNEL_MAX_PASSES);
    g_array_append_val (self->text->passes, found);
  }
  return TRUE;
}

/* Parses a number of work-items, or "WIDTH/N" (@name: WIDTH or HEIGHT). */
static gboolean
parse_items (const gchar * word, const gchar * name, gint * items,
    gint * divisor)
{
  gint64 value;

  *divisor = 1;
  *items = 0;
  if (parse_whole (word, 1, MAX_ITEMS, &value)) {
    *items = value;
    return TRUE;
  }
  if (!g_str_has_prefix (word, name))
    return FALSE;
  word += strlen (name);
  if (*word == '\0')
    return TRUE;
  if (*word != '/' || !parse_whole (word + 1, 1, MAX_ITEMS, &value))
    return FALSE;
  *divisor = value;
  return TRUE;
}

/* Applies "group X Y [KERNEL...]" or "size X Y [KERNEL...]". Without names, the line applies to all
 * kernels for which it is allowed. */
static gboolean
apply_numbers (Reader * self, GError ** error)
{
  gboolean is_group = g_str_equal (self->words[0], "group");
  gint items[2], divisor[2];
  gboolean ok;
  GArray *functions = self->text->functions;

  ok = self->n_words >= 3
      && parse_items (self->words[1], "WIDTH", &items[0], &divisor[0])
      && parse_items (self->words[2], "HEIGHT", &items[1], &divisor[1]);
  if (is_group && (!ok || items[0] < 1 || items[1] < 1
          || items[0] * (gint64) items[1] > MAX_GROUP))
    return fail (self, error, "\"group\" needs two numbers of work-items, "
        "whose product is at most %d", MAX_GROUP);
  if (!ok)
    return fail (self, error, "\"size\" needs two numbers of work-items, each "
        "1 to %d; they may be WIDTH, HEIGHT, WIDTH/N and HEIGHT/N", MAX_ITEMS);
  for (guint i = 0; i < functions->len; i++) {
    MgpuKernelFunction *f = &g_array_index (functions, MgpuKernelFunction, i);
    gboolean is_named = self->n_words == 3;

    for (guint k = 3; k < self->n_words; k++)
      is_named |= g_str_equal (self->words[k], f->name);
    if (!is_named)
      continue;
    if (!is_group && f->form != MGPU_KERNEL_WORK) {
      if (self->n_words == 3)
        continue;
      return fail (self, error, "\"size\" is only for WORK kernels, but \"%s\" "
          "is not a WORK kernel", f->name);
    }
    memcpy (is_group ? f->group : f->items, items, sizeof (items));
    if (!is_group)
      memcpy (f->divisor, divisor, sizeof (divisor));
  }
  for (guint k = 3; k < self->n_words; k++)
    if (find_kernel (self, self->words[k], error) < 0)
      return FALSE;
  return TRUE;
}

gboolean
mgpu_kernel_lines_apply (MgpuKernelText * text, GPtrArray * later,
    GError ** error)
{
  for (guint i = 0; i < later->len; i++) {
    const Line *line = g_ptr_array_index (later, i);
    Reader self = { text, later, line->file, line->number, line->words,
      g_strv_length (line->words), NULL, NULL
    };

    if (!(g_str_equal (line->words[0], "pass") ? apply_pass (&self, error)
            : apply_numbers (&self, error)))
      return FALSE;
  }
  return TRUE;
}
