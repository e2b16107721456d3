/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpupools.h"

G_BEGIN_DECLS

/* The second input of a filter: a request sink pad with a chain function of
 * its own, which keeps frames for the filter's streaming thread. That thread
 * takes the newest frame that is not later than its own, or the next one where one
 * of the two streams has no times; it waits for it, at most GST_MGPU_GUIDE_WAIT. docs/architecture.md says what else may happen. */
typedef struct _GstMgpuGuide GstMgpuGuide;

/* How long a frame waits for its guide, in microseconds. */
#define GST_MGPU_GUIDE_WAIT (5 * G_USEC_PER_SEC)

/* Makes the pad and adds it to the element of user. */
GstMgpuGuide * gst_mgpu_guide_new           (GstMgpuDeviceUser * user, GstPadTemplate * templ,
                                             const gchar * name);

GstMgpuGuide * gst_mgpu_guide_ref           (GstMgpuGuide * guide);
void           gst_mgpu_guide_unref         (GstMgpuGuide * guide);

/* Removes the pad from its element; waits end without a frame. */
void           gst_mgpu_guide_remove        (GstMgpuGuide * guide);

GstPad *       gst_mgpu_guide_get_pad       (GstMgpuGuide * guide);

/* The filter's own input is flushed: breaks its wait, and guides wait. */
void           gst_mgpu_guide_set_flushing  (GstMgpuGuide * guide, gboolean flushing);

/* Breaks all waits, or lets them be again. */
void           gst_mgpu_guide_set_stopping  (GstMgpuGuide * guide, gboolean stopping);

/* The filter got all its frames: no more are kept. */
void           gst_mgpu_guide_set_done      (GstMgpuGuide * guide, gboolean done);

/* Seeks where the filter is seeked: before its own input was, and after; seeked:
 * whether it was. */
void           gst_mgpu_guide_begin_seek    (GstMgpuGuide * guide, GstEvent * event);
void           gst_mgpu_guide_end_seek      (GstMgpuGuide * guide, GstEvent * event,
                                             gboolean seeked);

/* Forgets frames, segment and caps. */
void           gst_mgpu_guide_reset         (GstMgpuGuide * guide);

/* Takes the frame for running time time, which may be none; buffer: (out) (transfer full), NULL when
 * the pad was removed; info: (out): what it is like. FLUSHING when the wait was
 * broken, EOS when nothing came. */
GstFlowReturn  gst_mgpu_guide_take          (GstMgpuGuide * guide, GstClockTime time,
                                             GstBuffer ** buffer, GstVideoInfo * info);

/* Drops frames that no time from time on takes. */
void           gst_mgpu_guide_skip          (GstMgpuGuide * guide, GstClockTime time);

/* Makes of an answered LATENCY query of the filter, whose own latency is latency, one
 * of both inputs. */
void           gst_mgpu_guide_add_latency   (GstMgpuGuide * guide, GstQuery * query,
                                             GstClockTime latency);

G_END_DECLS
