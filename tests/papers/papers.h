/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reruns the experiments of five publications. Each has a file, which measures, and writes
 * a page from what was measured, here or on other machines. */
#pragma once

#include "../kernelcheck/kernelcheck.h"

G_BEGIN_DECLS

/* ---- Figures ---------------------------------------------------------------- */

/* What was measured on one machine. Figures have a name, such as
 * "egpuip/integral/512x512/ours/wall", and are numbers; milliseconds unless the name says
 * something else. */
typedef struct
{
  gchar *name;                  /* "PoCL, Intel Xeon" */
  GHashTable *texts;            /* what is told about the machine and the run, by name */
  GHashTable *figures;          /* gdouble, by name */
} PapersColumn;

PapersColumn *papers_column_new (void);
void papers_column_free (PapersColumn * column);
void papers_column_describe (PapersColumn * column, KcRun * kc);

/* Returns: (transfer full): what a file of papers_column_save() has; NULL after an error */
PapersColumn *papers_column_load (const gchar * file, GError ** error);
gboolean papers_column_save (PapersColumn * column, const gchar * file, GError ** error);

/* Returns: "" when nothing of this name is told */
const gchar *papers_column_text (const PapersColumn * column, const gchar * name);

void papers_set (PapersColumn * column, gdouble value, const gchar * name, ...) G_GNUC_PRINTF (3, 4);

/* Returns: NaN when the figure was not measured there */
gdouble papers_get (const PapersColumn * column, const gchar * name, ...) G_GNUC_PRINTF (2, 3);

/* ---- Measuring -------------------------------------------------------------- */

typedef struct
{
  KcRun *kc;
  gboolean quick;               /* one small case of each kind, few rounds */
  PapersColumn *column;         /* gets what is measured */
  const gchar *pictures;        /* folder of pictures; or NULL */
  const gchar *output;          /* folder of pages; or NULL */
  const gchar *device;          /* as it was asked for */
  gboolean child;               /* started by this program, for times with other threads */
} PapersRun;

/* Fails the program unless ok. */
void papers_check (gboolean ok, const gchar * format, ...) G_GNUC_PRINTF (2, 3);

/* Returns: how often papers_check() failed */
guint papers_count_failures (void);

/* Returns a scaled picture of opencv-doc, such as "fruits". Reads it from the folder of pictures if
 * that has "fruits-512x384.ppm" (".pgm" for gray); otherwise writes it there. @format: GRAY8 or
 * RGB. Returns: NULL if there is no such picture, which is reported as a failure */
KcPicture *papers_picture_load (PapersRun * run, const gchar * name, GstVideoFormat format, gint width, gint height);

/* n pictures of RGB from opencv-doc's vtest.avi, every step-th, in the same way: "vtest-00-600x480.ppm". */
GPtrArray *papers_video_load (PapersRun * run, gint width, gint height, guint step, guint n);

/* Reads a PNM file into a picture of GRAY8 or RGB. Returns: FALSE where there is no such file of
 * exactly the picture's size */
gboolean papers_picture_read (KcPicture * picture, const gchar * file);

/* Writes a picture of GRAY8 or RGB as PNM. */
gboolean papers_picture_write (const KcPicture * picture, const gchar * file);

/* Builds an OpenCL program from a file in this folder, which may include files of kernels/.
 * Returns: NULL after an error, which is reported */
GstMgpuProgram *papers_program_new (PapersRun * run, const gchar * file, const gchar * options);
cl_kernel papers_kernel_new (PapersRun * run, GstMgpuProgram * program, const gchar * name);

/* Memory of size bytes, whose content is data or, if that is NULL, zeros. */
GstMgpuMemory *papers_memory_new (PapersRun * run, gconstpointer data, gsize size);
cl_mem papers_memory_get (PapersRun * run, GstMgpuMemory * memory);

/* Ends a job and waits for the device. */
void papers_finish (PapersRun * run, GstMgpuJob * job);

/* Sets arguments as gst_mgpu_job_set_args() does. They stay. */
#define PAPERS_ARGS(run, kernel, ...) \
G_STMT_START { \
  GstMgpuJob job_; \
  gst_mgpu_job_begin (&job_, (run)->kc->queue, NULL); \
  gst_mgpu_job_set_args (&job_, kernel, __VA_ARGS__); \
  papers_finish (run, &job_); \
} G_STMT_END

#define PAPERS_MAX_LAUNCHES 24

/* Launches of kernels whose arguments are set. */
typedef struct
{
  PapersRun *run;
  guint n;
  struct
  {
    cl_kernel kernel;
    guint n_dims;
    gsize global[2], local[2];  /* local[0] of 0: the driver chooses */
  } launches[PAPERS_MAX_LAUNCHES];
} PapersWork;

/* n columns and rows of work-items, in groups of local_x x local_y; 0: the driver chooses.
 * global_y of 0: one dimension */
void papers_work_add (PapersWork * work, cl_kernel kernel, gsize global_x, gsize global_y, gsize local_x,
    gsize local_y);

/* A KcTimed; data: a PapersWork */
gdouble papers_work_run (gpointer data);

/* Compares size bytes of memory with want, byte for byte. */
void papers_compare (PapersRun * run, const gchar * what, GstMgpuMemory * memory, gconstpointer want, gsize size);

/* Times contestants alternately. Keeps the median of each as "NAME/CONTESTANT/wall", in
 * milliseconds, the median of its kernels as ".../device", and the number of rounds as
 * "NAME/rounds". */
void papers_time (PapersRun * run, const KcContestant * contestants, guint n, const gchar * name, ...)
G_GNUC_PRINTF (4, 5);

/* Times a function of the host in processor time of its thread: "NAME/processor". */
void papers_time_scalar (PapersRun * run, void (*function) (gpointer data), gpointer data, const gchar * name, ...)
G_GNUC_PRINTF (4, 5);

/* An algorithm of ours with one frame in; the time of the kernels alone, and with copies of
 * the frame and of the result. */
typedef struct
{
  PapersRun *run;
  const KcPicture *picture;
  KcFrame *frame;
  GstMgpuMemory *results[16];   /* up to the first NULL: what is copied back */
  gpointer bytes;               /* room for the largest of them */
  void (*enqueue) (gpointer data, GstMgpuJob * job);
  gpointer data;
} PapersOurs;

/* KcTimed; data: a PapersOurs */
gdouble papers_ours_run (gpointer data);
gdouble papers_ours_run_with_transfers (gpointer data);

/* What can be read of the energy that a device takes: joules, or, where there is no meter,
 * seconds of processor time. */
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

/* Does the work of an image again and again: 50 seconds, 15 without a meter, 5 when quick.
 * Keeps "NAME/images-per-second", "NAME/seconds" and "/millijoules", "/millijoules-less-idle",
 * "/watts" and "/idle-watts", or "/processor" in milliseconds. */
void papers_measure_energy (PapersRun * run, void (*work) (gpointer data), gpointer data, const gchar * name);

/* Runs work some times with times of each kernel. Returns: (transfer full): the medians
 * of their milliseconds for one run, gdouble by the name of the kernel */
GHashTable *papers_profile (PapersRun * run, KcTimed work, gpointer data);

/* ---- Pages ------------------------------------------------------------------ */

typedef struct
{
  gchar *folder;
  const gchar *name, *label;    /* of the paper; NULL: the summary */
  GPtrArray *columns, *all_columns;     /* PapersColumn; those that have figures of the paper, and all */
  GString *text;
  GString *summary;             /* rows of the summary's table */
  GString *claims;              /* rows of the table of claims */
  guint n_cells, n_heads;
} PapersPage;

/* Digits that say something: "0.0123", "4.07", "96.7", "1840". */
const gchar *papers_number (gdouble value);

void papers_text (PapersPage * page, const gchar * format, ...) G_GNUC_PRINTF (2, 3);

/* Heads up to NULL. Each row has as many cells. */
void papers_table (PapersPage * page, const gchar * head, ...) G_GNUC_NULL_TERMINATED;
void papers_heads (PapersPage * page, guint n, const gchar * const *heads);
void papers_cell (PapersPage * page, const gchar * format, ...) G_GNUC_PRINTF (2, 3);

/* A number, or why there is none. */
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

/* Adds a row to the summary. theirs: as printed, with its unit; value: the same as a number;
 * NaN: no ratio is told; ours: a number for each column, of the same unit; NaN: not measured. lower: whether a
 * smaller number is better. why: why it is the same work, or not */
void papers_summarize (PapersPage * page, const gchar * what, const gchar * hardware, const gchar * theirs,
    gdouble value, const gdouble * ours, gboolean lower, gboolean same, const gchar * why);

/* ---- Plots ------------------------------------------------------------------ */

typedef struct _PapersPlot PapersPlot;

PapersPlot *papers_plot_new (const gchar * title, const gchar * x, const gchar * y, gboolean log_x, gboolean log_y);

/* A line through n points; those that are NaN are left out. */
void papers_plot_line (PapersPlot * plot, const gchar * name, guint n, const gdouble * x, const gdouble * y);

/* Bars of a group, one for each of n names, which are the same for all groups. */
void papers_plot_bars (PapersPlot * plot, const gchar * group, guint n, const gchar * const *names,
    const gdouble * values);

/* Writes images/PAPER-FILE.svg and shows it on the page. Frees plot. */
void papers_plot_end (PapersPlot * plot, PapersPage * page, const gchar * file, const gchar * description);

/* ---- Papers ----------------------------------------------------------------- */

typedef struct
{
  const gchar *name;
  const gchar *label;           /* a word for the rows of the summary */
  const gchar *title;           /* as in the list of the summary */
  void (*check) (void);         /* checks what is computed from printed figures */
  void (*measure) (PapersRun * run);
  void (*write) (PapersPage * page);
} Paper;

extern const Paper papers_desmedt, papers_egpuip, papers_rister, papers_sagivtech, papers_wang;

G_END_DECLS
