/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Opens and closes the device of an element, posts its errors, and implements the
 * properties that all elements share. */
#include "gstmgpudevicebase.h"

/* Default of the property "max-in-flight": one frame that is uploaded, one that is processed, and
 * one that is downloaded */
#define DEFAULT_MAX_IN_FLIGHT 3

/* Codes of PROGRESS messages */
#define PROGRESS_BUILD "mgpu-build"
#define PROGRESS_FIRST_FRAME "mgpu-first-frame"

/* Returns: (transfer full) (nullable): the OpenCL context of @self. Any thread may call
 * this function, even while another thread changes the context */
static GstMgpuContext *
get_context (GstMgpuDeviceBase * self)
{
  GstMgpuContext *context;

  GST_OBJECT_LOCK (self->element);
  context = self->context != NULL ? gst_object_ref (self->context) : NULL;
  GST_OBJECT_UNLOCK (self->element);
  return context;
}

/* --- Posting errors --- */

gchar *
gst_mgpu_error_make_text (GstElement * element, const GError * error)
{
  g_autofree gchar *text = g_strdup_printf ("%s: %s", GST_OBJECT_NAME (element),
      error->message);

  return g_utf8_make_valid (text, -1);
}

/* Returns: TRUE if @error means that the device is lost, and an earlier error message has already
 * reported this */
static gboolean
is_lost_already (GstMgpuDeviceBase * self, const GError * error)
{
  return g_error_matches (error, GST_MGPU_ERROR, GST_MGPU_ERROR_NO_DEVICE)
      && !g_atomic_int_compare_and_exchange (&self->is_lost, FALSE, TRUE);
}

GstFlowReturn
gst_mgpu_device_base_fail (GstMgpuDeviceBase * self, GError * error)
{
  GQuark domain = GST_RESOURCE_ERROR;
  gint code = GST_RESOURCE_ERROR_FAILED;
  GstMgpuContext *context;
  gchar *text, *debug = NULL;

  if (error == NULL) {
    GST_MGPU_DEBUG_OBJECT (self->element, "dropping a frame, because of a "
        "flush");
    return GST_FLOW_FLUSHING;
  }
  if (is_lost_already (self, error)) {
    GST_MGPU_DEBUG_OBJECT (self->element, "the device is still lost: %s",
        error->message);
    g_error_free (error);
    return GST_FLOW_ERROR;
  }
  if (error->domain == GST_RESOURCE_ERROR) {
    code = error->code;
  } else if (g_error_matches (error, GST_MGPU_ERROR, GST_MGPU_ERROR_NO_DEVICE)) {
    code = GST_RESOURCE_ERROR_NOT_FOUND;
  } else if (g_error_matches (error, GST_MGPU_ERROR,
          GST_MGPU_ERROR_OUT_OF_MEMORY)) {
    code = GST_RESOURCE_ERROR_NO_SPACE_LEFT;
  } else if (g_error_matches (error, GST_MGPU_ERROR, GST_MGPU_ERROR_BUILD)) {
    domain = GST_LIBRARY_ERROR;
    code = GST_LIBRARY_ERROR_INIT;
  } else if (g_error_matches (error, GST_MGPU_ERROR,
          GST_MGPU_ERROR_UNSUPPORTED)) {
    domain = GST_STREAM_ERROR;
    code = GST_STREAM_ERROR_FORMAT;
  }

  text = gst_mgpu_error_make_text (self->element, error);
  context = get_context (self);
  if (context != NULL)
    debug = g_strdup_printf ("device: %s, %s",
        gst_mgpu_context_get_platform_name (context),
        gst_mgpu_context_get_device_name (context));
  gst_clear_object (&context);
  gst_element_message_full (self->element, GST_MESSAGE_ERROR, domain,
      code, text, debug, __FILE__, GST_FUNCTION, __LINE__);
  g_error_free (error);
  return GST_FLOW_ERROR;
}

gboolean
gst_mgpu_set_lost (GstMgpuContext * context, GError ** error)
{
  GError *reason = NULL;
  GstMgpuQueue *queue = gst_mgpu_queue_new (context, &reason);
  GstMemory *memory = queue != NULL
      ? gst_mgpu_memory_new (queue, 64, NULL, &reason) : NULL;

  if (memory != NULL)
    gst_memory_unref (memory);
  gst_clear_object (&queue);
  if (g_error_matches (reason, GST_MGPU_ERROR, GST_MGPU_ERROR_NO_DEVICE)) {
    g_propagate_error (error, reason);
    return TRUE;
  }
  g_clear_error (&reason);
  return FALSE;
}

void
gst_mgpu_device_base_set_no_memory (GstMgpuDeviceBase * self, gsize size,
    GError ** error)
{
  if (gst_mgpu_set_lost (self->context, error))
    return;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
      "%s has no memory left for a frame of %" G_GSIZE_FORMAT " bytes: close "
      "other programs that use it, or use smaller frames",
      gst_mgpu_context_get_device_name (self->context), size);
}

/* --- Opening and closing the device --- */

void
gst_mgpu_clear_pool (GstBufferPool ** pool)
{
  if (*pool != NULL)
    gst_buffer_pool_set_active (*pool, FALSE);
  gst_clear_object (pool);
}

/* Returns: (transfer full): a copy of the value of the property "device". It is made
 * under the object lock, because any thread may set the property at any time */
static gchar *
dup_device (GstMgpuDeviceBase * self)
{
  gchar *device;

  GST_OBJECT_LOCK (self->element);
  device = g_strdup (self->device);
  GST_OBJECT_UNLOCK (self->element);
  return device;
}

/* Forgets the OpenCL context of @self if its device does not match the device string
 * @device. */
static void
drop_other_device (GstMgpuDeviceBase * self, const gchar * device)
{
  GstMgpuContext *context = get_context (self), *other = NULL;

  if (context != NULL && !gst_mgpu_context_matches (context, device)) {
    GST_OBJECT_LOCK (self->element);
    if (self->context == context)
      other = g_steal_pointer (&self->context);
    GST_OBJECT_UNLOCK (self->element);
    GST_MGPU_INFO_OBJECT (self->element,
        "dropping the OpenCL context, because it does not match \"%s\", the value of "
        "the property \"device\": %" GST_PTR_FORMAT, device, context);
  }
  g_clear_pointer (&other, gst_object_unref);
  g_clear_pointer (&context, gst_object_unref);
}

/* Stores, for each thread, the GstMgpuDeviceBase for which the thread builds kernels or enqueues a
 * frame; NULL at other times */
static GPrivate current_user = G_PRIVATE_INIT (NULL);

/* Posts a PROGRESS message. Its text begins with the name of the element, because
 * gst-launch-1.0 prints the text alone. */
static void
post_progress (GstMgpuDeviceBase * self, GstProgressType type,
    const gchar * code, const gchar * what)
{
  gchar *text =
      g_strdup_printf ("%s: %s", GST_OBJECT_NAME (self->element), what);

  GST_MGPU_INFO_OBJECT (self->element, "%s: %s", code, what);
  gst_element_post_message (self->element,
      gst_message_new_progress (GST_OBJECT (self->element), type, code, text));
  g_free (text);
}

/* Posts the PROGRESS message that a build of kernels is complete or has failed. Posts nothing
 * unless a message announced the start of this build. */
static void
end_progress_of_build (GstMgpuDeviceBase * self, gboolean ok)
{
  if (self->is_building)
    post_progress (self, ok ? GST_PROGRESS_TYPE_COMPLETE
        : GST_PROGRESS_TYPE_ERROR, PROGRESS_BUILD, ok ? "kernels built"
        : "kernels did not build");
  self->is_building = FALSE;
}

/* Posts a message that a frame is the first one that launches @kernel, the variant @number of the
 * kernel function of this name. An element whose later frames need more kernels than the first one,
 * for example to compare frames, posts such messages for several frames. */
static void
tell_launch (gpointer user, const gchar * kernel, guint number)
{
  GstMgpuDeviceBase *self = user;
  g_autofree gchar *variant =
      number > 1 ? g_strdup_printf (", variant %u", number) : g_strdup ("");
  gchar *text =
      g_strdup_printf ("first launch of the kernel %s%s; the driver may "
      "compile it now",
      kernel, variant);

  post_progress (self, self->is_first_frame ? GST_PROGRESS_TYPE_CONTINUE
      : GST_PROGRESS_TYPE_START, PROGRESS_FIRST_FRAME, text);
  self->is_cold = self->is_first_frame = TRUE;
  g_free (text);
}

/* Posts a message with the number of programs that are built for @self, unless the same
 * number was posted before. */
static void
count_programs (GstMgpuDeviceBase * self, guint built, guint total)
{
  gchar *text;

  if (self->is_building && built == self->n_built)
    return;
  text =
      g_strdup_printf ("%u of %u kernel programs built for %s; they are kept "
      "for later runs", built, total,
      gst_mgpu_context_get_device_name (self->context));
  self->is_cold = TRUE;
  if (self->launches.kernels == NULL)
    self->launches.kernels = g_hash_table_new (NULL, NULL);
  mgpu_watch_launches (&self->launches);
  self->n_built = built;
  post_progress (self, self->is_building ? GST_PROGRESS_TYPE_CONTINUE
      : GST_PROGRESS_TYPE_START, PROGRESS_BUILD, text);
  self->is_building = TRUE;
  g_free (text);
}

/* Posts messages before and after a program is built. Several elements may share
 * @context: the element that needs the program posts the messages; if that element is
 * unknown, an arbitrary one posts them. */
static gboolean
post_building (GstMgpuContext * context, const gchar * program, guint built,
    guint total, GstElement * element)
{
  GstMgpuDeviceBase *self = g_private_get (&current_user);

  if (self != NULL && self->element != element)
    return FALSE;
  gst_element_post_message (element,
      gst_message_new_element (GST_OBJECT (element),
          gst_structure_new ("mgpu-building", "program", G_TYPE_STRING, program,
              "built", G_TYPE_UINT, built, "total", G_TYPE_UINT, total,
              "device", G_TYPE_STRING,
              gst_mgpu_context_get_device_name (context), NULL)));
  if (self != NULL)
    count_programs (self, built, total);
  return TRUE;
}

void
gst_mgpu_device_base_begin_build (GstMgpuDeviceBase * self)
{
  GST_MGPU_DEBUG_OBJECT (self->element, "building or loading kernels");
  g_private_set (&current_user, self);
  mgpu_watch_launches (NULL);
  g_clear_pointer (&self->launches.kernels, g_hash_table_unref);
  mgpu_build_begin ();
}

gboolean
gst_mgpu_device_base_end_build (GstMgpuDeviceBase * self, gboolean ok,
    GError ** error)
{
  ok = mgpu_build_end (ok, error);
  GST_MGPU_DEBUG_OBJECT (self->element, ok ? "the kernels are ready"
      : "the kernels cannot be used");
  g_private_set (&current_user, NULL);
  mgpu_watch_launches (NULL);
  end_progress_of_build (self, ok);
  return ok;
}

static void
watch_building (GstMgpuDeviceBase * self)
{
  g_signal_connect_object (self->context, "building",
      G_CALLBACK (post_building), self->element, 0);
}

static void
unwatch_building (GstMgpuDeviceBase * self, GstMgpuContext * context)
{
  g_signal_handlers_disconnect_by_func (context, post_building, self->element);
}

gboolean
gst_mgpu_device_base_start (GstMgpuDeviceBase * self)
{
  GstElement *element = self->element;
  gchar *device = dup_device (self);
  GstMgpuQueue *queue;
  GstContext *carrier;
  GError *error = NULL;

  gst_mgpu_stats_reset (self->stats);
  g_atomic_int_set (&self->is_lost, FALSE);

  /* Takes over the OpenCL context that the application set on the element earlier:
   * during a previous run, or before the property "device" was set. */
  carrier = gst_element_get_context (element, GST_MGPU_CONTEXT_TYPE);
  if (carrier != NULL) {
    gst_mgpu_handle_set_context (element, carrier, device, &self->context);
    gst_context_unref (carrier);
  }
  drop_other_device (self, device);

  if (!gst_mgpu_ensure_element_context (element, device, &self->context,
          &error))
    goto failed;
  /* While @started is set, set_context() does not change the OpenCL context of @self. */
  GST_OBJECT_LOCK (element);
  self->started = TRUE;
  GST_OBJECT_UNLOCK (element);
  queue = gst_mgpu_queue_new (self->context, &error);
  if (queue == NULL)
    goto failed;
  GST_OBJECT_LOCK (element);
  self->queue = queue;
  GST_OBJECT_UNLOCK (element);
  watch_building (self);
  GST_MGPU_INFO_OBJECT (self->element,
      "working on %s, in %" GST_PTR_FORMAT ", with %" GST_PTR_FORMAT
      "; \"device\" is \"%s\"",
      gst_mgpu_context_get_device_name (self->context), self->context, queue,
      device != NULL ? device : "");
  g_free (device);
  return TRUE;

failed:
  g_free (device);
  GST_OBJECT_LOCK (element);
  self->started = FALSE;
  GST_OBJECT_UNLOCK (element);
  gst_mgpu_device_base_fail (self, error);
  return FALSE;
}

static gboolean
log_kernel (GQuark name, const GValue * value, gpointer element)
{
  const GstStructure *kernel = gst_value_get_structure (value);
  guint64 launches = 0, time = 0;

  gst_structure_get (kernel, "launches", G_TYPE_UINT64, &launches,
      "device-time", G_TYPE_UINT64, &time, NULL);
  GST_MGPU_INFO_OBJECT (element, "%s: %" G_GUINT64_FORMAT " launches, %.3f ms, "
      "%.4f ms each", g_quark_to_string (name), launches, time / 1e6,
      time / 1e6 / launches);
  return TRUE;
}

/* Logs the element's statistics in one line. If the property "profile" is set, logs
 * another line for each kernel. */
static void
log_stats (GstMgpuDeviceBase * self)
{
  g_autoptr (GstStructure) stats = gst_mgpu_stats_to_structure (self->stats);
  GstStructure *kernels = NULL;

  gst_structure_get (stats, "kernels", GST_TYPE_STRUCTURE, &kernels, NULL);
  gst_structure_remove_field (stats, "kernels");
  GST_MGPU_INFO_OBJECT (self->element, "%" GST_PTR_FORMAT, stats);
  if (kernels != NULL) {
    gst_structure_foreach (kernels, log_kernel, self->element);
    gst_structure_free (kernels);
  }
}

void
gst_mgpu_device_base_stop (GstMgpuDeviceBase * self)
{
  GstMgpuContext *context;
  GstMgpuQueue *queue;

  GST_MGPU_DEBUG_OBJECT (self->element, "stopping, and waiting for the device");
  gst_mgpu_stats_wait (self->stats);
  log_stats (self);

  GST_OBJECT_LOCK (self->element);
  queue = g_steal_pointer (&self->queue);
  context = g_steal_pointer (&self->context);
  self->started = FALSE;
  GST_OBJECT_UNLOCK (self->element);
  if (queue != NULL)
    gst_object_unref (queue);
  if (context != NULL) {
    unwatch_building (self, context);
    gst_object_unref (context);
  }
}

gboolean
gst_mgpu_device_base_is_bound (GstMgpuDeviceBase * self)
{
  gboolean is_bound;

  GST_OBJECT_LOCK (self->element);
  is_bound = self->device != NULL;
  GST_OBJECT_UNLOCK (self->element);
  return is_bound;
}

GstMgpuContext *
gst_mgpu_device_base_get_foreign (GstMgpuDeviceBase * self, GstBuffer * buffer)
{
  GstMemory *memory;

  if (gst_mgpu_device_base_is_bound (self) || gst_buffer_n_memory (buffer) == 0)
    return NULL;
  memory = gst_buffer_peek_memory (buffer, 0);
  if (!gst_is_mgpu_memory (memory)
      || ((GstMgpuMemory *) memory)->context == self->context)
    return NULL;
  return ((GstMgpuMemory *) memory)->context;
}

gboolean
gst_mgpu_device_base_adopt (GstMgpuDeviceBase * self, GstMgpuContext * context,
    GError ** error)
{
  GstMgpuQueue *queue = gst_mgpu_queue_new (context, error), *old_queue;
  GstMgpuContext *old;

  if (queue == NULL)
    return FALSE;
  g_atomic_int_set (&self->is_lost, FALSE);
  GST_MGPU_INFO_OBJECT (self->element,
      "switching to the OpenCL context of the frames, on %s, and creating new "
      "kernels and buffer pools: %" GST_PTR_FORMAT " instead of %"
      GST_PTR_FORMAT, gst_mgpu_context_get_device_name (context), context,
      self->context);

  GST_OBJECT_LOCK (self->element);
  old_queue = self->queue;
  self->queue = queue;
  old = self->context;
  self->context = gst_object_ref (context);
  GST_OBJECT_UNLOCK (self->element);
  watch_building (self);
  unwatch_building (self, old);
  gst_object_unref (old_queue);
  gst_object_unref (old);
  return TRUE;
}

void
gst_mgpu_device_base_set_context (GstMgpuDeviceBase * self,
    GstContext * context)
{
  g_autofree gchar *device = dup_device (self);
  GstMgpuContext *taken = NULL;

  /* Keeps the element's OpenCL context while the element runs. Only frames that arrive
   * in another context replace it. The parent class stores the context that was set
   * here, for the next start. Another thread may start the element at this moment. */
  gst_mgpu_handle_set_context (self->element, context, device, &taken);
  if (taken != NULL) {
    GstMgpuContext *old = taken;

    GST_OBJECT_LOCK (self->element);
    if (!self->started) {
      old = self->context;
      self->context = taken;
    }
    GST_OBJECT_UNLOCK (self->element);
    if (old == taken)
      GST_MGPU_DEBUG_OBJECT (self->element, "keeping the current context until "
          "the element stops");
    g_clear_pointer (&old, gst_object_unref);
  }
}

gboolean
gst_mgpu_device_base_answer_query (GstMgpuDeviceBase * self, GstQuery * query)
{
  GstMgpuContext *context;
  gboolean answered;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CONTEXT)
    return FALSE;
  context = get_context (self);
  answered = gst_mgpu_handle_context_query (self->element, query, context);
  gst_clear_object (&context);
  return answered;
}

guint
gst_mgpu_device_base_get_max_in_flight (GstMgpuDeviceBase * self)
{
  guint n;

  GST_OBJECT_LOCK (self->element);
  n = self->max_in_flight;
  GST_OBJECT_UNLOCK (self->element);
  return n;
}

void
gst_mgpu_device_base_begin_work (GstMgpuDeviceBase * self)
{
  self->n_works++;
  g_private_set (&current_user, self);
  if (self->is_cold && !self->is_first_frame) {
    post_progress (self, GST_PROGRESS_TYPE_START, PROGRESS_FIRST_FRAME,
        "processing the first frame; the driver may still compile kernels");
    self->is_first_frame = TRUE;
  }
  if (self->launches.kernels != NULL)
    mgpu_watch_launches (&self->launches);
}

void
gst_mgpu_device_base_end_work (GstMgpuDeviceBase * self, gboolean ok)
{
  self->is_cold = FALSE;
  if (--self->n_works > 0)
    return;
  g_private_set (&current_user, NULL);
  mgpu_watch_launches (NULL);
  /* Kernels are built during a frame if a property has changed while the element is
   * PLAYING. */
  end_progress_of_build (self, ok);
  if (self->is_first_frame)
    post_progress (self, ok ? GST_PROGRESS_TYPE_COMPLETE
        : GST_PROGRESS_TYPE_ERROR, PROGRESS_FIRST_FRAME, ok
        ? "frame processed" : "the frame failed");
  self->is_first_frame = FALSE;
}

GstMgpuQueue *
gst_mgpu_device_base_begin_frame (GstMgpuDeviceBase * self,
    GstMgpuMemory * memory, gboolean waits)
{
  GstMgpuQueue *queue = gst_mgpu_memory_choose_queue (memory, self->queue);
  GstClockTime waited;

  if (queue == self->queue && waits) {
    waited = gst_mgpu_queue_begin_frame (queue,
        gst_mgpu_device_base_get_max_in_flight (self));
    gst_mgpu_stats_add (self->stats, GST_MGPU_COUNTER_WAIT_TIME, waited);
    GST_MGPU_LOG_OBJECT (self->element,
        "waited until fewer than \"max-in-flight\" frames were unfinished: %"
        G_GUINT64_FORMAT " us", waited / 1000);
  }
  GST_MGPU_TRACE_OBJECT (self->element, "working in %" GST_PTR_FORMAT, queue);
  gst_mgpu_device_base_begin_work (self);
  return queue;
}

void
gst_mgpu_device_base_end_frame (GstMgpuDeviceBase * self,
    GstMgpuQueue * queue, gboolean ok)
{
  if (self->is_cold)
    GST_MGPU_DEBUG_OBJECT (self->element, "waiting for the device, because it "
        "ran new kernels");
  if (self->is_cold)
    /* Ignores errors, because the element's next OpenCL call reports them. */
    gst_mgpu_queue_finish (queue, NULL);
  gst_mgpu_device_base_end_work (self, ok);
  gst_object_unref (queue);
}

gboolean
gst_mgpu_device_base_check_size (GstMgpuDeviceBase * self,
    const GstVideoInfo * info, GError ** error)
{
  const GstMgpuTraits *traits = gst_mgpu_context_get_traits (self->context);

  /* Refuses frames of more than INT_MAX bytes, because kernels compute byte offsets as
   * int. */
  if (!gst_mgpu_caps_rows_fit (info)
      || GST_VIDEO_INFO_SIZE (info) > MIN (traits->max_allocation_size,
          G_MAXINT)) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_OUT_OF_MEMORY,
        "a frame of %dx%d takes %" G_GSIZE_FORMAT " bytes, and %s allocates "
        "%" G_GUINT64_FORMAT " at most: scale it down before this element, or "
        "choose another device", GST_VIDEO_INFO_WIDTH (info),
        GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_SIZE (info),
        gst_mgpu_context_get_device_name (self->context),
        MIN (traits->max_allocation_size, G_MAXINT));
    return FALSE;
  }
  return TRUE;
}

/* --- Properties, which docs/elements/common.md describes --- */

void
gst_mgpu_device_base_install_properties (GObjectClass * klass, guint first)
{
  g_object_class_install_property (klass,
      first + GST_MGPU_DEVICE_PROP_DEVICE, g_param_spec_string ("device",
          "Device",
          "OpenCL device as platform:type:name-or-index; each part may be "
          "empty (unset = the device of the neighboring elements, else "
          "$GST_MGPU_DEVICE, else the best GPU, else the CPU)", NULL,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_READY));
  gst_mgpu_params_install_stats (klass, first + GST_MGPU_DEVICE_PROP_STATS);
  g_object_class_install_property (klass,
      first + GST_MGPU_DEVICE_PROP_PROFILE, g_param_spec_boolean ("profile",
          "Profile", "Whether to include the launches and the device time of "
          "each kernel in \"stats\"", FALSE,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_PLAYING));
  g_object_class_install_property (klass,
      first + GST_MGPU_DEVICE_PROP_MAX_IN_FLIGHT,
      g_param_spec_uint ("max-in-flight", "Maximum in flight",
          "Maximum number of frames in flight on the device; on a device with "
          "memory of its own, output in system memory is delayed by up to this "
          "number of frames minus 1 (1 = no delay)", 1, 64,
          DEFAULT_MAX_IN_FLIGHT,
          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
          GST_PARAM_MUTABLE_PLAYING));
}

static void
set_device (GstMgpuDeviceBase * self, const GValue * value)
{
  gchar *device = gst_mgpu_params_dup_string (value);

  GST_OBJECT_LOCK (self->element);
  g_free (self->device);
  self->device = device;
  GST_OBJECT_UNLOCK (self->element);
  GST_MGPU_DEBUG_OBJECT (self->element, "\"device\" was set, and will take "
      "effect at the next start of the element");
}

gboolean
gst_mgpu_device_base_set_property (GstMgpuDeviceBase * self, guint id,
    const GValue * value)
{
  switch (id) {
    case GST_MGPU_DEVICE_PROP_DEVICE:
      set_device (self, value);
      return TRUE;
    case GST_MGPU_DEVICE_PROP_PROFILE:
      gst_mgpu_stats_set_profile (self->stats, g_value_get_boolean (value));
      return TRUE;
    case GST_MGPU_DEVICE_PROP_MAX_IN_FLIGHT:
      GST_OBJECT_LOCK (self->element);
      self->max_in_flight = g_value_get_uint (value);
      GST_OBJECT_UNLOCK (self->element);
      return TRUE;
    default:
      return FALSE;
  }
}

gboolean
gst_mgpu_device_base_get_property (GstMgpuDeviceBase * self, guint id,
    GValue * value)
{
  switch (id) {
    case GST_MGPU_DEVICE_PROP_DEVICE:
      GST_OBJECT_LOCK (self->element);
      g_value_set_string (value, self->device);
      GST_OBJECT_UNLOCK (self->element);
      return TRUE;
    case GST_MGPU_DEVICE_PROP_STATS:
      g_value_take_boxed (value, gst_mgpu_stats_to_structure (self->stats));
      return TRUE;
    case GST_MGPU_DEVICE_PROP_PROFILE:
      g_value_set_boolean (value, gst_mgpu_stats_get_profile (self->stats));
      return TRUE;
    case GST_MGPU_DEVICE_PROP_MAX_IN_FLIGHT:
      g_value_set_uint (value, gst_mgpu_device_base_get_max_in_flight (self));
      return TRUE;
    default:
      return FALSE;
  }
}

void
gst_mgpu_device_base_init (GstMgpuDeviceBase * self, GstElement * element)
{
  self->element = element;
  self->stats = gst_mgpu_stats_new ();
  self->max_in_flight = DEFAULT_MAX_IN_FLIGHT;
  self->launches.tell = tell_launch;
  self->launches.user = self;
}

void
gst_mgpu_device_base_clear (GstMgpuDeviceBase * self)
{
  gst_mgpu_stats_unref (self->stats);
  gst_clear_object (&self->context);
  g_clear_pointer (&self->launches.kernels, g_hash_table_unref);
  g_free (self->device);
}
