/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/mgpu.h>

G_BEGIN_DECLS

/* Allocates size bytes for *memory unless that was done before. FALSE: the error is in
 * job. */
gboolean mgpu_scratch_ensure (GstMemory ** memory, GstMgpuJob * job, gsize size);

/* Makes sure of *memory, which holds what an algorithm's kernels leave for each other,
 * and lets job write it. */
cl_mem mgpu_scratch_write (GstMemory ** memory, GstMgpuJob * job, gsize size);

/* Makes *memory of words, gint or gfloat, unless that was done before, and lets job
 * read it. The words stay the same from then on. */
cl_mem mgpu_scratch_read_words (GstMemory ** memory, GstMgpuJob * job, const GArray * words);

G_END_DECLS
