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
#define MGPU_KERNEL_MAX_RESULTS_SIZE 65536      /* bytes of all lists and boxes together */
#define MGPU_KERNEL_MAX_BOXES 8 /* lists of boxes */
#define MGPU_KERNEL_DEFAULT_BOXES 256   /* boxes of a list */
#define MGPU_KERNEL_BOX_WORDS 5 /* numbers of a box: x, y, width, height, score */
#define MGPU_KERNEL_MAX_BUFFERS 4
#define MGPU_KERNEL_MAX_BUFFER_SIZE (64 << 20)  /* numbers of a buffer */
#define MGPU_KERNEL_MAX_PER_PIXEL 16    /* numbers of a buffer for each pixel */
#define MGPU_KERNEL_MAX_PASSES 8
#define MGPU_KERNEL_MAX_CONTROLS 4
#define MGPU_KERNEL_MAX_REACH 1024      /* pixels */

/* How a kernel function of a user's file is called */
typedef enum
{
  MGPU_KERNEL_PIXEL,            /* for each pixel; returns its components as an int4 */
  MGPU_KERNEL_SAMPLE,           /* for each sample of each component but alpha; returns it */
  MGPU_KERNEL_WORK              /* for each work-item; reads and writes memory itself */
} MgpuKernelForm;

/* A parameter: a line "//! param". Values are inside of @min to @max; those of an int are
 * whole. */
typedef struct
{
  gchar *name;                  /* an identifier of OpenCL C */
  gboolean is_float;
  gdouble value, min, max;      /* default, minimum and maximum */
  guint control;                /* 1 to MGPU_KERNEL_MAX_CONTROLS: the property "control-N" that
                                 * sets the parameter; 0: none */
  gchar *text;                  /* description; "" if there is none */
} MgpuKernelParam;

/* A list of numbers: a line "//! results" or "//! buffer", whose numbers are gint32 or gfloat; or of
 * boxes: a line "//! boxes", of which only @name and @n have a meaning. */
typedef struct
{
  gchar *name;                  /* an identifier of OpenCL C */
  gboolean is_float;
  guint n;                      /* number of numbers, or of numbers for each pixel; maximum number of
                                 * boxes */
  gboolean per_pixel, keep;     /* of a buffer. @keep: numbers stay from frame to frame */
} MgpuKernelList;

/* A kernel function of the file */
typedef struct
{
  gchar *name;
  const gchar *file;            /* (transfer none): where it begins: name of the file ... */
  guint line;                   /* ... and number of the line in it, from 1 */
  MgpuKernelForm form;
  gboolean writes;              /* whether it writes a frame; a WORK kernel that does not leaves
                                 * the frame as it is */
  gint group[2];                /* work-items of a work-group; 0: chosen for the device */
  /* Number of work-items of a WORK kernel in each dimension: @items, or as many as the frame has
   * pixels divided by @divisor, rounded up, if @items is 0. Both are rounded up to whole
   * work-groups */
  gint items[2], divisor[2];
} MgpuKernelFunction;

/* A part of a text that came from one file */
typedef struct
{
  guint line;                   /* line of the text, from 1, with which the part begins */
  guint first;                  /* line of the file that this is, from 1 */
  gchar *file;                  /* name of the file in messages */
} MgpuKernelPart;

/* The text of a kernel file with its //! lines parsed. Immutable, so that several threads may
 * use it. mgpu_kernel_text_load() in gst/models makes it. */
typedef struct
{
  gint n_refs;                  /* atomic */
  gchar *name;                  /* base name of the file, or "source" */
  gchar *text;                  /* OpenCL C, with included files instead of their lines, and #line
                                 * directives that name them */
  GArray *params;               /* of MgpuKernelParam */
  GArray *results, *buffers, *boxes;    /* of MgpuKernelList */
  GArray *functions;            /* of MgpuKernelFunction, in the order of the file; at least 1 */
  GArray *passes;               /* of guint: indices of @functions, in the order in which they run;
                                 * empty if there is no line "//! pass" */
  GArray *parts;                /* of MgpuKernelPart, by line */
  GArray *formats;              /* of GstVideoFormat: those that the file accepts; empty: all */
  GstVideoFormat output;        /* format of the result; UNKNOWN: that of the frame */
  gboolean previous, feedback;  /* whether the last frame and the last result are read */
  gboolean second;              /* whether frames of the second input are read */
  gboolean source;              /* whether later passes read the frame that arrived */
  gint reach;                   /* see MgpuAlgorithm.reach; -1 if there is no such line */
} MgpuKernelText;

MgpuKernelText *mgpu_kernel_text_ref (MgpuKernelText * self);
void mgpu_kernel_text_unref (MgpuKernelText * self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MgpuKernelText, mgpu_kernel_text_unref)

/* Returns: the index in text->params or -1 */
gint mgpu_kernel_text_find_param (const MgpuKernelText * text, const gchar * name);

/* Returns: the index in text->functions or -1 */
gint mgpu_kernel_text_find_function (const MgpuKernelText * text, const gchar * name);

/* Returns: how many words of 4 bytes the results of a frame have: those of the lists text->results,
 * and behind them, for each list of text->boxes, the number of its boxes, and their words */
guint mgpu_kernel_text_count_results (const MgpuKernelText * text);

/* Reads the boxes of list @i of text->boxes from the results of a frame, @words, whose size is
 * @width x @height. Appends those to @boxes, an array of MgpuScoredBox, that are in the frame, cropped to it,
 * by decreasing score, then by position; their label is @i. Equal boxes are appended once; boxes whose score is
 * not a finite number are left out. Returns: the number of boxes that BOX () counted, those that lie in the frame
 * and have a finite score; boxes beyond the maximum of the list are missing */
guint mgpu_kernel_read_boxes (const MgpuKernelText * text, guint i, const gint32 * words,
    gint width, gint height, GArray * boxes);

/* Returns: (transfer full): the names of the kernels, "a, b", for a message */
gchar *mgpu_kernel_text_list_functions (const MgpuKernelText * text);

/* Finds line number @line of text->text, from 1. *@in: set to its number in the file.
 * Returns: (transfer none): the name of the file */
const gchar *mgpu_kernel_text_locate (const MgpuKernelText * text, guint line, guint * in);

/* Rewrites lines of a compiler's log that have "<anything>:N", because the driver ignored #line,
 * so that they name the file and its line, and removes what Clang adds to the places of macros.
 * @header: number of lines before the text. Returns: (transfer full): the log */
gchar *mgpu_kernel_text_map_log (const MgpuKernelText * text, guint header, const gchar * log);

/* Returns: how many bytes of local memory the kernel @name needs, if a log says that they are too many
 * for the device, as NVIDIA's compiler does; or 0 */
guint64 mgpu_kernel_log_local_memory (const gchar * log, const gchar * name);

/* Returns: (transfer full): the first line of a log of mgpu_kernel_text_map_log() that tells an
 * error in a file of @text: "edges.cl:6:34: use of undeclared identifier". If none does, the
 * first error, or the first line, behind the name of the file; "" for an empty log */
gchar *mgpu_kernel_first_error (const MgpuKernelText * text, const gchar * log);

/* The algorithm: work->in is a frame, work->guide the frame of the second input (NULL: none; the
 * kernels then see the frame in its place), work->out the result, work->params a
 * MgpuKernelParams. As with other algorithms, the functions reach(), remembers(), forget() and
 * enqueue() belong to the streaming thread. Objects are made by mgpu_kernel_new(), which any
 * thread may call. */
extern const MgpuAlgorithm mgpu_kernel;

/* The parameters of a frame */
typedef struct
{
  const MgpuKernelText *text;   /* that of the object */
  gdouble values[MGPU_KERNEL_MAX_PARAMS];       /* of text->params; clipped to their ranges */
  guint64 frame;                /* number of the frame. Calls of enqueue() with the same number as
                                 * the call before belong to the same frame: they add to its
                                 * results */
  guint64 time;                 /* time of the frame in ns */
} MgpuKernelParams;

/* Builds the kernels of @text for a context and formats of frames. The object keeps a reference
 * to @text.
 * @kernel: the function that runs alone; NULL: text->passes, or the first function.
 * @in, @second, @out: format and size of frames; @second may be NULL. @out has the size of @in.
 * @log: set to what the compiler said, with lines of the user's files; "" if it said nothing; may
 * be NULL.
 * Returns: (transfer full): a MgpuObject, for mgpu_object_free(). NULL with the error set, whose
 * text begins with file and line if the compiler named them */
gpointer mgpu_kernel_new (MgpuKernelText * text, const gchar * kernel, GstMgpuContext * context,
    const GstVideoInfo * in, const GstVideoInfo * second, const GstVideoInfo * out, gchar ** log, GError ** error);

/* Moves what stays between frames from the object @old, which is freed soon, to @self: buffers with
 * "keep" of the same name, type and size, and the last frame and result if their formats are equal.
 * Both belong to the same context. Returns: the number of these
 * buffers and frames */
guint mgpu_kernel_take_over (gpointer self, gpointer old);

/* Returns: (transfer full): memory with the results of the last frame, as
 * mgpu_kernel_text_count_results() describes them, in a GstMgpuMemory: mapping it waits for the kernels. The
 * next frame gets other memory. NULL if the text has no results, or no frame was enqueued since
 * the last call */
GstMemory *mgpu_kernel_take_results (gpointer self);

G_END_DECLS
