/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "fault.h"

#include <gst/gst.h>

/* A pipeline of the table: @source follows "videotestsrc num-buffers=2", and @elements lie between
 * it and a fakesink. FILES stands for the folder of faults_make_files(). */
typedef struct
{
  const gchar *algorithm;
  const gchar *source;
  const gchar *elements;
} FaultsPipeline;

/* All pipelines; the last row has no algorithm. */
extern const FaultsPipeline faults_table[];

gchar *faults_make_files (void);
void faults_remove_files (gchar * folder);
gchar *faults_get_launch (const FaultsPipeline * pipeline,
    const gchar * folder);

/* Returns: (transfer full): a pipeline with the element of @algorithm and its default properties,
 * for elements that are not in the table */
gchar *faults_get_default_launch (const gchar * algorithm);

/* Returns the number of elements and modes that the table lacks. */
guint faults_check_table (void);

/* Adds the samples of a frame and the data of its metas to @sum. Returns: FALSE if some of them
 * cannot be read */
gboolean faults_sum_frame (GstCaps * caps, GstBuffer * buffer, guint64 * sum);
