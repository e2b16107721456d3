/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Runs a kernel of the application on the frames of a pipeline: on the device, the kernel counts
 * the bright pixels of each frame. The count is attached to the frame, and read and printed
 * further downstream.
 *
 *   own-kernel [THRESHOLD]      0 to 255, default 128 */
#include <gst/mgpu/mgpu.h>

#include "need-mgpu.h"

static const gchar source[] =
    "kernel void zero (global int *count)\n"
    "{\n"
    "  *count = 0;\n"
    "}\n"
    "kernel void count (global const uchar *frame, uint offset, int stride, int width, int height,\n"
    "    int threshold, global int *count)\n"
    "{\n"
    "  int x = get_global_id (0), y = get_global_id (1);\n"
    "\n"
    "  if (x < width && y < height && frame[offset + y * stride + x] > threshold)\n"
    "    atomic_inc (count);\n" "}\n";

/* State of the pad probes, which use it only in the streaming thread */
typedef struct
{
  GstMgpuProgram *program;
  cl_kernel zero, count;
  gint threshold;
  guint n_frames;
  gboolean has_failed;
} Counter;

/* Builds the kernels. The library caches the binaries for the next start of the program. */
static gboolean
counter_build (Counter * self, GstMgpuContext * context, GError ** error)
{
  self->program = gst_mgpu_program_new (context, "own-kernel", source, NULL,
      error);
  if (self->program == NULL)
    return FALSE;
  self->zero = gst_mgpu_program_create_kernel (self->program, "zero", error);
  if (self->zero != NULL)
    self->count = gst_mgpu_program_create_kernel (self->program, "count",
        error);
  return self->count != NULL;
}

static void
counter_clear (Counter * self)
{
  if (self->zero != NULL)
    clReleaseKernel (self->zero);
  if (self->count != NULL)
    clReleaseKernel (self->count);
  g_clear_object (&self->program);
}

/* Enqueues the kernels for the first plane of a frame. Does not wait for the device. Returns:
 * (transfer full): the memory that gets the count; NULL with @error set */
static GstMemory *
enqueue (Counter * self, GstBuffer * frame, const GstVideoMeta * video,
    GError ** error)
{
  GstMgpuMemory *memory = (GstMgpuMemory *) gst_buffer_peek_memory (frame, 0);
  GstMgpuQueue *queue = gst_mgpu_memory_get_queue (memory);
  GstMemory *result = gst_mgpu_memory_new (queue, sizeof (gint32), NULL, error);
  const gsize one = 1, size[2] = { video->width, video->height };
  GstMgpuJob job;

  if (result != NULL) {
    gst_mgpu_job_begin (&job, queue, NULL);
    gst_mgpu_job_set_args (&job, self->zero, "m",
        gst_mgpu_job_write (&job, (GstMgpuMemory *) result));
    gst_mgpu_job_launch (&job, self->zero, 1, &one, NULL);
    gst_mgpu_job_set_args (&job, self->count, "muiiiim",
        gst_mgpu_job_read (&job, memory), (guint) video->offset[0],
        video->stride[0], (gint) video->width, (gint) video->height,
        self->threshold, gst_mgpu_job_write (&job, (GstMgpuMemory *) result));
    gst_mgpu_job_launch (&job, self->count, 2, size, NULL);
    if (!gst_mgpu_job_end (&job, error))
      g_clear_pointer (&result, gst_memory_unref);
  }
  gst_object_unref (queue);
  return result;
}

/* Attaches the count, in a probe where frames are on the device. */
static GstPadProbeReturn
count_frame (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Counter *self = data;
  GstBuffer *frame =
      gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  GstVideoMeta *video = gst_buffer_get_video_meta (frame);
  GError *error = NULL;
  GstMemory *result;
  GstBuffer *numbers;

  GST_PAD_PROBE_INFO_DATA (info) = frame;
  if (video == NULL || !gst_is_mgpu_memory (gst_buffer_peek_memory (frame, 0))) {
    g_printerr ("this frame is not on the device\n");
    self->has_failed = TRUE;
    return GST_PAD_PROBE_OK;
  }
  result = enqueue (self, frame, video, &error);
  if (result == NULL) {
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    self->has_failed = TRUE;
    return GST_PAD_PROBE_OK;
  }
  numbers = gst_buffer_new ();
  gst_buffer_append_memory (numbers, result);
  gst_buffer_add_mgpu_numbers_meta (frame, "bright", GST_MGPU_NUMBERS_TYPE_INT,
      1, numbers, 0);
  return GST_PAD_PROBE_OK;
}

/* Reads the count, in a probe further downstream, and waits for the device if necessary. */
static GstPadProbeReturn
print_frame (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  Counter *self = data;
  GstMgpuNumbersMeta *meta =
      gst_buffer_get_mgpu_numbers_meta (GST_PAD_PROBE_INFO_BUFFER (info));
  gdouble *bright = NULL;
  guint n;

  if (meta != NULL)
    bright = gst_mgpu_numbers_meta_get_values (meta,
        gst_mgpu_numbers_meta_find (meta, "bright"), &n);
  if (bright != NULL)
    gst_println ("frame %u: %.0f bright pixels", self->n_frames++, bright[0]);
  else
    self->has_failed = TRUE;
  g_free (bright);
  return GST_PAD_PROBE_OK;
}

static void
add_probe (GstElement * pipeline, const gchar * element, const gchar * pad,
    GstPadProbeCallback probe, Counter * counter)
{
  GstElement *found = gst_bin_get_by_name (GST_BIN (pipeline), element);
  GstPad *at = gst_element_get_static_pad (found, pad);

  gst_pad_add_probe (at, GST_PAD_PROBE_TYPE_BUFFER, probe, counter, NULL);
  gst_object_unref (at);
  gst_object_unref (found);
}

/* Plays the pipeline to the end. Returns: TRUE if there was no error */
static gboolean
play (GstElement * pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  gboolean ok;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  ok = GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
  if (!ok) {
    GError *error;

    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s: %s\n", GST_MESSAGE_SRC_NAME (message), error->message);
    g_error_free (error);
  }
  gst_message_unref (message);
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return ok;
}

int
main (int argc, char **argv)
{
  Counter counter = { NULL,.threshold = 128 };
  guint64 threshold;
  GstMgpuContext *device;
  GstContext *context;
  GstElement *pipeline;
  GError *error = NULL;
  gboolean ok;

  gst_init (&argc, &argv);
  if (!has_mgpu ())
    return 1;
  if (argc > 1) {
    if (!g_ascii_string_to_unsigned (argv[1], 10, 0, 255, &threshold, NULL)) {
      g_printerr ("%s is not a threshold: 0 to 255\n", argv[1]);
      return 1;
    }
    counter.threshold = threshold;
  }
  /* The kernels of this program and the elements of the pipeline share one OpenCL context. */
  device = gst_mgpu_context_new (NULL, &error);
  if (device == NULL || !counter_build (&counter, device, &error)) {
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    counter_clear (&counter);
    gst_clear_object (&device);
    return 1;
  }
  pipeline = gst_parse_launch ("videotestsrc num-buffers=10 pattern=ball ! "
      "video/x-raw,format=I420,width=320,height=240 ! mgpublur name=blur sigma=4 ! "
      "queue ! fakesink name=sink", &error);
  g_assert (pipeline != NULL);
  context = gst_context_new_mgpu_context (device);
  gst_element_set_context (pipeline, context);
  gst_context_unref (context);
  add_probe (pipeline, "blur", "src", count_frame, &counter);
  add_probe (pipeline, "sink", "sink", print_frame, &counter);
  ok = play (pipeline) && !counter.has_failed && counter.n_frames > 0;
  gst_object_unref (pipeline);
  counter_clear (&counter);
  gst_object_unref (device);
  return ok ? 0 : 1;
}
