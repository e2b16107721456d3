/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The parts of camera: the pipeline, what is drawn, the window. */
#pragma once

#include <cairo.h>
#include <gst/gst.h>

/* ---- The pipeline: camera-stream.c ---------------------------------------------- */

typedef enum
{
  CAMERA_SMOOTH,
  CAMERA_EQUALIZE,
  CAMERA_SHARPEN,
  CAMERA_KEYPOINTS,             /* from here on nothing changes pixels */
  CAMERA_PEOPLE,
  CAMERA_N_STAGES
} CameraStageId;

#define CAMERA_MAX_CONTROLS 3

/* A property, and the values that a slider gives it. With a step of 0 it is 0 or 1. */
typedef struct
{
  const gchar *property;        /* NULL: there is none */
  const gchar *label;
  gdouble min, max, step;
  gdouble value;                /* from the start */
} CameraControl;

typedef struct
{
  const gchar *label, *factory;
  gboolean on;                  /* from the start */
  CameraControl controls[CAMERA_MAX_CONTROLS];
} CameraStage;

extern const CameraStage camera_stages[CAMERA_N_STAGES];

typedef struct
{
  gchar *camera;                /* like /dev/video0 */
  gchar *file;                  /* a video in place of a camera, again and again */
  gboolean test;                /* pictures of a test source */
  gchar *device;                /* OpenCL device; NULL: the best one */
  gchar *directory;             /* for pictures that are saved */
} CameraSettings;

typedef struct
{
  gint x, y, width, height;
  gdouble score;
} CameraPerson;

/* What was found in a frame. */
typedef struct
{
  GBytes *keypoints;            /* of GstMgpuKeypoint; NULL: not looked for */
  GArray *people;               /* of CameraPerson; NULL: not looked for */
} CameraFindings;

void camera_findings_clear (CameraFindings * self);

typedef struct _CameraStream CameraStream;

/* Plays until it is freed, whatever happens; say is called from the default main
 * context and tells what did. */
CameraStream * camera_stream_new (const CameraSettings * settings,
    void (*say) (gboolean is_error, const gchar * text, gpointer data), gpointer data);
void camera_stream_free (CameraStream * self);

void camera_stream_switch (CameraStream * self, guint stage, gboolean on);
void camera_stream_tune (CameraStream * self, guint stage, guint control, gdouble value);

/* The newest frame, once, and the milliseconds from the source to here. NULL: there
 * is no newer one. */
cairo_surface_t * camera_stream_take_frame (CameraStream * self, gdouble * latency);

/* Likewise what was found last. */
gboolean camera_stream_take_findings (CameraStream * self, CameraFindings * findings);

/* Where it runs; empty: nowhere. */
const gchar * camera_stream_get_device_name (CameraStream * self);

/* ---- What is drawn: camera-draw.c ------------------------------------------------ */

/* Values over time */
typedef struct
{
  const gchar *label, *format;  /* how a value is written */
  gdouble red, green, blue;
  GArray *points;
} CameraSeries;

/* Seconds that a plot shows */
#define CAMERA_HISTORY 60

/* NAN: from now on there are no values. */
void camera_series_add (CameraSeries * self, gdouble value);

/* A frame with what was found in it, one to one. */
void camera_draw_frame (cairo_t * cr, cairo_surface_t * frame, const CameraFindings * findings);
void camera_draw_plot (cairo_t * cr, gdouble width, gdouble height, CameraSeries * series, guint n);

/* ---- The window: camera-window.c -------------------------------------------------- */

typedef struct _GtkApplication GtkApplication;

void camera_window_show (GtkApplication * application, const CameraSettings * settings);
