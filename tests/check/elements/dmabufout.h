/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Helps tests of frames that are pushed in dma-bufs: devices, and the pool of a downstream element
 * that accepts dma-bufs. */
#ifndef DMABUFOUT_H
#define DMABUFOUT_H

#include "dmabuf.h"

#include <gst/allocators/gstdmabuf.h>

/* Odd size, so that rows of the kernels end within words. */
#define WIDTH 51
#define HEIGHT 37
#define NV12 HOST_CAPS ("NV12", 51, 37)
#define SHARPEN "mgpusharpen name=g ! mgpudownload name=f"

static const Device devices[] = {
  {LAYER_ROUTE_MAP, TRUE},
  {LAYER_ROUTE_KHR, FALSE},
  {LAYER_ROUTE_KHR, TRUE},
  {LAYER_ROUTE_ARM, FALSE},
  {LAYER_ROUTE_ARM, TRUE},
};

static inline void
set_device (guint i)
{
  layer_set_device (devices[i].route, devices[i].unified);
}

/* --- The downstream element and its pool --- */

typedef enum
{
  FRAMES_IN_FILES,
  FRAMES_IN_SYSTEM,             /* in memory of GStreamer */
  FRAMES_IN_TWO_FILES,          /* each frame in two files, one for each half */
  FRAMES_BARE,                  /* without GstVideoMeta */
  FRAMES_UPSIDE_DOWN,           /* with negative strides */
  FRAMES_IN_SHARED_MEMORY,      /* frames in files that are not dma-bufs */
  FRAMES_CHANGING               /* each frame with a different layout than the frame before */
} Frames;

typedef struct
{
  GstBufferPool parent;
  Frames frames;
  GstVideoInfo info;
  Layout layout;
  guint n;                      /* buffers made */
  guint max;                    /* maximum number of buffers that exist at a time; 0: no limit */
} TestPool;

typedef struct
{
  GstBufferPoolClass parent_class;
} TestPoolClass;

GType test_pool_get_type (void);

G_DEFINE_TYPE (TestPool, test_pool, GST_TYPE_BUFFER_POOL);

static const gchar **
test_pool_get_options (GstBufferPool * pool)
{
  static const gchar *options[] = { GST_BUFFER_POOL_OPTION_VIDEO_META, NULL };

  return options;
}

static GstMemory *
file_memory_new (Frames frames, gsize size)
{
  gboolean is_dmabuf = frames != FRAMES_IN_SHARED_MEMORY;
  g_autoptr (GstAllocator) allocator = is_dmabuf ? gst_dmabuf_allocator_new ()
      : gst_fd_allocator_new ();
  GstMemory *memory = is_dmabuf ? gst_dmabuf_allocator_alloc (allocator,
      new_file (size), size) : gst_fd_allocator_alloc (allocator,
      new_file (size), size, GST_FD_MEMORY_FLAG_NONE);

  return memory;
}

static GstFlowReturn
test_pool_alloc (GstBufferPool * pool, GstBuffer ** buffer,
    GstBufferPoolAcquireParams * params)
{
  TestPool *self = (TestPool *) pool;
  const GstVideoInfo *info = &self->info;
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 0 };
  gsize size = layout_planes (info, self->frames == FRAMES_CHANGING
      && self->n % 2 == 1 ? LAYOUT_ODD : self->layout, offset, stride);

  self->n++;
  *buffer = gst_buffer_new ();
  if (self->frames == FRAMES_IN_SYSTEM) {
    gst_buffer_append_memory (*buffer, memory_new (size, 0));
  } else if (self->frames == FRAMES_IN_TWO_FILES) {
    gst_buffer_append_memory (*buffer, file_memory_new (self->frames, offset[1]));
    gst_buffer_append_memory (*buffer, file_memory_new (self->frames, size - offset[1]));
  } else {
    gst_buffer_append_memory (*buffer, file_memory_new (self->frames, size));
  }
  for (guint i = 0; self->frames == FRAMES_UPSIDE_DOWN && i < 2; i++) {
    offset[i] += stride[i] * ((i == 0 ? HEIGHT : (HEIGHT + 1) / 2) - 1);
    stride[i] = -stride[i];
  }
  if (self->frames != FRAMES_BARE)
    gst_buffer_add_video_meta_full (*buffer, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_INFO_FORMAT (info), WIDTH, HEIGHT,
        GST_VIDEO_INFO_N_PLANES (info), offset, stride);
  return GST_FLOW_OK;
}

static gboolean
test_pool_set_config (GstBufferPool * pool, GstStructure * config)
{
  TestPool *self = (TestPool *) pool;
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 0 };
  GstCaps *caps;

  gst_buffer_pool_config_get_params (config, &caps, NULL, NULL, NULL);
  gst_buffer_pool_config_set_params (config, caps, layout_planes (&self->info,
          self->frames == FRAMES_CHANGING ? LAYOUT_ODD : self->layout, offset,
          stride), 0, self->max);
  return GST_BUFFER_POOL_CLASS (test_pool_parent_class)->set_config (pool,
      config);
}

static void
test_pool_class_init (TestPoolClass * klass)
{
  GST_BUFFER_POOL_CLASS (klass)->get_options = test_pool_get_options;
  GST_BUFFER_POOL_CLASS (klass)->set_config = test_pool_set_config;
  GST_BUFFER_POOL_CLASS (klass)->alloc_buffer = test_pool_alloc;
}

static void
test_pool_init (TestPool * self)
{
}

static inline GstBufferPool *
test_pool_new (Frames frames, GstVideoFormat format, Layout layout)
{
  TestPool *self = g_object_new (test_pool_get_type (), NULL);

  gst_object_ref_sink (self);
  self->frames = frames;
  self->layout = layout;
  gst_video_info_set_format (&self->info, format, WIDTH, HEIGHT);
  return GST_BUFFER_POOL_CAST (self);
}

/* Answers the ALLOCATION query of the element in the harness with the pool @data. */
static GstPadProbeReturn
offer_pool (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  gst_query_add_allocation_pool (query, data, 1, 0, 0);
  return GST_PAD_PROBE_HANDLED;
}

/* Returns a harness of @launch, with frames of the format of @info. The downstream element offers
 * @pool, or no pool if it is NULL. */
static inline GstHarness *
harness_before (const gchar * launch, const GstVideoInfo * info,
    GstBufferPool * pool, const gchar * out_caps)
{
  GstHarness *h = gst_harness_new_parse (launch);

  if (pool != NULL)
    gst_pad_add_probe (h->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
        offer_pool, gst_object_ref (pool), gst_object_unref);
  else
    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_sink_caps_str (h, out_caps);
  gst_harness_set_src_caps (h, caps_new (GST_VIDEO_INFO_FORMAT (info), WIDTH,
          HEIGHT, FALSE));
  return h;
}

#endif
