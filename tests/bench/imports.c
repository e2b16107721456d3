/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures the cost of importing a frame, the first time and later, and of releasing it.
 * bench-imports uses CUDA memory; bench-imports-layer uses files of memfd_create(), which PoCL
 * imports through the functions of layer.h. */
#define _GNU_SOURCE
#include <gst/mgpu/mgpu.h>

#include <gst/allocators/gstdmabuf.h>
#include <gst/video/video.h>

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef LAYER
#include "../check/layer.h"
#elif defined (HAVE_CUDA)
#include <gst/cuda/gstcuda.h>
#endif

#define N_FRAMES 41
#define N_ROUNDS 20

typedef struct
{
  gdouble import, back;         /* microseconds */
} Times;

static void
check (gboolean ok, const gchar * what)
{
  if (ok)
    return;
  g_printerr ("%s\n", what);
  exit (1);
}

#if defined (LAYER) || defined (HAVE_CUDA)
/* Writes bytes that differ from each other. */
static void
fill (GstBuffer * frame, guint seed)
{
  GstMapInfo map;

  check (gst_buffer_map (frame, &map, GST_MAP_WRITE), "no map");
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = i * 37 + seed;
  gst_buffer_unmap (frame, &map);
}
#endif

#ifdef LAYER
static GstBuffer *
frame_new (const GstVideoInfo * info)
{
  static GstAllocator *allocator;
  gint fd = memfd_create ("frame", MFD_CLOEXEC);
  GstBuffer *frame = gst_buffer_new ();

  if (allocator == NULL)
    allocator = gst_dmabuf_allocator_new ();
  check (fd >= 0 && ftruncate (fd, info->size) == 0, "no file");
  gst_buffer_append_memory (frame, gst_dmabuf_allocator_alloc (allocator, fd,
          info->size));
  return frame;
}
#elif defined (HAVE_CUDA)
static GstBuffer *
frame_new (const GstVideoInfo * info)
{
  static GstBufferPool *pool;
  GstBuffer *frame = NULL;

  if (pool == NULL) {
    g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);
    GstCudaContext *context;
    GstStructure *config;

    check (gst_cuda_load_library (), "no CUDA");
    context = gst_cuda_context_new (0);
    check (context != NULL, "no CUDA GPU");
    pool = gst_cuda_buffer_pool_new (context);
    config = gst_buffer_pool_get_config (pool);
    gst_buffer_pool_config_set_params (config, caps, info->size, 0, 0);
    gst_buffer_pool_config_set_cuda_alloc_method (config,
        GST_CUDA_MEMORY_ALLOC_MMAP);
    check (gst_buffer_pool_set_config (pool, config)
        && gst_buffer_pool_set_active (pool, TRUE), "no pool");
  }
  check (gst_buffer_pool_acquire_buffer (pool, &frame, NULL) == GST_FLOW_OK,
      "no frame");
  return frame;
}
#else
static GstBuffer *
frame_new (const GstVideoInfo * info)
{
  check (FALSE, "built without CUDA");
  return NULL;
}

static void
fill (GstBuffer * frame, guint seed)
{
}
#endif

static Times
import (GstMgpuQueue * queue, GstBuffer * frame)
{
  gint64 start = g_get_monotonic_time (), middle;
  GError *error = NULL;
  g_autoptr (GstMemory) memory = gst_mgpu_memory_new_imported (queue,
      gst_buffer_peek_memory (frame, 0), NULL, NULL, &error);

  check (memory != NULL, error != NULL ? error->message : "");
  middle = g_get_monotonic_time ();
  return (Times) { middle - start, g_get_monotonic_time () - middle};
}

static int
compare (const void *a, const void *b)
{
  gdouble x = *(const gdouble *) a, y = *(const gdouble *) b;

  return (x > y) - (x < y);
}

/* Imports all frames @rounds times, and prints the medians of the times. */
static void
measure (GstMgpuQueue * queue, GstBuffer ** frames, guint rounds,
    const gchar * what)
{
  guint n = 0, size = N_FRAMES * rounds;
  g_autofree gdouble *imports = g_new (gdouble, size), *backs = g_new (gdouble, size);

  /* The very first import also includes a comparison with the bytes that the host reads. */
  for (guint i = 0; i < rounds; i++)
    for (guint j = 1; j < N_FRAMES; j++, n++) {
      Times times = import (queue, frames[j]);

      imports[n] = times.import;
      backs[n] = times.back;
    }
  qsort (imports, n, sizeof (gdouble), compare);
  qsort (backs, n, sizeof (gdouble), compare);
  g_print ("%s: %.0f us, given back in %.0f us (medians of %u)\n", what,
      imports[n / 2], backs[n / 2], n);
}

int
main (int argc, char **argv)
{
  GstBuffer *frames[N_FRAMES];
  g_autoptr (GstMgpuContext) context = NULL;
  g_autoptr (GstMgpuQueue) queue = NULL;
  GstVideoInfo info;

  gst_init (&argc, &argv);
#ifdef LAYER
  layer_set_device (LAYER_ROUTE_KHR, FALSE);
#endif
  context = gst_mgpu_context_new (NULL, NULL);
  check (context != NULL, "no device");
  queue = gst_mgpu_queue_new (context, NULL);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 1920, 1080);
  for (guint i = 0; i < N_FRAMES; i++) {
    frames[i] = frame_new (&info);
    fill (frames[i], i);
  }
  import (queue, frames[0]);
  g_print ("%s, NV12 1920x1080\n",
      gst_mgpu_context_get_device_name (context));
  measure (queue, frames, 1, "first import of a frame");
  measure (queue, frames, N_ROUNDS, "later imports");
  for (guint i = 0; i < N_FRAMES; i++)
    gst_buffer_unref (frames[i]);
  return 0;
}
