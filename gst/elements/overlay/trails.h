/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <gst/vision/overlay/overlay.h>

G_BEGIN_DECLS

/* Remembers where objects with an id were in the last frames (their trails). */
typedef struct _MgpuTrails MgpuTrails;

MgpuTrails * mgpu_trails_new   (void);
void         mgpu_trails_free  (MgpuTrails * self);

/* Forgets the trails of all objects. */
void         mgpu_trails_clear (MgpuTrails * self);

/* Adds the positions of the objects of a frame to their trails: the centre of the lower
 * edge of each object's box. @objects is an array of GstMgpuDetection. Forgets positions
 * that are more than @length frames old. */
void         mgpu_trails_add   (MgpuTrails * self, const GPtrArray * objects, guint length);

/* Adds each object's trail, as a line, to the shapes that @overlay draws. */
void         mgpu_trails_draw  (const MgpuTrails * self, MgpuOverlay * overlay);

G_END_DECLS
