/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/base/boxes.h>
#include <gst/vision/base/object.h>

G_BEGIN_DECLS

/* Limits of the //! lines of a kernel file */
#define MGPU_KERNEL_MAX_PARAMS 32
#define MGPU_KERNEL_MAX_RESULTS 8
#define MGPU_KERNEL_MAX_RESULTS_SIZE 65536      /* maximum number of bytes of all lists and boxes
                                                 * together */
#define MGPU_KERNEL_MAX_BOXES 8 /* maximum number of lists of boxes */
#define MGPU_KERNEL_DEFAULT_BOXES 256   /* maximum number of boxes of a list */
#define MGPU_KERNEL_BOX_WORDS 5 /* number of words of a box: x, y, width, height, score */
#define MGPU_KERNEL_MAX_BUFFERS 4
#define MGPU_KERNEL_MAX_BUFFER_SIZE (64 << 20)  /* maximum length of a buffer, in numbers */
#define MGPU_KERNEL_MAX_PER_PIXEL 16    /* maximum length of a buffer, in numbers per pixel */
#define MGPU_KERNEL_MAX_PASSES 8
#define MGPU_KERNEL_MAX_CONTROLS 4
#define MGPU_KERNEL_MAX_REACH 1024      /* pixels */

/* Forms of kernel functions in a user's file. The form determines how a function is called */
typedef enum
{
  MGPU_KERNEL_PIXEL,            /* called once for each pixel; returns the components of the pixel
                                 * as an int4 */
  MGPU_KERNEL_SAMPLE,           /* called once for each sample of each component except alpha;
                                 * returns the sample */
  MGPU_KERNEL_WORK              /* called once for each work-item; reads and writes memory itself */
} MgpuKernelForm;

/* A parameter: a line "//! param". Values are from @min to @max; values of an int are whole
 * numbers. */
typedef struct
{
  gchar *name;                  /* name, an identifier of OpenCL C */
  gboolean is_float;
  gdouble value, min, max;      /* default, minimum and maximum */
  guint control;                /* number N, from 1 to MGPU_KERNEL_MAX_CONTROLS, of the property
                                 * "control-N" that sets the parameter; 0 if there is none */
  gchar *text;                  /* description; "" if there is none */
} MgpuKernelParam;

/* A list of numbers: a line "//! results" or "//! buffer", whose numbers are gint32 or gfloat; or
 * of boxes: a line "//! boxes", for which only @name and @n are used. */
typedef struct
{
  gchar *name;                  /* name, an identifier of OpenCL C */
  gboolean is_float;
  guint n;                      /* length of the list, or length for each pixel; for boxes, the
                                 * maximum number of boxes */
  gboolean per_pixel, keep;     /* members of a buffer. @keep: whether its numbers are kept from
                                 * frame to frame */
} MgpuKernelList;

/* A kernel function of the file */
typedef struct
{
  gchar *name;
  const gchar *file;            /* (transfer none): name of the file in which the function begins */
  guint line;                   /* number of the line in this file, from 1 */
  MgpuKernelForm form;
  gboolean writes;              /* whether the function writes a frame; if a WORK kernel does not,
                                 * the frame is unchanged */
  gint group[2];                /* size of a work-group in x and y; 0 if it is chosen for the
                                 * device */
  /* Number of work-items of a WORK kernel in each dimension: @items, or as many as the frame has
   * pixels divided by @divisor, rounded up, if @items is 0. Both are rounded up to whole
   * work-groups */
  gint items[2], divisor[2];
} MgpuKernelFunction;

/* A part of a text that was read from one file */
typedef struct
{
  guint line;                   /* number, in the text, of the first line of the part, from 1 */
  guint first;                  /* number, in the file, of the first line of the part, from 1 */
  gchar *file;                  /* name of the file in messages */
} MgpuKernelPart;

/* The text of a kernel file with its //! lines parsed. Immutable, so that several threads may
 * use it. mgpu_kernel_text_load() in gst/models makes it. */
typedef struct
{
  gint n_refs;                  /* reference count; atomic */
  gchar *name;                  /* base name of the file, or "source" */
  gchar *text;                  /* OpenCL C, in which included files replace their #include lines,
                                 * with #line directives */
  GArray *params;               /* array of MgpuKernelParam */
  GArray *results, *buffers, *boxes;    /* arrays of MgpuKernelList */
  GArray *functions;            /* array of MgpuKernelFunction, in the order of the file; at least
                                 * 1 */
  GArray *passes;               /* array of guint: indices of @functions, in the order in which they
                                 * run; empty if there is no line "//! pass" */
  GArray *parts;                /* array of MgpuKernelPart, in the order of lines */
  GArray *formats;              /* array of GstVideoFormat: the input formats that the file accepts;
                                 * empty if it accepts all formats */
  GstVideoFormat output;        /* format of the result; UNKNOWN means the format of the frame */
  gboolean previous, feedback;  /* whether kernels read the previous frame (@previous) and the last
                                 * result (@feedback) */
  gboolean second;              /* whether kernels read frames of the second input */
  gboolean source;              /* whether passes after the first one read the input frame */
  gint reach;                   /* value of the line "//! reach", see MgpuAlgorithm.reach; -1 if
                                 * there is no such line */
} MgpuKernelText;

MgpuKernelText *mgpu_kernel_text_ref (MgpuKernelText * self);
void mgpu_kernel_text_unref (MgpuKernelText * self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MgpuKernelText, mgpu_kernel_text_unref)

/* Returns: the index of the parameter @name in text->params, or -1 */
gint mgpu_kernel_text_find_param (const MgpuKernelText * text, const gchar * name);

/* Returns: the index of the function @name in text->functions, or -1 */
gint mgpu_kernel_text_find_function (const MgpuKernelText * text, const gchar * name);

/* Returns: the size of the results of a frame, in words of 4 bytes. The results are the lists of
 * text->results, and after them, for each list of text->boxes, the number of its boxes and then the
 * boxes */
guint mgpu_kernel_text_count_results (const MgpuKernelText * text);

/* Reads the boxes of list @i of text->boxes from the results of a frame, @words, whose size is
 * @width x @height. Crops the boxes to the frame, and appends them to @boxes, an array of
 * MgpuScoredBox, with the label @i: by decreasing score, then by position. Leaves out duplicates,
 * boxes outside the frame, and boxes whose score is not finite. Returns: the number of boxes in the
 * frame with a finite score for which BOX () was called; it may be larger than the maximum of the
 * list, beyond which boxes are lost */
guint mgpu_kernel_read_boxes (const MgpuKernelText * text, guint i, const gint32 * words,
    gint width, gint height, GArray * boxes);

/* Returns: (transfer full): the names of the kernels, "a, b", for a message */
gchar *mgpu_kernel_text_list_functions (const MgpuKernelText * text);

/* Finds line number @line of text->text, from 1. *@in: set to the line number in the file.
 * Returns: (transfer none): the name of the file */
const gchar *mgpu_kernel_text_locate (const MgpuKernelText * text, guint line, guint * in);

/* Rewrites the log of a compiler that ignored #line: replaces "<anything>:N" by the file and its
 * line. Also removes the positions that Clang adds for macros.
 * @header: number of lines before the text. Returns: (transfer full): the log */
gchar *mgpu_kernel_text_map_log (const MgpuKernelText * text, guint header, const gchar * log);

/* Returns: the number of bytes of local memory that the kernel @name needs, if the log says that
 * the device has less, as NVIDIA's compiler does; otherwise 0 */
guint64 mgpu_kernel_log_local_memory (const gchar * log, const gchar * name);

/* Returns: (transfer full): the first line of a log of mgpu_kernel_text_map_log() that reports an
 * error in a file of @text, such as "edges.cl:6:34: use of undeclared identifier". If there is
 * none, the name of the file, followed by the first error or by the first line; "" for an empty
 * log */
gchar *mgpu_kernel_first_error (const MgpuKernelText * text, const gchar * log);

/* The algorithm: work->in is a frame, work->guide the frame of the second input (NULL: none; the
 * kernels then get work->in instead), work->out the result, work->params a MgpuKernelParams. As
 * with other algorithms, the functions reach(), remembers(), forget() and enqueue() belong to the
 * streaming thread. Objects are made by mgpu_kernel_new(), which any thread may call. */
extern const MgpuAlgorithm mgpu_kernel;

/* The parameters of a frame */
typedef struct
{
  const MgpuKernelText *text;   /* the text of the object */
  gdouble values[MGPU_KERNEL_MAX_PARAMS];       /* values of text->params, clipped to their
                                                 * ranges */
  guint64 frame;                /* number of the frame. Successive calls of enqueue() with the same
                                 * number belong to the same frame; they add to its results */
  guint64 time;                 /* time of the frame in ns */
} MgpuKernelParams;

/* Builds the kernels of @text for a context and formats of frames. The object keeps a reference
 * to @text.
 * @kernel: name of the only function to run; NULL: text->passes or, if that is empty, the first
 * function.
 * @in, @second, @out: format and size of frames; @second may be NULL. @out has the size of @in.
 * @log (nullable): set to the messages of the compiler, with line numbers of the user's files; ""
 * if there are none.
 * Returns: (transfer full): a MgpuObject, for mgpu_object_free(). NULL with the error set, whose
 * text begins with file and line if the compiler named them */
gpointer mgpu_kernel_new (MgpuKernelText * text, const gchar * kernel, GstMgpuContext * context,
    const GstVideoInfo * in, const GstVideoInfo * second, const GstVideoInfo * out, gchar ** log, GError ** error);

/* Moves the data that are kept between frames from the object @old, which is about to be freed, to
 * @self: buffers with "keep" of the same name, type and size, and the last frame and result if
 * their formats are equal. Both objects must belong to the same context. Returns: the number of
 * these buffers and frames */
guint mgpu_kernel_take_over (gpointer self, gpointer old);

/* Returns: (transfer full): memory with the results of the last frame, as
 * mgpu_kernel_text_count_results() describes them, in a GstMgpuMemory: mapping it waits for the kernels. The
 * next frame gets other memory. NULL if the text has no results, or no frame was enqueued since
 * the last call */
GstMemory *mgpu_kernel_take_results (gpointer self);

G_END_DECLS
