/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Opens the device for the tests of a test case; for tcase_add_checked_fixture (tc, setup,
 * teardown). */
#pragma once

#include <gst/mgpu/mgpu.h>

#include "../suite.h"

static GstMgpuContext *context;
static GstMgpuQueue *queue;

static void
setup (void)
{
  GError *error = NULL;

  context = gst_mgpu_context_new (NULL, &error);
  fail_unless (context != NULL, "%s", error ? error->message : "");
  queue = gst_mgpu_queue_new (context, NULL);
}

/* Checks that nothing holds a reference to the context any more. */
static void
teardown (void)
{
  gst_object_unref (queue);
  ASSERT_OBJECT_REFCOUNT (context, "context", 1);
  gst_object_unref (context);
}

/* Returns: a buffer with device memory of the context of @on that holds the @size bytes at @data */
static inline GstBuffer *
device_buffer_new (GstMgpuQueue * on, gconstpointer data, gsize size)
{
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_append_memory (buffer, gst_mgpu_memory_new (on, size, NULL, NULL));
  gst_buffer_fill (buffer, 0, data, size);
  return buffer;
}
