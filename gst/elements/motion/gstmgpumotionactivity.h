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

/* State of the motion: whether something moves. @last: time, in ns, of the last frame with
 * motion. */
typedef struct
{
  gboolean active;
  GstClockTime last;
} GstMgpuMotionActivity;

/* Updates @self for the frame at @time, in ns. @moves: whether a region that counts moves in this
 * frame. Motion starts in the first such frame, and stops in the first frame that is at least
 * @delay after the last such frame. Times never decrease. */
GstMgpuMotionEvent gst_mgpu_motion_activity_update (GstMgpuMotionActivity * self, GstClockTime time,
                                                 gboolean moves, GstClockTime delay);
/* Ends the motion, if there is any, because earlier frames are forgotten. */
GstMgpuMotionEvent gst_mgpu_motion_activity_end    (GstMgpuMotionActivity * self);

/* Kind of tampering with the camera */
typedef enum
{
  GST_MGPU_TAMPER_NONE,
  GST_MGPU_TAMPER_DARK,         /* the frame is dark */
  GST_MGPU_TAMPER_COVERED,      /* the frame has few edges, whether of the background or of other
                                 * objects */
  GST_MGPU_TAMPER_BLURRED,      /* the frame has only weak edges */
  GST_MGPU_TAMPER_MOVED,        /* the frame has edges at other positions */
  GST_MGPU_TAMPER_RESTORED,     /* the frame shows the edges of the background again */
  GST_MGPU_TAMPER_LEARNED       /* the current view becomes the background */
} GstMgpuTamper;

/* Returns: the word for @tamper in messages and JSON; NULL for GST_MGPU_TAMPER_NONE */
const gchar * gst_mgpu_tamper_get_name (GstMgpuTamper tamper);

/* Sums over the pixels of the working image, the reduced frame that is analyzed.
 * @n_pixels: number of all pixels.
 * @n_strong: number of pixels at strong edges of the background.
 * @n_survive: number of these strong pixels at which the gradient of the frame is at least half of
 * the gradient of the background. @frame_energy, @background_energy: sums of the absolute gradients
 * of frame and background.
 * @luma: sum of the luma of all pixels, from 0 to 255 each. */
typedef struct
{
  guint n_pixels, n_strong, n_survive;
  guint64 frame_energy, background_energy, luma;
} GstMgpuTamperSums;

/* @tampered: the state that was reported last: GST_MGPU_TAMPER_NONE, or one from
 * GST_MGPU_TAMPER_DARK to GST_MGPU_TAMPER_MOVED.
 * @since: time, in ns, of the first frame that showed less than 0.6 of the edges, or, while
 *   @tampered is set, of the report; GST_CLOCK_TIME_NONE if frames show more of the edges.
 *   @n_strong, @energy: members @n_strong and @background_energy of the sums of that first frame. A
 *   background may fade while the camera is covered, because it follows the light. */
typedef struct
{
  GstMgpuTamper tampered;
  GstClockTime since;
  guint n_strong;
  guint64 energy;
} GstMgpuTamperState;

void          gst_mgpu_tamper_state_init   (GstMgpuTamperState * self);
/* Updates @self with the sums of the frame at @time, in ns. Reports the kind of tampering when
 * frames have shown less than 0.6 of the edges for the time @after, and GST_MGPU_TAMPER_RESTORED
 * when they show more than 0.75 again. Reports GST_MGPU_TAMPER_LEARNED @learn after the report
 * (GST_CLOCK_TIME_NONE: never); the caller then has to forget the background. Times never decrease.
 * Returns: the event; GST_MGPU_TAMPER_NONE if there is none */
GstMgpuTamper gst_mgpu_tamper_state_update (GstMgpuTamperState * self, const GstMgpuTamperSums * sums,
                                            GstClockTime time, GstClockTime after, GstClockTime learn);

/* Returns: whether the background has faded since the camera was tampered with */
gboolean      gst_mgpu_tamper_has_faded    (const GstMgpuTamperState * self, const GstMgpuTamperSums * sums);
/* Returns: the fraction of the background's strong edges that the frame shows, in units of 1/1024;
 * 1024 if the background has too few strong edges, 0 if it has faded */
guint         gst_mgpu_tamper_get_survive  (const GstMgpuTamperState * self, const GstMgpuTamperSums * sums);
/* Returns: the gradient energy of the frame divided by that of the background (or by that at the
 * time of the tampering), in units of 1/1024, at most 65535 */
guint         gst_mgpu_tamper_get_energy   (const GstMgpuTamperState * self, const GstMgpuTamperSums * sums);

G_END_DECLS
