/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Repeats the experiments of five publications. Each has a file that measures, and writes a page
 * from the figures, which were measured on this machine or on others. */
#pragma once

#include "../kernelcheck/kernelcheck.h"

G_BEGIN_DECLS

/* ---- Figures ---------------------------------------------------------------- */

/* Figures that were measured on one machine. Figures have a name, such as
 * "egpuip/integral/512x512/ours/wall", and are numbers, in milliseconds unless the name contains
 * another unit. */
typedef struct
{
  gchar *name;                  /* "PoCL, Intel Xeon" */
  GHashTable *texts;            /* texts about the machine and the run, by name */
  GHashTable *figures;          /* gdouble, by name */
} PapersColumn;

PapersColumn *papers_column_new (void);
void papers_column_free (PapersColumn * column);
void papers_column_describe (PapersColumn * column, KcRun * kc);

/* Returns: (transfer full): the content of a file of papers_column_save(); NULL after an error */
PapersColumn *papers_column_load (const gchar * file, GError ** error);
gboolean papers_column_save (PapersColumn * column, const gchar * file, GError ** error);

/* Returns: the text named @name, or "" if there is none */
const gchar *papers_column_text (const PapersColumn * column, const gchar * name);

void papers_set (PapersColumn * column, gdouble value, const gchar * name, ...) G_GNUC_PRINTF (3, 4);

/* Returns: the figure, or NaN if it was not measured on that machine */
gdouble papers_get (const PapersColumn * column, const gchar * name, ...) G_GNUC_PRINTF (2, 3);

/* ---- Measuring -------------------------------------------------------------- */

typedef struct
{
  KcRun *kc;
  gboolean quick;               /* whether only one small case of each kind runs, with few rounds */
  PapersColumn *column;         /* gets what is measured */
  const gchar *pictures;        /* folder from which pictures are read; or NULL */
  const gchar *output;          /* folder to which pages are written; or NULL */
  const gchar *device;          /* device string with which the device was requested */
  gboolean child;               /* whether this process was started by this program, for times with
                                 * another number of threads */
} PapersRun;

/* Makes the program fail unless @ok is TRUE. */
void papers_check (gboolean ok, const gchar * format, ...) G_GNUC_PRINTF (2, 3);

/* Returns: how often papers_check() failed */
guint papers_count_failures (void);

/* Returns a scaled picture of opencv-doc, such as "fruits". Reads it from the folder of pictures if
 * that has "fruits-512x384.ppm" (".pgm" for gray); otherwise writes it there. @format: GRAY8 or
 * RGB. Returns: NULL if there is no such picture, which is reported as a failure */
KcPicture *papers_picture_load (PapersRun * run, const gchar * name, GstVideoFormat format, gint width, gint height);

/* Returns @n RGB pictures of opencv-doc's vtest.avi, every @step-th. Reads them from the folder of
 * pictures or writes them there, as papers_picture_load() does, with names such as
 * "vtest-00-600x480.ppm". */
GPtrArray *papers_video_load (PapersRun * run, gint width, gint height, guint step, guint n);

/* Reads a PNM file into a picture of GRAY8 or RGB. Returns: FALSE if there is no such file of
 * exactly the picture's size */
gboolean papers_picture_read (KcPicture * picture, const gchar * file);

/* Writes a picture of GRAY8 or RGB as PNM. */
gboolean papers_picture_write (const KcPicture * picture, const gchar * file);

/* Builds an OpenCL program from a file in this folder, which may include files of kernels/.
 * Returns: NULL after an error, which is reported */
GstMgpuProgram *papers_program_new (PapersRun * run, const gchar * file, const gchar * options);
cl_kernel papers_kernel_new (PapersRun * run, GstMgpuProgram * program, const gchar * name);

/* Makes device memory of @size bytes, whose content is @data or, if @data is NULL, zeros. */
GstMgpuMemory *papers_memory_new (PapersRun * run, gconstpointer data, gsize size);
cl_mem papers_memory_get (PapersRun * run, GstMgpuMemory * memory);

/* Ends a job, and waits for the device. */
void papers_finish (PapersRun * run, GstMgpuJob * job);

/* Sets the arguments of a kernel as gst_mgpu_job_set_args() does. They stay set for later
 * launches. */
#define PAPERS_ARGS(run, kernel, ...) \
G_STMT_START { \
  GstMgpuJob job_; \
  gst_mgpu_job_begin (&job_, (run)->kc->queue, NULL); \
  gst_mgpu_job_set_args (&job_, kernel, __VA_ARGS__); \
  papers_finish (run, &job_); \
} G_STMT_END

#define PAPERS_MAX_LAUNCHES 24

/* Launches of kernels whose arguments are already set */
typedef struct
{
  PapersRun *run;
  guint n;
  struct
  {
    cl_kernel kernel;
    guint n_dims;
    gsize global[2], local[2];  /* sizes of the grid and of work-groups; if local[0] is 0, the
                                 * driver chooses the size of work-groups */
  } launches[PAPERS_MAX_LAUNCHES];
} PapersWork;

/* Adds a launch of @global_x columns and @global_y rows of work-items, in work-groups of @local_x x
 * @local_y; 0: the driver chooses. If @global_y is 0, the grid has one dimension. */
void papers_work_add (PapersWork * work, cl_kernel kernel, gsize global_x, gsize global_y, gsize local_x,
    gsize local_y);

/* Runs the launches; a KcTimed. @data: a PapersWork */
gdouble papers_work_run (gpointer data);

/* Compares @size bytes of @memory with @want, byte for byte. */
void papers_compare (PapersRun * run, const gchar * what, GstMgpuMemory * memory, gconstpointer want, gsize size);

/* Times contestants alternately. Stores the median of each as "NAME/CONTESTANT/wall", in
 * milliseconds, the median of its kernels as ".../device", and the number of rounds as
 * "NAME/rounds". */
void papers_time (PapersRun * run, const KcContestant * contestants, guint n, const gchar * name, ...)
G_GNUC_PRINTF (4, 5);

/* Times a function of the host, and stores the processor time of its thread as "NAME/processor". */
void papers_time_scalar (PapersRun * run, void (*function) (gpointer data), gpointer data, const gchar * name, ...)
G_GNUC_PRINTF (4, 5);

/* Runs an algorithm of this project with one input frame, to time the kernels alone, or with copies
 * of the frame and of the result. */
typedef struct
{
  PapersRun *run;
  const KcPicture *picture;
  KcFrame *frame;
  GstMgpuMemory *results[16];   /* memories that are copied back, up to the first NULL */
  gpointer bytes;               /* host memory for the largest of the results */
  void (*enqueue) (gpointer data, GstMgpuJob * job);
  gpointer data;
} PapersOurs;

/* KcTimed; data: a PapersOurs */
gdouble papers_ours_run (gpointer data);
gdouble papers_ours_run_with_transfers (gpointer data);

/* Kinds of energy meters: joules or, without a meter, seconds of processor time */
typedef enum
{
  PAPERS_METER_NONE,
  PAPERS_METER_NVML,
  PAPERS_METER_POWERCAP,
  PAPERS_METER_PROCESSOR
} PapersMeter;

PapersMeter papers_meter_find (PapersRun * run);

/* Returns: joules, or seconds of processor time, since some time in the past */
gdouble papers_meter_read (PapersMeter meter);

/* Repeats the work for an image for 50 seconds, for 15 without a meter, or for 5 in a quick run.
 * Stores "NAME/images-per-second", "NAME/seconds" and "/millijoules", "/millijoules-less-idle",
 * "/watts" and "/idle-watts", or "/processor" in milliseconds. */
void papers_measure_energy (PapersRun * run, void (*work) (gpointer data), gpointer data, const gchar * name);

/* Runs @work several times, measuring each kernel. Returns: (transfer full): a table from the name
 * of each kernel to the median of its milliseconds per run, a gdouble */
GHashTable *papers_profile (PapersRun * run, KcTimed work, gpointer data);

/* ---- Pages ------------------------------------------------------------------ */

typedef struct
{
  gchar *folder;
  const gchar *name, *label;    /* name and label of the paper; NULL: the page is the summary */
  GPtrArray *columns, *all_columns;     /* arrays of PapersColumn: those that have figures of the
                                         * paper, and all */
  GString *text;
  GString *summary;             /* rows of the summary's table */
  GString *claims;              /* rows of the table of claims */
  guint n_cells, n_heads;
} PapersPage;

/* Returns a number with its significant digits: "0.0123", "4.07", "96.7", "1840". */
const gchar *papers_number (gdouble value);

void papers_text (PapersPage * page, const gchar * format, ...) G_GNUC_PRINTF (2, 3);

/* Begins a table with heads up to NULL. Each row has as many cells. */
void papers_table (PapersPage * page, const gchar * head, ...) G_GNUC_NULL_TERMINATED;
void papers_heads (PapersPage * page, guint n, const gchar * const *heads);
void papers_cell (PapersPage * page, const gchar * format, ...) G_GNUC_PRINTF (2, 3);

/* Adds a cell with a number or, if it is NaN, with the text @otherwise, which says why there is no
 * number. */
void papers_cell_number (PapersPage * page, gdouble value, const gchar * otherwise);
void papers_row_end (PapersPage * page);

typedef enum
{
  PAPERS_HOLDS,
  PAPERS_DOES_NOT,
  PAPERS_CANNOT_BE_TESTED
} PapersVerdict;

#define PAPERS_VERDICT(condition) ((condition) ? PAPERS_HOLDS : PAPERS_DOES_NOT)

/* Adds a row to the table of claims, which papers_page_end() writes. */
void papers_claim (PapersPage * page, const gchar * claim, const PapersColumn * column, PapersVerdict verdict,
    const gchar * format, ...) G_GNUC_PRINTF (5, 6);

/* Adds a row to the summary. @theirs: the paper's figure as printed, with its unit; @value: the
 * same figure as a number, NaN: no ratio is written; @ours: a number for each column, of the same
 * unit, NaN: not measured. @lower: whether a smaller number is better. @why: why it is the same
 * work, or not */
void papers_summarize (PapersPage * page, const gchar * what, const gchar * hardware, const gchar * theirs,
    gdouble value, const gdouble * ours, gboolean lower, gboolean same, const gchar * why);

/* ---- Plots ------------------------------------------------------------------ */

typedef struct _PapersPlot PapersPlot;

PapersPlot *papers_plot_new (const gchar * title, const gchar * x, const gchar * y, gboolean log_x, gboolean log_y);

/* Adds a line through @n points, of which those that are NaN are left out. */
void papers_plot_line (PapersPlot * plot, const gchar * name, guint n, const gdouble * x, const gdouble * y);

/* Adds a group of bars, one for each of @n names, which are the same for all groups. */
void papers_plot_bars (PapersPlot * plot, const gchar * group, guint n, const gchar * const *names,
    const gdouble * values);

/* Writes images/PAPER-FILE.svg and shows it on the page. Frees @plot. */
void papers_plot_end (PapersPlot * plot, PapersPage * page, const gchar * file, const gchar * description);

/* ---- Papers ----------------------------------------------------------------- */

typedef struct
{
  const gchar *name;
  const gchar *label;           /* short name for the rows of the summary */
  const gchar *title;           /* title in the list of the summary */
  void (*check) (void);         /* checks the values that are computed from printed figures */
  void (*measure) (PapersRun * run);
  void (*write) (PapersPage * page);
} Paper;

extern const Paper papers_desmedt, papers_egpuip, papers_rister, papers_sagivtech, papers_wang;

G_END_DECLS
