/* An element outside of gst-mgpu
 *
 * SPDX-License-Identifier: 0BSD
 */
/* The plugin "myswap" with the element "myswap", which exchanges the left and the right half of the
 * luma of each frame on the device. This file includes only public headers: copy it for an element
 * of your own, and replace the kernel.
 *
 * The element accepts only frames in device memory: put mgpuupload before it if the element before
 * it is not one of gst-mgpu. */
#include <gst/base/gstbasetransform.h>
#include <gst/mgpu/mgpu.h>

GST_DEBUG_CATEGORY_STATIC (my_swap_debug);
#define GST_CAT_DEFAULT my_swap_debug

#define CAPS GST_VIDEO_CAPS_MAKE_WITH_FEATURES (GST_CAPS_FEATURE_MEMORY_OPENCL, \
    "{ GRAY8, I420, NV12 }")

/* Source of the kernel. Each work-item copies one byte of the frame; padding between rows is not
 * written. */
static const gchar source[] =
    "kernel void swap (global const uchar *in, uint in_offset, int in_stride,\n"
    "    global uchar *out, uint out_offset, int out_stride, int width, int height)\n"
    "{\n"
    "  int x = get_global_id (0), y = get_global_id (1);\n"
    "\n"
    "  if (x < width && y < height)\n"
    "    out[out_offset + y * out_stride + x]\n"
    "        = in[in_offset + y * in_stride + (x + width / 2) % width];\n"
    "}\n";

typedef struct
{
  GstBaseTransform parent;

  GstMgpuContext *context;      /* guarded by the object lock */
  GstMgpuQueue *queue;          /* from start() to stop() */
  GstMgpuProgram *program;
  cl_kernel kernel;
  GstVideoInfo info;
} MySwap;

typedef struct
{
  GstBaseTransformClass parent_class;
} MySwapClass;

GType my_swap_get_type (void);
G_DEFINE_TYPE (MySwap, my_swap, GST_TYPE_BASE_TRANSFORM);

/* ---- The device ----------------------------------------------------------------- */

static gboolean
my_swap_stop (GstBaseTransform * trans)
{
  MySwap *self = (MySwap *) trans;
  GstMgpuContext *context;

  if (self->kernel != NULL)
    clReleaseKernel (self->kernel);
  self->kernel = NULL;
  g_clear_object (&self->program);
  gst_clear_object (&self->queue);
  GST_OBJECT_LOCK (self);
  context = self->context;
  self->context = NULL;
  GST_OBJECT_UNLOCK (self);
  gst_clear_object (&context);
  return TRUE;
}

/* Uses the OpenCL context of a neighbor element or of the application, or else makes a context, and
 * builds the kernel. */
static gboolean
my_swap_start (GstBaseTransform * trans)
{
  MySwap *self = (MySwap *) trans;
  GError *error = NULL;

  if (gst_mgpu_ensure_element_context (GST_ELEMENT (self), NULL,
          &self->context, &error))
    self->queue = gst_mgpu_queue_new (self->context, &error);
  if (self->queue != NULL)
    self->program = gst_mgpu_program_new (self->context, "myswap", source, NULL,
        &error);
  if (self->program != NULL)
    self->kernel = gst_mgpu_program_create_kernel (self->program, "swap",
        &error);
  if (self->kernel != NULL)
    return TRUE;
  GST_ELEMENT_ERROR (self, RESOURCE, FAILED, ("%s", error->message), (NULL));
  g_error_free (error);
  my_swap_stop (trans);
  return FALSE;
}

static void
my_swap_set_context (GstElement * element, GstContext * context)
{
  MySwap *self = (MySwap *) element;

  gst_mgpu_handle_set_context (element, context, NULL, &self->context);
  GST_ELEMENT_CLASS (my_swap_parent_class)->set_context (element, context);
}

/* Answers queries of neighbor elements for the OpenCL context of this element. */
static gboolean
my_swap_query (GstBaseTransform * trans, GstPadDirection direction,
    GstQuery * query)
{
  MySwap *self = (MySwap *) trans;
  GstMgpuContext *context;
  gboolean is_answered;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CONTEXT)
    return GST_BASE_TRANSFORM_CLASS (my_swap_parent_class)->query (trans,
        direction, query);
  GST_OBJECT_LOCK (self);
  context = self->context != NULL ? gst_object_ref (self->context) : NULL;
  GST_OBJECT_UNLOCK (self);
  is_answered = gst_mgpu_handle_context_query (GST_ELEMENT (self), query,
      context);
  gst_clear_object (&context);
  return is_answered || GST_BASE_TRANSFORM_CLASS (my_swap_parent_class)->query
      (trans, direction, query);
}

/* ---- Caps and pools ------------------------------------------------------------- */

static gboolean
my_swap_set_caps (GstBaseTransform * trans, GstCaps * in, GstCaps * out)
{
  return gst_video_info_from_caps (&((MySwap *) trans)->info, in);
}

/* Returns: (transfer full) (nullable): a pool of frames on the device */
static GstBufferPool *
new_pool (MySwap * self, GstCaps * caps, guint min, gboolean for_device)
{
  GstBufferPool *pool = gst_mgpu_buffer_pool_new (self->queue, NULL);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstVideoInfo info;

  if (caps == NULL || !gst_video_info_from_caps (&info, caps)) {
    gst_structure_free (config);
    gst_object_unref (pool);
    return NULL;
  }
  gst_buffer_pool_config_set_params (config, caps, info.size, min, 0);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  gst_buffer_pool_config_set_mgpu_for_device (config, for_device);
  if (!gst_buffer_pool_set_config (pool, config))
    gst_clear_object (&pool);
  return pool;
}

/* Offers a pool to the element upstream, so that it writes its frames to device memory. */
static gboolean
my_swap_propose_allocation (GstBaseTransform * trans, GstQuery * decided,
    GstQuery * query)
{
  MySwap *self = (MySwap *) trans;
  GstBufferPool *pool;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  pool = new_pool (self, caps, 0, FALSE);
  if (pool == NULL)
    return FALSE;
  gst_query_add_allocation_pool (query, pool, 0, 0, 0);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  gst_object_unref (pool);
  return TRUE;
}

/* Makes a pool for the output frames of this element, and uses it instead of pools offered
 * downstream. */
static gboolean
my_swap_decide_allocation (GstBaseTransform * trans, GstQuery * query)
{
  MySwap *self = (MySwap *) trans;
  GstBufferPool *pool;
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  pool = new_pool (self, caps, 2, TRUE);
  if (pool == NULL)
    return FALSE;
  while (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_remove_nth_allocation_pool (query, 0);
  gst_query_add_allocation_pool (query, pool, self->info.size, 2, 0);
  gst_object_unref (pool);
  return GST_BASE_TRANSFORM_CLASS (my_swap_parent_class)->decide_allocation
      (trans, query);
}

/* ---- A frame -------------------------------------------------------------------- */

/* A frame on the device: offsets and strides of its planes are in the GstVideoMeta if it has one */
typedef struct
{
  GstMgpuMemory *memory;
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];
} Frame;

/* Returns: FALSE if the frame is not in memory of the OpenCL context of the element */
static gboolean
find_frame (MySwap * self, GstBuffer * buffer, Frame * frame)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);

  if (gst_buffer_n_memory (buffer) != 1 || !gst_is_mgpu_memory (memory)
      || ((GstMgpuMemory *) memory)->context != self->context)
    return FALSE;
  frame->memory = (GstMgpuMemory *) memory;
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&self->info); i++) {
    frame->offset[i] = meta != NULL ? meta->offset[i]
        : GST_VIDEO_INFO_PLANE_OFFSET (&self->info, i);
    frame->stride[i] = meta != NULL ? meta->stride[i]
        : GST_VIDEO_INFO_PLANE_STRIDE (&self->info, i);
  }
  return TRUE;
}

/* Enqueues the commands that process a frame. Does not wait for the device. */
static gboolean
enqueue (MySwap * self, const Frame * in, const Frame * out, GError ** error)
{
  GstMgpuQueue *queue = gst_mgpu_memory_choose_queue (in->memory, self->queue);
  const GstVideoInfo *info = &self->info;
  const gsize size[2] = { info->width, info->height };
  GstMgpuJob job;
  gboolean ok;

  /* Lets the host be at most 4 frames ahead. */
  if (queue == self->queue)
    gst_mgpu_queue_begin_frame (queue, 4);
  gst_mgpu_job_begin (&job, queue, NULL);
  gst_mgpu_job_set_args (&job, self->kernel, "muimuiii",
      gst_mgpu_job_read (&job, in->memory), (guint) in->offset[0],
      in->stride[0], gst_mgpu_job_write (&job, out->memory),
      (guint) out->offset[0], out->stride[0], info->width, info->height);
  gst_mgpu_job_launch (&job, self->kernel, 2, size, NULL);
  for (guint i = 1; i < GST_VIDEO_INFO_N_PLANES (info); i++)
    gst_mgpu_job_copy_rect (&job, in->memory, in->offset[i], in->stride[i],
        out->memory, out->offset[i], out->stride[i],
        GST_VIDEO_INFO_COMP_WIDTH (info, i)
        * GST_VIDEO_INFO_COMP_PSTRIDE (info, i),
        GST_VIDEO_INFO_COMP_HEIGHT (info, i));
  ok = gst_mgpu_job_end (&job, error);
  gst_object_unref (queue);
  return ok;
}

static GstFlowReturn
my_swap_transform (GstBaseTransform * trans, GstBuffer * in, GstBuffer * out)
{
  MySwap *self = (MySwap *) trans;
  GError *error = NULL;
  Frame from, to;

  if (!find_frame (self, in, &from) || !find_frame (self, out, &to)) {
    GST_ELEMENT_ERROR (self, STREAM, FORMAT, ("frames have to be in memory of "
            "the OpenCL context of this element"), (NULL));
    return GST_FLOW_ERROR;
  }
  if (enqueue (self, &from, &to, &error))
    return GST_FLOW_OK;
  GST_ELEMENT_ERROR (self, RESOURCE, FAILED, ("%s", error->message), (NULL));
  g_error_free (error);
  return GST_FLOW_ERROR;
}

/* ---- The class ------------------------------------------------------------------ */

static void
my_swap_init (MySwap * self)
{
}

static void
my_swap_class_init (MySwapClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstCaps *caps = gst_caps_from_string (CAPS);

  element_class->set_context = my_swap_set_context;
  trans_class->start = my_swap_start;
  trans_class->stop = my_swap_stop;
  trans_class->query = my_swap_query;
  trans_class->set_caps = my_swap_set_caps;
  trans_class->propose_allocation = my_swap_propose_allocation;
  trans_class->decide_allocation = my_swap_decide_allocation;
  trans_class->transform = my_swap_transform;
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
  gst_caps_unref (caps);
  gst_element_class_set_static_metadata (element_class, "Swaps halves",
      "Filter/Effect/Video", "Exchanges the halves of frames, on an OpenCL "
      "device", "You");
}

static gboolean
plugin_init (GstPlugin * plugin)
{
  GST_DEBUG_CATEGORY_INIT (my_swap_debug, "myswap", 0, "myswap");
  return gst_element_register (plugin, "myswap", GST_RANK_NONE,
      my_swap_get_type ());
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, myswap,
    "An element that uses gst-mgpu", plugin_init, "0.1", "BSD", "gst-myswap",
    "https://example.org")
