/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reads files of users' kernels: inserts included files, parses //! lines, and finds the
 * kernels. */
#include "kernel-load.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file-read.h"
#include "kernel-lines.h"
#include "kernel-scan.h"

/* Maximum size of the text with all files, in bytes */
#define MAX_SIZE (1 << 20)

/* Maximum number of files, and depth of files that include files */
#define MAX_FILES 16
#define MAX_DEPTH 8

/* The header that users may include so that editors know its names. It is always prepended to the
 * text. */
#define HEADER "mgpu-kernel.h"

#define MARK "//!"

/* Byte order mark, which some editors write at the beginning of a UTF-8 text */
#define BOM "\xef\xbb\xbf"

/* Maximum number of kernels of a text */
#define MAX_FUNCTIONS 64

/* Lines that insert_form() inserts */
#define FORM_LINES 8

/* State of the reader */
typedef struct
{
  MgpuKernelText *text;
  GString *out;                 /* the text so far */
  guint n_lines;                /* number of lines of @out */
  GPtrArray *later;             /* lines that name kernels */
  gchar *folder;                /* folder of the file; NULL for a text without a file */
  GPtrArray *files;             /* array of the caller for the names of files; may be NULL */
  GHashTable *seen;             /* names of files that were read */
  gsize inserted;               /* number of bytes that insert_form() has inserted */
  GError *misplaced;            /* error of the first name that is used in a function without being
                                 * its parameter, or of the first kernel form in lower case */
} Reader;

/* ---- Files -------------------------------------------------------------------- */

static void
add_part (Reader * self, const gchar * file, guint first)
{
  MgpuKernelPart part = { self->n_lines + 1, first, g_strdup (file) };

  g_array_append_val (self->text->parts, part);
}

static void
append_line (Reader * self, const gchar * line, gsize length)
{
  g_string_append_len (self->out, line, length);
  g_string_append_c (self->out, '\n');
  self->n_lines++;
}

/* Appends a #line directive: the next line is number @first of @file. */
static void
append_place (Reader * self, const gchar * file, guint first)
{
  gchar *line = g_strdup_printf ("#line %u \"%s\"", first, file);

  append_line (self, line, strlen (line));
  add_part (self, file, first);
  g_free (line);
}

/* Reads the name of the file from a line that may be #include "...". Returns: (transfer full)
 * (nullable): the name */
static gchar *
get_included (const gchar * line)
{
  gsize length;

  line += strspn (line, " \t");
  if (*line != '#')
    return NULL;
  line++;
  line += strspn (line, " \t");
  if (!g_str_has_prefix (line, "include"))
    return NULL;
  line += strlen ("include");
  line += strspn (line, " \t");
  if (*line != '"')
    return NULL;
  length = strcspn (line + 1, "\"");
  return line[1 + length] == '"' ? g_strndup (line + 1, length) : NULL;
}

/* Returns: whether a line that begins inside of a block comment (@inside) ends in one */
static gboolean
ends_in_comment (const gchar * line, gboolean inside)
{
  gchar quote = '\0';

  for (; *line != '\0'; line++) {
    if (inside) {
      if (line[0] == '*' && line[1] == '/') {
        inside = FALSE;
        line++;
      }
    } else if (quote != '\0') {
      if (*line == '\\' && line[1] != '\0')
        line++;
      else if (*line == quote)
        quote = '\0';
    } else if (*line == '"' || *line == '\'') {
      quote = *line;
    } else if (line[0] == '/' && line[1] == '/') {
      return FALSE;
    } else if (line[0] == '/' && line[1] == '*') {
      inside = TRUE;
      line++;
    }
  }
  return inside;
}

static gboolean read_text (Reader * self, const gchar * file, gchar * contents,
    gsize size, guint depth, GError ** error);

/* Reads a file, and adds its name to @files. */
static gchar *
read_file (GPtrArray * files, const gchar * path, gsize * size, GError ** error)
{
  g_autoptr (GError) cause = NULL;
  gchar *contents = mgpu_file_read (path, MAX_SIZE, size, &cause);

  if (files != NULL)
    g_ptr_array_add (files, g_strdup (path));
  if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE))
    g_set_error (error, G_IO_ERROR, cause->code, "\"%s\" is not a regular "
        "file", path);
  else if (g_error_matches (cause, G_IO_ERROR, G_IO_ERROR_MESSAGE_TOO_LARGE))
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_BUILD, "the file \"%s\" "
        "is longer than %d bytes", path, MAX_SIZE);
  else if (contents == NULL)
    g_set_error (error, G_IO_ERROR, cause->code, "cannot read the file \"%s\": "
        "%s", path, cause->message);
  return contents;
}

/* Reads the file that line @number of @file includes. */
static gboolean
read_included (Reader * self, const gchar * name, const gchar * file,
    guint number, guint depth, GError ** error)
{
  GError *reason = NULL;
  gchar *path, *contents;
  gsize size;
  gboolean ok;

  if (g_str_equal (name, HEADER) || g_hash_table_contains (self->seen, name))
    return TRUE;
  if (self->folder == NULL)
    reason = mgpu_kernel_line_error (file, number, "source text that does not "
        "come from a file cannot include \"%s\"", name);
  else if (name[0] == '\0' || name[0] == '.' || strpbrk (name, "/\\\"") != NULL)
    reason =
        mgpu_kernel_line_error (file, number,
        "\"%s\" cannot be included, because it is not the name of a file in "
        "the same folder", name);
  else if (depth == MAX_DEPTH || g_hash_table_size (self->seen) == MAX_FILES)
    reason = mgpu_kernel_line_error (file, number, "at most %d files can be "
        "included, nested at most %d deep", MAX_FILES, MAX_DEPTH);
  if (reason != NULL) {
    g_propagate_error (error, reason);
    return FALSE;
  }

  g_hash_table_add (self->seen, g_strdup (name));
  path = g_build_filename (self->folder, name, NULL);
  contents = read_file (self->files, path, &size, &reason);
  g_free (path);
  if (contents == NULL) {
    g_propagate_error (error, mgpu_kernel_line_error (file, number, "%s",
            reason->message));
    g_error_free (reason);
    return FALSE;
  }
  append_place (self, name, 1);
  ok = read_text (self, name, contents, size, depth + 1, error);
  append_place (self, file, number + 1);
  g_free (contents);
  return ok;
}

/* Reads one line, which begins outside of block comments. */
static gboolean
read_line (Reader * self, const gchar * file, guint number, gchar * line,
    guint depth, GError ** error)
{
  const gchar *start = line + strspn (line, " \t");
  gchar *included = get_included (line);
  gboolean ok = TRUE;

  if (included != NULL) {
    append_line (self, "", 0);
    ok = read_included (self, included, file, number, depth, error);
    g_free (included);
  } else if (g_str_has_prefix (start, MARK)) {
    append_line (self, "", 0);
    ok = mgpu_kernel_line_parse (self->text, self->later, file, number,
        start + strlen (MARK), error);
  } else {
    append_line (self, line, strlen (line));
  }
  return ok;
}

static gboolean
read_text (Reader * self, const gchar * file, gchar * contents, gsize size,
    guint depth, GError ** error)
{
  gboolean inside = FALSE, ok = TRUE;
  gchar *next = contents + (size >= 3
      && memcmp (contents, BOM, 3) == 0 ? 3 : 0);

  if (!g_utf8_validate (contents, size, NULL)) {
    g_propagate_error (error, mgpu_kernel_line_error (file, 1,
            "the file is not UTF-8 text"));
    return FALSE;
  }
  if (self->out->len + size > MAX_SIZE) {
    g_propagate_error (error, mgpu_kernel_line_error (file, 1, "the source "
            "text is longer than %d bytes", MAX_SIZE));
    return FALSE;
  }
  for (guint number = 1; next != NULL && *next != '\0' && ok; number++) {
    gchar *line = next, *end = strchr (line, '\n');
    gsize length;

    next = end != NULL ? end + 1 : NULL;
    if (end != NULL)
      *end = '\0';
    length = strlen (line);
    if (length > 0 && line[length - 1] == '\r')
      line[length - 1] = '\0';
    if (inside)
      append_line (self, line, strlen (line));
    else
      ok = read_line (self, file, number, line, depth, error);
    inside = ends_in_comment (line, inside);
  }
  return ok;
}

/* ---- Kernels ------------------------------------------------------------------ */

static GError *
error_at (const Reader * self, guint line, const gchar * format,
    const gchar * what)
{
  guint in;
  const gchar *file = mgpu_kernel_text_locate (self->text, line, &in);

  return mgpu_kernel_line_error (file, in, format, what);
}

/* Inserts lines after the previous kernel that tell mgpu-kernel.h the form of the following code.
 * @at: the position in the text without insertions. @line: its line, with insertions.
 * Returns: the number of lines */
static guint
insert_form (Reader * self, gsize at, guint line, const MgpuKernelFunction * f)
{
  guint in;
  const gchar *file = mgpu_kernel_text_locate (self->text, line, &in);
  gchar *lines = g_strdup_printf ("\n#undef MGPU_FORM\n#define MGPU_FORM %s\n"
      "#undef GROUP_X\n#define GROUP_X MGPU_GROUP_X_%s\n"
      "#undef GROUP_Y\n#define GROUP_Y MGPU_GROUP_Y_%s\n"
      "#line %u \"%s\"\n", f->form == MGPU_KERNEL_SAMPLE ? "MGPU_SAMPLE" :
      "MGPU_PIXEL", f->name, f->name, in, file);
  MgpuKernelPart part = { line + FORM_LINES, in, g_strdup (file) };
  GArray *parts = self->text->parts;
  guint i = 0;

  while (i < parts->len
      && g_array_index (parts, MgpuKernelPart, i).line <= line)
    i++;
  for (guint k = i; k < parts->len; k++)
    g_array_index (parts, MgpuKernelPart, k).line += FORM_LINES;
  g_array_insert_val (parts, i, part);
  g_string_insert (self->out, at + self->inserted, lines);
  self->inserted += strlen (lines);
  g_free (lines);
  return FORM_LINES;
}

/* Adds the kernel that begins at @line. Returns: FALSE with the error set if there is already a
 * kernel of this name */
static gboolean
add_function (Reader * self, gchar * name, MgpuKernelForm form, guint line,
    GError ** error)
{
  MgpuKernelFunction f = { name, NULL, 0, form, form != MGPU_KERNEL_WORK,
    {0, 0}, {0, 0}, {1, 1}
  };
  GArray *functions = self->text->functions;
  const gchar *fault = NULL;

  if (functions->len == MAX_FUNCTIONS)
    fault = "more than " G_STRINGIFY (MAX_FUNCTIONS) " kernels";
  else if (strlen (name) > MGPU_KERNEL_MAX_NAME)
    fault =
        "the name of a kernel has more than " G_STRINGIFY (MGPU_KERNEL_MAX_NAME)
        " characters";
  else if (mgpu_kernel_text_find_function (self->text, name) >= 0)
    fault = "the kernel \"%s\" is defined twice";
  if (fault != NULL) {
    g_propagate_error (error, error_at (self, line, fault, name));
    g_free (name);
    return FALSE;
  }
  f.file = mgpu_kernel_text_locate (self->text, line, &f.line);
  g_array_append_val (functions, f);
  return TRUE;
}

/* Records the feature that the identifier @word uses; @line is its line. @is_inside: whether it is
 * in a kernel, the last one of the list. Returns: FALSE with the error set if a //! line is
 * missing, or if this form of kernel cannot use it */
static gboolean
note_use (Reader * self, const gchar * word, guint line, gboolean is_inside,
    GError ** error)
{
  MgpuKernelText *text = self->text;
  const gchar *missing = NULL;

  if (g_str_has_prefix (word, "SECOND_") || g_str_equal (word, "HAS_SECOND"))
    text->second = TRUE;
  else if (g_str_has_prefix (word, "SOURCE_"))
    text->source = TRUE;
  else if (g_str_has_prefix (word, "OUT_") && text->functions->len > 0)
    g_array_index (text->functions, MgpuKernelFunction,
        text->functions->len - 1).writes = TRUE;
  else if (g_str_has_prefix (word, "PREVIOUS_") && !text->previous)
    missing = "PREVIOUS_... needs a line \"//! previous\"";
  else if (g_str_has_prefix (word, "FEEDBACK_") && !text->feedback)
    missing = "FEEDBACK_... needs a line \"//! feedback\"";
  if (missing == NULL && is_inside && g_str_has_suffix (word, "LOAD_RGB")
      && g_array_index (text->functions, MgpuKernelFunction,
          text->functions->len - 1).form == MGPU_KERNEL_SAMPLE)
    missing = "a SAMPLE kernel processes a single component, so it has no "
        "colors: use PIXEL";
  if (missing != NULL)
    g_propagate_error (error, error_at (self, line, "%s", missing));
  return missing == NULL;
}

/* Returns: whether the identifier @word of mgpu-kernel.h is available only in kernels and in
 * functions that take KERNEL_PARAMS */
static gboolean
is_of_frame (const gchar * word)
{
  static const gchar *const names[] = { "LOAD", "LOADF", "LOAD_RGB", "WIDTH",
    "HEIGHT", "FRAME", "TIME", "TIME_NS", "SECOND_LOAD", "SECOND_LOADF",
    "SECOND_LOAD_RGB", "SOURCE_LOAD", "SOURCE_LOADF", "SOURCE_LOAD_RGB",
    "PREVIOUS_LOAD", "PREVIOUS_LOADF", "PREVIOUS_LOAD_RGB", "FEEDBACK_LOAD",
    "FEEDBACK_LOADF", "FEEDBACK_LOAD_RGB", "IN_DATA", "IN_LOAD", "OUT_DATA",
    "OUT_STORE", "BOX", "KERNEL_ARGS", NULL
  };

  return g_strv_contains (names, word);
}

/* The context of a token outside of kernels */
typedef struct
{
  guint depth;                  /* number of blocks around the token */
  gboolean gets_names;          /* whether the function takes KERNEL_PARAMS */
  gboolean has_type;            /* whether the previous token may be the type of a function */
} Place;

/* Returns: (transfer full) (nullable): "PIXEL" if the token @word is "pixel", if "(NAME) {" follows
 * and no type precedes it */
static gchar *
find_small_form (const MgpuKernelScanner * s, const Place * place,
    const gchar * word)
{
  MgpuKernelScanner ahead = *s;
  g_autofree gchar *form = g_ascii_strup (word, -1);
  g_autoptr (GString) next = g_string_new (form);
  g_autofree gchar *name = NULL;
  gint number = -1;

  if (place->depth == 0 && !place->has_type && !g_str_equal (form, word))
    name = mgpu_kernel_scan_form (&ahead, next, &number);
  return name != NULL ? g_steal_pointer (&form) : NULL;
}

/* Processes the token @word outside of kernels. If a function uses a name of the frame that is not
 * among its parameters, sets the error here, because PoCL 3.1 crashes while it searches for a
 * similar name. */
static void
see_function (Reader * self, const MgpuKernelScanner * s, Place * place,
    const gchar * word, guint line)
{
  g_autofree gchar *form = find_small_form (s, place, word);

  if (form != NULL && self->misplaced == NULL)
    self->misplaced = error_at (self, line, "a kernel has to begin with %s, in "
        "capital letters", form);
  place->has_type = strchr (";{}", word[0]) == NULL;
  if (g_str_equal (word, "{")) {
    place->depth++;
  } else if (g_str_equal (word, "}")) {
    place->depth -= place->depth > 0;
    place->gets_names &= place->depth > 0;
  } else if (g_str_equal (word, "KERNEL_PARAMS")) {
    place->gets_names = TRUE;
  } else if (place->depth > 0 && !place->gets_names && self->misplaced == NULL
      && is_of_frame (word)) {
    self->misplaced = error_at (self, line, "%s is not available in this "
        "function: give the function a parameter KERNEL_PARAMS, and pass "
        "KERNEL_ARGS where it is called", word);
  }
}

/* Processes the directive @word of the preprocessor. Sets *@is_unsure at a condition, because only
 * the braces of one of its branches count. Returns: FALSE with the error set if it includes a file
 * that is not in the text */
static gboolean
see_directive (Reader * self, MgpuKernelScanner * s, GString * word, guint line,
    gboolean * is_unsure, GError ** error)
{
  if (g_str_equal (word->str, "include")) {
    g_propagate_error (error, error_at (self, line, "%s", "only files of the "
            "same folder can be included: #include \"part.h\""));
    return FALSE;
  }
  if (g_str_equal (word->str, "if") && mgpu_kernel_is_never (s->at))
    mgpu_kernel_skip_branch (s, word);
  else if (g_str_has_prefix (word->str, "if"))
    *is_unsure = TRUE;
  return TRUE;
}

/* Returns: FALSE with the error set if the token @word is BOX, and no "(NAME," with the name of a line
 * "//! boxes" follows */
static gboolean
check_box (Reader * self, const MgpuKernelScanner * s, const gchar * word,
    guint line, GError ** error)
{
  MgpuKernelScanner ahead = *s;
  g_autoptr (GString) name = g_string_new (NULL), next = g_string_new (NULL);
  const GArray *boxes = self->text->boxes;
  gboolean is_name;

  if (!g_str_equal (word, "BOX") || s->is_directive
      || !mgpu_kernel_scan (&ahead, name) || !g_str_equal (name->str, "(")
      || !mgpu_kernel_scan (&ahead, name))
    return TRUE;
  is_name = mgpu_kernel_scan (&ahead, next) && g_str_equal (next->str, ",");
  for (guint i = 0; i < boxes->len && is_name; i++)
    if (g_str_equal (g_array_index (boxes, MgpuKernelList, i).name, name->str))
      return TRUE;
  g_propagate_error (error, error_at (self, line, is_name
          ? "BOX (%s, ...) needs a line \"//! boxes\" with this name"
          : "BOX () needs the name in a line \"//! boxes\", followed by x, y, "
          "width, height and score", name->str));
  return FALSE;
}

/* Finds the kernels of the text, and the features that they use. */
static gboolean
find_kernels (Reader * self, GError ** error)
{
  gchar *text = g_strdup (self->out->str);
  MgpuKernelScanner s = MGPU_KERNEL_SCANNER (text);
  GString *word = g_string_new (NULL);
  GArray *functions = self->text->functions;
  guint n_inserted = 0, depth = 0, end_line = 1;
  const gchar *end = text;      /* form of the previous kernel */
  gboolean ok = TRUE, is_name = FALSE, is_unsure = FALSE;
  Place place = { 0, FALSE, FALSE };

  for (; ok && mgpu_kernel_scan (&s, word); is_name = s.is_hash) {
    guint line = s.line;
    gint form;
    gchar *name = mgpu_kernel_scan_form (&s, word, &form);

    if (name != NULL) {
      depth = 1;
      place.depth = 0;
      place.gets_names = place.has_type = FALSE;
      ok = add_function (self, name, form, line + n_inserted, error);
      if (ok && functions->len > 1)
        n_inserted += insert_form (self, end - text, end_line + n_inserted,
            &g_array_index (functions, MgpuKernelFunction, functions->len - 1));
    } else if (form >= 0) {
      ok = FALSE;
      g_propagate_error (error, error_at (self, line + n_inserted, "%s",
              "PIXEL, SAMPLE or WORK begins a kernel, so it has to be followed "
              "by (NAME) and {"));
    } else if (depth > 0 && !s.is_directive) {
      depth += word->str[0] == '{' ? 1 : word->str[0] == '}' ? -1 : 0;
      end = s.at;
      end_line = s.line;
    } else if (!s.is_directive) {
      see_function (self, &s, &place, word->str, line + n_inserted);
    } else {
      is_unsure |= g_str_equal (word->str, "KERNEL_PARAMS");
    }
    ok = ok && note_use (self, word->str, line + n_inserted,
        depth > 0 && !s.is_directive, error)
        && check_box (self, &s, word->str, line + n_inserted, error)
        && (!is_name || see_directive (self, &s, word, line + n_inserted,
            &is_unsure, error));
  }
  if (ok && self->misplaced != NULL && !is_unsure) {
    ok = FALSE;
    g_propagate_error (error, g_steal_pointer (&self->misplaced));
  }
  g_clear_error (&self->misplaced);
  if (ok && functions->len == 0) {
    ok = FALSE;
    g_propagate_error (error, mgpu_kernel_line_error (self->text->name, 1,
            "the source text has no kernel: write PIXEL (name) {...}, SAMPLE "
            "(name) {...} or WORK (name) {...}"));
  }
  g_string_free (word, TRUE);
  g_free (text);
  return ok;
}

/* ---- Texts -------------------------------------------------------------------- */

static MgpuKernelText *
text_new (const gchar * name)
{
  MgpuKernelText *text = g_new0 (MgpuKernelText, 1);

  text->n_refs = 1;
  text->name = g_strdup (name);
  text->params = g_array_new (FALSE, FALSE, sizeof (MgpuKernelParam));
  text->results = g_array_new (FALSE, FALSE, sizeof (MgpuKernelList));
  text->buffers = g_array_new (FALSE, FALSE, sizeof (MgpuKernelList));
  text->boxes = g_array_new (FALSE, FALSE, sizeof (MgpuKernelList));
  text->functions = g_array_new (FALSE, FALSE, sizeof (MgpuKernelFunction));
  text->passes = g_array_new (FALSE, FALSE, sizeof (guint));
  text->parts = g_array_new (FALSE, FALSE, sizeof (MgpuKernelPart));
  text->formats = g_array_new (FALSE, FALSE, sizeof (GstVideoFormat));
  text->output = GST_VIDEO_FORMAT_UNKNOWN;
  text->reach = -1;
  return text;
}

/* Parses @contents, which it changes. @contents may be NULL: then @error is set already. */
static MgpuKernelText *
load (const gchar * name, const gchar * folder, gchar * contents, gsize size,
    GPtrArray * files, GError ** error)
{
  Reader self = { text_new (name), g_string_new (NULL), 0,
    mgpu_kernel_lines_new (), g_strdup (folder), files,
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL)
  };

  g_hash_table_add (self.seen, g_strdup (name));
  append_place (&self, name, 1);
  if (read_text (&self, name, contents, size, 0, error)
      && mgpu_kernel_check_brackets (self.text, self.out->str, error)
      && find_kernels (&self, error)
      && mgpu_kernel_lines_apply (self.text, self.later, error))
    self.text->text = g_string_free (self.out, FALSE);
  else {
    g_string_free (self.out, TRUE);
    g_clear_pointer (&self.text, mgpu_kernel_text_unref);
  }
  g_ptr_array_unref (self.later);
  g_hash_table_unref (self.seen);
  g_free (self.folder);
  return self.text;
}

MgpuKernelText *
mgpu_kernel_text_load (const gchar * path, GPtrArray * files, GError ** error)
{
  gchar *name = g_path_get_basename (path), *shown, *folder;
  MgpuKernelText *text = NULL;
  gsize size;
  gchar *contents = read_file (files, path, &size, error);

  if (contents != NULL) {
    folder = g_path_get_dirname (path);
    /* Replaces special characters of the name, which becomes part of a string of the text and of
     * messages. */
    shown = g_utf8_make_valid (name, -1);
    g_strdelimit (shown, "\"\\\n\r%", '_');
    text = load (shown, folder, contents, size, files, error);
    g_free (shown);
    g_free (folder);
    g_free (contents);
  }
  g_free (name);
  return text;
}

MgpuKernelText *
mgpu_kernel_text_new (const gchar * text, GError ** error)
{
  gchar *copy = g_strdup (text);
  MgpuKernelText *result =
      load ("source", NULL, copy, strlen (copy), NULL, error);

  g_free (copy);
  return result;
}

guint64
mgpu_kernel_get_stamp (GPtrArray * files)
{
  guint64 stamp = 14695981039346656037u;        /* Computes the hash by FNV-1a. */

  for (guint i = 0; i < files->len; i++) {
    GStatBuf status;
    guint64 values[4] = { 0 };

    if (g_stat (g_ptr_array_index (files, i), &status) == 0) {
      values[0] = status.st_size;
      values[1] = status.st_mtim.tv_sec;
      values[2] = status.st_mtim.tv_nsec;
      values[3] = status.st_ino + 1;
    }
    for (guint k = 0; k < G_N_ELEMENTS (values); k++)
      stamp = (stamp ^ values[k]) * 1099511628211u;
  }
  return stamp;
}
