/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Decides when motion starts and stops, and when the camera is tampered with. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef enum
{
  GST_MGPU_MOTION_NO_EVENT,
  GST_MGPU_MOTION_STARTED,
  GST_MGPU_MOTION_STOPPED
} GstMgpuMotionEvent;

/* Whether something moves. @last: time, in ns, of the last frame with motion. */
typedef struct
{
  gboolean active;
  GstClockTime last;
} GstMgpuMotionActivity;

/* Tells @self whether something that counts moves in the frame at @time, in ns. Motion starts in
 * the first such frame, and stops in the first frame that is @delay or more after the last one.
 * Times never decrease. */
GstMgpuMotionEvent gst_mgpu_motion_activity_update (GstMgpuMotionActivity * self, GstClockTime time,
                                                 gboolean moves, GstClockTime delay);
/* Ends the motion, if there is any, because the frames before are forgotten. */
GstMgpuMotionEvent gst_mgpu_motion_activity_end    (GstMgpuMotionActivity * self);

/* What was done to the camera */
typedef enum
{
  GST_MGPU_TAMPER_NONE,
  GST_MGPU_TAMPER_DARK,         /* no light */
  GST_MGPU_TAMPER_COVERED,      /* few edges are left, of the background or of anything else */
  GST_MGPU_TAMPER_BLURRED,      /* the edges of the frame are weak */
  GST_MGPU_TAMPER_MOVED,        /* the edges are elsewhere */
  GST_MGPU_TAMPER_RESTORED,     /* the edges of the background are seen again */
  GST_MGPU_TAMPER_LEARNED       /* what is seen now becomes the background */
} GstMgpuTamper;

/* Returns: the word for @tamper in messages and JSON; NULL for GST_MGPU_TAMPER_NONE */
const gchar * gst_mgpu_tamper_get_name (GstMgpuTamper tamper);

/* Sums of a frame over the working picture.
 * @n_pixels: number of all pixels.
 * @n_strong: number of pixels at strong edges of the background.
 * @n_survive: number of these at which the frame has at least half of the gradient.
 * @frame_energy, @background_energy: sums of the absolute gradients of frame and background.
 * @luma: sum of the luma of all pixels, from 0 to 255 each. */
typedef struct
{
  guint n_pixels, n_strong, n_survive;
  guint64 frame_energy, background_energy, luma;
} GstMgpuTamperSums;

/* @tampered: the state that was reported last: GST_MGPU_TAMPER_NONE, or one from
 * GST_MGPU_TAMPER_DARK to GST_MGPU_TAMPER_MOVED.
 * @since: time, in ns, of the frame with which less than 0.6 of the edges began to survive, or,
 *   while @tampered is set, of the report; GST_CLOCK_TIME_NONE: more do.
 * @n_strong, @energy: members @n_strong and @background_energy of the sums of that first frame. A
 *   background may fade while the camera is covered, because it follows the light. */
typedef struct
{
  GstMgpuTamper tampered;
  GstClockTime since;
  guint n_strong;
  guint64 energy;
} GstMgpuTamperState;

void          gst_mgpu_tamper_state_init   (GstMgpuTamperState * self);
/* Tells @self the sums of the frame at @time, in ns. Reports what was done to the camera when
 * less than 0.6 of the edges have survived for @after, and GST_MGPU_TAMPER_RESTORED when more than
 * 0.75 do again. Reports GST_MGPU_TAMPER_LEARNED @learn after the report (GST_CLOCK_TIME_NONE:
 * never); the caller then has to forget the background. Times never decrease.
 * Returns: the event; GST_MGPU_TAMPER_NONE if there is none */
GstMgpuTamper gst_mgpu_tamper_state_update (GstMgpuTamperState * self, const GstMgpuTamperSums * sums,
                                            GstClockTime time, GstClockTime after, GstClockTime learn);

/* Returns: whether the background has faded since the camera was tampered with */
gboolean      gst_mgpu_tamper_has_faded    (const GstMgpuTamperState * self, const GstMgpuTamperSums * sums);
/* Returns: the fraction of the strong edges of the background that the frame has, in 1/1024; 1024
 * if the background has too few to tell, 0 if it has faded */
guint         gst_mgpu_tamper_get_survive  (const GstMgpuTamperState * self, const GstMgpuTamperSums * sums);
/* Returns: the gradients of the frame by those of the background, or by those that it had when
 * the camera was tampered with, in 1/1024, at most 65535 */
guint         gst_mgpu_tamper_get_energy   (const GstMgpuTamperState * self, const GstMgpuTamperSums * sums);

G_END_DECLS
