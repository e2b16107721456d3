/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Writes the OpenCL source of a user's kernels: definitions of the names of mgpu-kernel.h for the
 * formats of the frames, the user's text, and the kernels that call the user's functions. */
#include "kernel-private.h"

#include <math.h>
#include <string.h>

#include <gst/vision/base/kernels.h>
#include <gst/vision/colour/colour.h>

/* Letters that distinguish the descriptions of frames: input frames, frames of the second input,
 * output frames of the kernels, and results. A format that equals the input format has no separate
 * description. */
#define LETTER_IN 'A'
#define LETTER_SECOND 'B'
#define LETTER_OUT 'C'
#define LETTER_RESULT 'D'

/* Makes warnings errors if they mean that pixels may differ from run to run, or that a kernel
 * writes outside a list. Compilers other than Clang ignore these lines. */
#define CHECKS "#ifdef __clang__\n" \
    "#pragma clang diagnostic error \"-Wreturn-type\"\n" \
    "#pragma clang diagnostic error \"-Wuninitialized\"\n" \
    "#pragma clang diagnostic error \"-Warray-bounds\"\n" \
    "#pragma clang diagnostic error \"-Warray-bounds-pointer-arithmetic\"\n" \
    "#pragma clang diagnostic warning \"-Wshadow\"\n" \
    "#pragma clang diagnostic warning \"-Wsometimes-uninitialized\"\n" \
    "#endif\n"

/* ---- Descriptions of frames ---------------------------------------------------- */

/* Sets @rgb to an RGB format with full range, and with the bit depth and the size of @info. */
static void
get_rgb (const GstVideoInfo * info, GstVideoInfo * rgb)
{
  guint depth = GST_VIDEO_INFO_COMP_DEPTH (info, 0);

  gst_video_info_set_format (rgb, depth == 8 ? GST_VIDEO_FORMAT_RGB
      : depth == 10 ? GST_VIDEO_FORMAT_GBR_10LE : GST_VIDEO_FORMAT_ARGB64,
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
}

static gboolean
is_identity (const MgpuColourMatrix * matrix)
{
  gboolean is = matrix->identity;

  for (guint i = 0; i < 3; i++)
    for (guint k = 0; k < 3; k++)
      is = is && matrix->factor[i][k] == (i == k ? 1 << matrix->bits : 0);
  return is;
}

static void
define_matrix (GString * source, const gchar * name,
    const GstVideoInfo * from, const GstVideoInfo * to)
{
  MgpuColourMatrix m;

  mgpu_colour_matrix (from, to, &m);
  for (guint i = 0; i < 3; i++)
    g_string_append_printf (source, "#define %s_%u %d, %d, %d, %d\n", name, i,
        m.factor[i][0], m.factor[i][1], m.factor[i][2], m.offset[i]);
  g_string_append_printf (source, "#define %s_BITS %d\n#define %s_MAX %d\n"
      "#define %s_WIDE %d\n#define %s_IS_IDENTITY %d\n", name, m.bits, name,
      m.max, name, m.wide, name, is_identity (&m));
}

/* Defines a float constant, as a hexadecimal number, because such a number is exact, and does not
 * depend on the decimal point of the locale. */
static void
define_float (GString * source, gchar letter, const gchar * name, gfloat value)
{
  gint exponent;
  gint mantissa = (gint) ldexpf (frexpf (value, &exponent), 24);

  g_string_append_printf (source, "#define MGPU_%c_%s (0x%xp%df)\n", letter,
      name, mantissa, exponent - 24);
}

/* Returns: the offset of the padding byte of a pixel from the byte of component 0; G_MAXINT if all
 * bytes are used */
static gint
find_pad (const GstVideoInfo * info)
{
  MgpuComponent c = mgpu_get_component (info, 0);
  guint used = 0;

  if (!GST_VIDEO_INFO_IS_RGB (info) || c.pixel_stride != 4
      || GST_VIDEO_INFO_HAS_ALPHA (info))
    return G_MAXINT;
  for (guint i = 0; i < 3; i++)
    used |= 1u << mgpu_get_component (info, i).position;
  for (gint i = 0; i < 4; i++)
    if (!(used & (1u << i)))
      return i - c.position;
  return G_MAXINT;
}

/* Defines the constants of kernels/kernel/image.h. */
static void
describe (GString * source, gchar letter, const GstVideoInfo * info)
{
  guint n = MIN (GST_VIDEO_INFO_N_COMPONENTS (info), 3);
  MgpuComponent c[4] = { 0 };
  gboolean has_alpha = GST_VIDEO_INFO_HAS_ALPHA (info);
  gint pad = find_pad (info);
  GstVideoInfo rgb;
  gchar *name;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++)
    c[i] = mgpu_get_component (info, i);
  if (n == 1)
    c[1] = c[0];
#define DEFINE(name, value) \
  g_string_append_printf (source, "#define MGPU_%c_%s (%d)\n", letter, name, value)
  DEFINE ("BYTES", c[0].bytes);
  DEFINE ("SHIFT", c[0].shift);
  DEFINE ("MAX", c[0].max);
  DEFINE ("COMPONENTS", n);
  DEFINE ("STEP0", c[0].pixel_stride);
  DEFINE ("STEP1", c[1].pixel_stride);
  DEFINE ("XSUB", n == 3 ? info->finfo->w_sub[1] : 0);
  DEFINE ("YSUB", n == 3 ? info->finfo->h_sub[1] : 0);
  DEFINE ("IS_PACKED", n == 3 && GST_VIDEO_INFO_N_PLANES (info) == 1);
  DEFINE ("DELTA1", c[1].position - c[0].position);
  DEFINE ("DELTA2", c[2].position - c[0].position);
  DEFINE ("HAS_ALPHA", has_alpha);
  DEFINE ("ALPHA", has_alpha ? c[3].position - c[0].position : 0);
  DEFINE ("HAS_PAD", pad != G_MAXINT);
  DEFINE ("PAD", pad != G_MAXINT ? pad : 0);
  DEFINE ("LO0", c[0].lo);
  DEFINE ("LO1", c[1].lo);
#undef DEFINE
  define_float (source, letter, "RANGE0", c[0].hi - c[0].lo);
  define_float (source, letter, "RANGE1", c[1].hi - c[1].lo);
  define_float (source, letter, "INVERSE0", 1.0f / (c[0].hi - c[0].lo));
  define_float (source, letter, "INVERSE1", 1.0f / (c[1].hi - c[1].lo));
  define_float (source, letter, "INVERSE_MAX", 1.0f / c[0].max);
  get_rgb (info, &rgb);
  name = g_strdup_printf ("MGPU_%c_RGB", letter);
  define_matrix (source, name, info, &rgb);
  g_free (name);
}

/* ---- The text ------------------------------------------------------------------ */

/* Defines the constants FORMAT_... and other constants of the frame. */
static void
define_formats (GString * source, const GstVideoInfo * in)
{
  static const gchar *const names[] = { "NV12", "I420", "YV12", "NV21", "Y42B",
    "Y444", "YUY2", "UYVY", "P010_10LE", "I420_10LE", "GRAY8", "GRAY16_LE",
    "RGB", "BGR", "RGBx", "xRGB", "BGRx", "xBGR", "RGBA", "ARGB", "BGRA", "ABGR"
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_string_append_printf (source, "#define FORMAT_%s %d\n", names[i],
        gst_video_format_from_string (names[i]) == GST_VIDEO_INFO_FORMAT (in));
  g_string_append_printf (source, "#define FORMAT_IS_YUV %d\n"
      "#define FORMAT_IS_RGB %d\n#define FORMAT_IS_GRAY %d\n"
      "#define FORMAT_HAS_ALPHA %d\n", GST_VIDEO_INFO_IS_YUV (in),
      GST_VIDEO_INFO_IS_RGB (in), GST_VIDEO_INFO_IS_GRAY (in),
      GST_VIDEO_INFO_HAS_ALPHA (in));
}

static const gchar *
get_type (gboolean is_float)
{
  return is_float ? "float" : "int";
}

/* Defines macros that expand to the parameters and buffers: as parameters of functions if
 * @has_types is TRUE, otherwise as arguments. Parameters have their own names, or numbered names
 * where their own could clash with names in the wrappers. */
static void
define_arguments (GString * source, const MgpuKernelText * text,
    const gchar * macro, gboolean has_types, gboolean has_names)
{
  g_string_append_printf (source, "#undef %s\n#define %s ", macro, macro);
  for (guint i = 0; i < text->params->len; i++) {
    const MgpuKernelParam *p =
        &g_array_index (text->params, MgpuKernelParam, i);

    g_string_append_printf (source, ", %s ", has_types
        ? get_type (p->is_float) : "");
    if (has_names)
      g_string_append (source, p->name);
    else
      g_string_append_printf (source, "mgpu_param%u", i);
  }
  for (guint i = 0; i < text->buffers->len; i++) {
    const MgpuKernelList *b = &g_array_index (text->buffers, MgpuKernelList, i);

    g_string_append (source, ", ");
    if (has_types)
      g_string_append_printf (source, "global %s *MGPU_RESTRICT ",
          get_type (b->is_float));
    g_string_append_printf (source, "mgpu_buffer%u", i);
  }
  g_string_append_c (source, '\n');
}

/* Defines the name of a list whose numbers begin at the pointer @at. Gives the array a length, so
 * that compilers report constant indices beyond its end. */
static void
define_list (GString * source, const gchar * name, const MgpuKernelList * list,
    const gchar * at)
{
  if (list->per_pixel)
    g_string_append_printf (source, "#define %s %s\n", name, at);
  else
    g_string_append_printf (source, "#define %s (*(global %s (*)[%u]) (%s))\n",
        name, get_type (list->is_float), list->n, at);
}

/* Defines the names of the lists of results and of buffers; undefines them if @is_end. */
static void
define_lists (GString * source, const MgpuKernelText * text, gboolean is_end)
{
  guint offset = 0;

  for (guint i = 0; i < text->results->len + text->buffers->len; i++) {
    gboolean is_result = i < text->results->len;
    const MgpuKernelList *list = is_result
        ? &g_array_index (text->results, MgpuKernelList, i)
        : &g_array_index (text->buffers, MgpuKernelList,
        i - text->results->len);
    g_autofree gchar *at = is_result
        ? g_strdup_printf ("mgpu_results + %u", offset)
        : g_strdup_printf ("mgpu_buffer%u", i - text->results->len);

    if (is_end)
      g_string_append_printf (source, "#undef %s\n", list->name);
    else
      define_list (source, list->name, list, at);
    if (i == 0 && is_result && !is_end)
      define_list (source, "RESULTS", list, at);
    offset += is_result ? list->n : 0;
  }
}

/* Defines the position of each list of boxes in the results, and its maximum number of boxes, for
 * BOX (). */
static void
define_boxes (GString * source, const MgpuKernelText * text)
{
  guint offset = 0;

  for (guint i = 0; i < text->results->len; i++)
    offset += g_array_index (text->results, MgpuKernelList, i).n;
  for (guint i = 0; i < text->boxes->len; i++) {
    const MgpuKernelList *list = &g_array_index (text->boxes, MgpuKernelList,
        i);

    g_string_append_printf (source, "#define MGPU_BOXES_%s mgpu_results + %u, "
        "%u\n", list->name, offset, list->n);
    offset += 1 + MGPU_KERNEL_BOX_WORDS * list->n;
  }
}

/* Appends the kernel that calls a user's PIXEL or SAMPLE function. */
static gboolean
append_wrapper (GString * source, const MgpuKernelFunction * f, GError ** error)
{
  gboolean is_sample = f->form == MGPU_KERNEL_SAMPLE;

  if (f->form == MGPU_KERNEL_WORK)
    return TRUE;
  g_string_append_printf (source, "#undef MGPU_KERNEL\n#undef MGPU_FUNCTION\n"
      "#define MGPU_KERNEL " MGPU_KERNEL_PREFIX "%s\n"
      "#define MGPU_FUNCTION mgpu_%s_%s\n", f->name,
      is_sample ? "sample" : "pixel", f->name);
  return mgpu_kernels_append (source, is_sample ? "kernel/sample.h"
      : "kernel/pixel.h", error);
}

static gboolean
has_format (const GstVideoInfo * a, const GstVideoInfo * b)
{
  return GST_VIDEO_INFO_FORMAT (a) == GST_VIDEO_INFO_FORMAT (b);
}

/* Appends the part of the source that precedes the text. */
static gboolean
append_header (GString * source, const MgpuKernelText * text,
    const MgpuKernelFormats * formats, GError ** error)
{
  const GstVideoInfo *in = formats->in;
  gboolean is_same[] = { has_format (in, formats->out),
    has_format (in, formats->result)
  };
  gchar out_letter = is_same[0] ? LETTER_IN : LETTER_OUT;
  gchar second_letter = formats->second != NULL ? LETTER_SECOND : LETTER_IN;
  const GstVideoInfo *infos[] = { in, formats->second,
    is_same[0] ? NULL : formats->out, is_same[1] ? NULL : formats->result
  };
  GstVideoInfo rgb;

  define_formats (source, in);
  g_string_append_printf (source, "#define MGPU_WHOLE %d\n", formats->is_whole);
  g_string_append_printf (source, "#define MGPU_HAS_SOURCE %d\n"
      "#define MGPU_HAS_SECOND %d\n#define MGPU_HAS_PREVIOUS %d\n"
      "#define MGPU_HAS_FEEDBACK %d\n#define MGPU_HAS_RESULTS %d\n"
      "#define MGPU_HAS_BOXES %d\n#define MGPU_BOX_WORDS %d\n",
      text->source, text->second, text->previous, text->feedback,
      mgpu_kernel_text_count_results (text) > 0, text->boxes->len > 0,
      MGPU_KERNEL_BOX_WORDS);
  g_string_append_printf (source, "#define MGPU_CLASS_in %c\n"
      "#define MGPU_CLASS_out %c\n#define MGPU_CLASS_source %c\n"
      "#define MGPU_CLASS_second %c\n#define MGPU_CLASS_previous %c\n"
      "#define MGPU_CLASS_feedback %c\n", LETTER_IN, out_letter, LETTER_IN,
      second_letter, LETTER_IN, is_same[1] ? LETTER_IN : LETTER_RESULT);
  g_string_append_printf (source, "#define MGPU_MAX_out %d\n"
      "#define MGPU_MAX_second %d\n", mgpu_get_component (formats->out, 0).max,
      mgpu_get_component (formats->second != NULL ? formats->second : in,
          0).max);
  define_arguments (source, text, "MGPU_USER_PARAMS", TRUE, TRUE);
  define_arguments (source, text, "MGPU_USER_ARGS", FALSE, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    if (infos[i] != NULL)
      describe (source, LETTER_IN + i, infos[i]);
  get_rgb (in, &rgb);
  define_matrix (source, "MGPU_FROM_RGB", &rgb, formats->out);
  if (!mgpu_kernels_append (source, "kernel/forms.h", error))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (infos); i++) {
    if (infos[i] == NULL)
      continue;
    g_string_append_printf (source, "#undef MGPU_LETTER\n#define MGPU_LETTER "
        "%c\n", LETTER_IN + i);
    if (!mgpu_kernels_append (source, "kernel/image.h", error))
      return FALSE;
  }
  return mgpu_kernels_append (source, "kernel/mgpu-kernel.h", error);
}

/* Appends a declaration whose name depends on all characters of the text. PoCL caches the messages
 * for programs whose text is the same after preprocessing; without the declaration, the messages
 * would name lines of an older text, or an older name of the file. */
static void
append_stamp (GString * source, const MgpuKernelText * text)
{
  gchar *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->text,
      -1);

  g_string_append_printf (source, "typedef int mgpu_text_%.16s;\n", sum);
  g_free (sum);
}

gchar *
mgpu_kernel_make_source (const MgpuKernelText * text, const guint * functions,
    guint n, const MgpuKernelFormats * formats, const gint (*groups)[2],
    guint * header, GError ** error)
{
  GString *source = g_string_new (NULL);
  const MgpuKernelFunction *all = (const MgpuKernelFunction *)
      text->functions->data;
  gboolean ok = append_header (source, text, formats, error);

  for (guint i = 0; i < text->functions->len; i++)
    g_string_append_printf (source, "#define MGPU_GROUP_X_%s %d\n"
        "#define MGPU_GROUP_Y_%s %d\n", all[i].name, groups[i][0],
        all[i].name, groups[i][1]);
  g_string_append_printf (source, "#define GROUP_X MGPU_GROUP_X_%s\n"
      "#define GROUP_Y MGPU_GROUP_Y_%s\n#define MGPU_FORM %s\n",
      all[0].name, all[0].name, all[0].form == MGPU_KERNEL_SAMPLE
      ? "MGPU_SAMPLE" : "MGPU_PIXEL");
  /* Undefines MAX after the kernels of this project, which have a constant of this name. */
  g_string_append_printf (source, "#define MAX %d\n",
      mgpu_get_component (formats->in, 0).max);
  define_lists (source, text, FALSE);
  define_boxes (source, text);
  g_string_append (source, CHECKS);
  *header = 0;
  for (const gchar * at = source->str; *at != '\0'; at++)
    *header += *at == '\n';
  g_string_append (source, text->text);
  g_string_append (source, "\n#line 1 \"mgpukernel\"\n#undef MAX\n");
  append_stamp (source, text);
  define_lists (source, text, TRUE);
  define_arguments (source, text, "MGPU_USER_PARAMS", TRUE, FALSE);
  define_arguments (source, text, "MGPU_USER_ARGS", FALSE, FALSE);
  for (guint i = 0; i < n && ok; i++) {
    gboolean is_new = TRUE;

    for (guint k = 0; k < i; k++)
      is_new &= functions[k] != functions[i];
    ok = !is_new || append_wrapper (source, &all[functions[i]], error);
  }
  return g_string_free (source, !ok);
}
