/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:gstmgpucontext
 * @title: GstMgpuContext
 * @short_description: one OpenCL device and context, shared through GstContext
 *
 * Elements of one pipeline share one context automatically. An application whose
 * pipelines are to share a device makes one context and sets it on each pipeline:
 *
 * |[<!-- language="C" -->
 * GstMgpuContext *context = gst_mgpu_context_new ("::", &error);
 * GstContext *share = gst_context_new_mgpu_context (context);
 *
 * gst_element_set_context (pipeline1, share);
 * gst_element_set_context (pipeline2, share);
 * ]|
 *
 * A device string is "platform:type:name-or-index"; every part may be empty.
 * The parts platform and name match a device whose platform name or device name
 * contains them, in upper or lower case; the type is cpu, gpu or accelerator; an
 * index counts, from 0, the devices that match the other parts, best first. Examples
 * of device strings are "NVIDIA", ":cpu:" and "::1".
 */
#include "gstmgpucontext-private.h"

#include "gstmgpuerror-private.h"

GST_DEBUG_CATEGORY_STATIC (gst_mgpu_context_debug);
#define GST_CAT_DEFAULT gst_mgpu_context_debug
GST_DEBUG_CATEGORY_STATIC (GST_CAT_CONTEXT);

struct _GstMgpuContextPrivate
{
  GstMgpuDevice *device;
  cl_context context;
  cl_command_queue transfer_queue;
  GMutex programs_lock;         /* guards programs */
  GQueue programs;              /* elements are GstMgpuProgram, latest request first */
};

G_DEFINE_TYPE_WITH_CODE (GstMgpuContext, gst_mgpu_context, GST_TYPE_OBJECT,
    G_ADD_PRIVATE (GstMgpuContext)
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_context_debug, "mgpucontext", 0,
        "OpenCL device and context");
    GST_DEBUG_CATEGORY_GET (GST_CAT_CONTEXT, "GST_CONTEXT"));

/* Lets one thread at a time ask the drivers for their devices: some drivers are not
 * safe when two threads ask for the first time at once. */
static GMutex driver_lock;

/* Lets one element at a time make a context. Do not post messages or query neighbours
 * while this lock is held: the code that answers may start another element, which
 * takes the lock too. */
static GMutex creation_lock;

static void
gst_mgpu_context_init (GstMgpuContext * self)
{
  self->priv = gst_mgpu_context_get_instance_private (self);
  g_mutex_init (&self->priv->programs_lock);
  g_queue_init (&self->priv->programs);
}

static void
gst_mgpu_context_finalize (GObject * object)
{
  GstMgpuContextPrivate *priv = GST_MGPU_CONTEXT (object)->priv;

  g_queue_clear_full (&priv->programs, gst_object_unref);
  g_mutex_clear (&priv->programs_lock);
  if (priv->transfer_queue != NULL) {
    clFinish (priv->transfer_queue);
    clReleaseCommandQueue (priv->transfer_queue);
  }
  if (priv->context != NULL)
    clReleaseContext (priv->context);
  if (priv->device != NULL)
    gst_mgpu_device_free (priv->device);
  G_OBJECT_CLASS (gst_mgpu_context_parent_class)->finalize (object);
}

static void
gst_mgpu_context_class_init (GstMgpuContextClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_context_finalize;
}

/**
 * gst_mgpu_cl_check:
 * @code: the value that an OpenCL call returned
 * @call: the name of the call
 * @context: (nullable): the context that the call was made for
 * @error: return location for a #GError
 *
 * Turns the result of an OpenCL call into a #GError that names the call, the
 * code and the device.
 *
 * Returns: %TRUE when @code is CL_SUCCESS
 *
 * Since: 0.1
 */
gboolean
gst_mgpu_cl_check (gint code, const gchar * call, GstMgpuContext * context,
    GError ** error)
{
  return gst_mgpu_error_check (code, call,
      context != NULL ? context->priv->device->name : NULL, error);
}

static void CL_CALLBACK
driver_says (const char *message, const void *data, size_t size, void *user)
{
  GST_WARNING ("the OpenCL driver says: %s", message);
}

/* Makes a context for device, of which it takes ownership. Retains the OpenCL context
 * that the parameter context names, or makes a new one when it is NULL. */
static GstMgpuContext *
context_new (GstMgpuDevice * device, cl_context context, GError ** error)
{
  GstMgpuContext *self = g_object_new (GST_TYPE_MGPU_CONTEXT, NULL);
  GstMgpuContextPrivate *priv = self->priv;
  cl_int ret = CL_SUCCESS;

  gst_object_ref_sink (self);
  priv->device = device;
  if (context != NULL) {
    ret = clRetainContext (context);
    if (!gst_mgpu_cl_check (ret, "clRetainContext", self, error))
      goto failed;
    priv->context = context;
  } else {
    cl_context_properties properties[] = {
      CL_CONTEXT_PLATFORM, (cl_context_properties) device->platform, 0
    };

    priv->context = clCreateContext (properties, 1, &device->id, driver_says,
        NULL, &ret);
    if (!gst_mgpu_cl_check (ret, "clCreateContext", self, error))
      goto failed;
  }

  priv->transfer_queue =
      clCreateCommandQueue (priv->context, device->id, 0, &ret);
  if (!gst_mgpu_cl_check (ret, "clCreateCommandQueue", self, error))
    goto failed;

  GST_INFO_OBJECT (self, "%s, %s, %s, driver %s", device->platform_name,
      device->name, device->version, device->driver_version);
  return self;

failed:
  gst_object_unref (self);
  return NULL;
}

/* Returns: (transfer full): the device strings of devices, with a NULL at the end */
static gchar **
to_strings (GPtrArray * devices)
{
  gchar **strings = g_new0 (gchar *, devices->len + 1);

  for (guint i = 0; i < devices->len; i++)
    strings[i] = gst_mgpu_device_to_string (g_ptr_array_index (devices, i));
  return strings;
}

/**
 * gst_mgpu_list_devices:
 *
 * Lists the devices that can be used. Leaves out a device when its driver fails to tell
 * its properties.
 *
 * Returns: (transfer full) (array zero-terminated=1): device strings of all
 *   usable OpenCL devices, best first; empty when there is none
 *
 * Since: 0.1
 */
gchar **
gst_mgpu_list_devices (void)
{
  GPtrArray *devices = gst_mgpu_device_list (NULL);
  gchar **strings = to_strings (devices);

  g_ptr_array_unref (devices);
  return strings;
}

static void
set_no_device (GError ** error)
{
  gchar *drivers = gst_mgpu_device_drivers ();

  if (drivers == NULL)
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_NO_DEVICE,
        "no OpenCL device found: install a driver, "
        "for example the package pocl-opencl-icd");
  else
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_NO_DEVICE,
        "no OpenCL device found: the drivers %s are installed and offer none "
        "that can be used; see that this user may open the device (groups "
        "video and render) and write to the home directory, or install "
        "another driver, for example the package pocl-opencl-icd", drivers);
  g_free (drivers);
}

static void
set_no_match (const gchar * string, GPtrArray * devices, GError ** error)
{
  gchar **names = to_strings (devices);
  gchar *list = g_strjoinv ("\", \"", names);

  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_NO_DEVICE,
      "no OpenCL device matches \"%s\" (platform:type:name-or-index): set "
      "the property \"device\" or the variable GST_MGPU_DEVICE to one of "
      "\"%s\", or leave it empty", string, list);
  g_free (list);
  g_strfreev (names);
}

/* Returns: (transfer full) (nullable): the device that string names */
static GstMgpuDevice *
choose_device (const gchar * string, GError ** error)
{
  GError *failure = NULL;
  GPtrArray *devices = gst_mgpu_device_list (&failure);
  GstMgpuDevice *found = gst_mgpu_device_find (devices, string);
  guint i;

  if (found != NULL) {
    g_ptr_array_find (devices, found, &i);
    g_ptr_array_steal_index (devices, i);
  } else if (failure != NULL) {
    /* The device asked for may be the one that cannot be read. */
    g_propagate_prefixed_error (error, g_steal_pointer (&failure),
        "cannot open the OpenCL device \"%s\": ", string);
  } else if (devices->len == 0) {
    set_no_device (error);
  } else {
    set_no_match (string, devices, error);
  }
  g_clear_error (&failure);
  g_ptr_array_unref (devices);
  return found;
}

/**
 * gst_mgpu_context_new:
 * @device: (nullable): a device string, "platform:type:name-or-index"; %NULL or ""
 *   stands for the environment variable GST_MGPU_DEVICE, or if that is not set for
 *   the best GPU, or else the CPU
 * @error: return location for a #GError
 *
 * Opens a device. Fails with %GST_MGPU_ERROR_NO_DEVICE when no device is found or
 * none matches @device, and with %GST_MGPU_ERROR_FAILED when the driver fails to tell
 * the properties of a device that may be the one.
 *
 * Returns: (transfer full) (nullable): a new context
 *
 * Since: 0.1
 */
GstMgpuContext *
gst_mgpu_context_new (const gchar * device, GError ** error)
{
  GstMgpuContext *self = NULL;
  GstMgpuDevice *found;

  if (device == NULL || device[0] == '\0')
    device = g_getenv ("GST_MGPU_DEVICE");
  if (device == NULL)
    device = "";

  g_mutex_lock (&driver_lock);
  found = choose_device (device, error);
  if (found != NULL)
    self = context_new (found, NULL, error);
  g_mutex_unlock (&driver_lock);
  return self;
}

/**
 * gst_mgpu_context_new_wrapped: (skip)
 * @context: an OpenCL context of the application; it is retained
 * @device: the device of @context to work on
 * @error: return location for a #GError
 *
 * Lets elements work in an application's own OpenCL context, so that both can
 * use each other's buffers.
 *
 * Returns: (transfer full) (nullable): a new context
 *
 * Since: 0.1
 */
GstMgpuContext *
gst_mgpu_context_new_wrapped (cl_context context, cl_device_id device,
    GError ** error)
{
  GstMgpuDevice *read;
  cl_device_id *ids;
  gsize size = 0;
  gboolean member = FALSE;
  cl_int ret;

  g_return_val_if_fail (context != NULL, NULL);
  g_return_val_if_fail (device != NULL, NULL);

  ret = clGetContextInfo (context, CL_CONTEXT_DEVICES, 0, NULL, &size);
  if (!gst_mgpu_error_check (ret, "clGetContextInfo", NULL, error))
    return NULL;
  ids = g_malloc (size);
  ret = clGetContextInfo (context, CL_CONTEXT_DEVICES, size, ids, NULL);
  for (gsize i = 0; ret == CL_SUCCESS && i < size / sizeof (*ids); i++)
    member |= ids[i] == device;
  g_free (ids);
  if (!gst_mgpu_error_check (ret, "clGetContextInfo", NULL, error))
    return NULL;
  if (!member) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "the device is not one of the OpenCL context: pass a device that the "
        "context was made for");
    return NULL;
  }

  read = gst_mgpu_device_read (device, error);
  return read != NULL ? context_new (read, context, error) : NULL;
}

/**
 * gst_mgpu_context_get_platform_name:
 * @context: a #GstMgpuContext
 *
 * Gets the name of the platform, which is that of the driver.
 *
 * Returns: (transfer none): the name of the OpenCL platform
 *
 * Since: 0.1
 */
const gchar *
gst_mgpu_context_get_platform_name (GstMgpuContext * context)
{
  return context->priv->device->platform_name;
}

/**
 * gst_mgpu_context_get_device_name:
 * @context: a #GstMgpuContext
 *
 * Gets the name of the device, as its driver words it.
 *
 * Returns: (transfer none): the name of the device
 *
 * Since: 0.1
 */
const gchar *
gst_mgpu_context_get_device_name (GstMgpuContext * context)
{
  return context->priv->device->name;
}

/**
 * gst_mgpu_context_get_version:
 * @context: a #GstMgpuContext
 *
 * Gets the version of OpenCL that the device has.
 *
 * Returns: (transfer none): the OpenCL version of the device, as its driver words it
 *
 * Since: 0.1
 */
const gchar *
gst_mgpu_context_get_version (GstMgpuContext * context)
{
  return context->priv->device->version;
}

/**
 * gst_mgpu_context_get_traits: (skip)
 * @context: a #GstMgpuContext
 *
 * Gets the properties of the device that decide how kernels run on it.
 *
 * Returns: (transfer none): the properties of the device, read when the context was made
 *
 * Since: 0.1
 */
const GstMgpuTraits *
gst_mgpu_context_get_traits (GstMgpuContext * context)
{
  return &context->priv->device->traits;
}

/**
 * gst_mgpu_context_override_class:
 * @context: a #GstMgpuContext
 * @device_class: the class that the device counts as from now on
 *
 * Makes elements use the kernels made for another class of device, to test or to
 * compare them. Call it before the context is used. The kernels of all classes give
 * the same results, at different speeds.
 *
 * Since: 0.1
 */
void
gst_mgpu_context_override_class (GstMgpuContext * context,
    GstMgpuDeviceClass device_class)
{
  context->priv->device->traits.device_class = device_class;
}

/**
 * gst_mgpu_context_matches:
 * @context: a #GstMgpuContext
 * @device: (nullable): a device string
 *
 * Tells whether @context suits an element that is bound to @device.
 *
 * Returns: %TRUE when @device is %NULL or "" or describes @context's device
 *
 * Since: 0.1
 */
gboolean
gst_mgpu_context_matches (GstMgpuContext * context, const gchar * device)
{
  if (device == NULL || device[0] == '\0')
    return TRUE;
  return gst_mgpu_device_matches (context->priv->device, device);
}

/**
 * gst_mgpu_context_get_cl_context: (skip)
 * @context: a #GstMgpuContext
 *
 * Gets the OpenCL context, for calls of OpenCL that the library does not make.
 *
 * Returns: (transfer none): the OpenCL context
 *
 * Since: 0.1
 */
cl_context
gst_mgpu_context_get_cl_context (GstMgpuContext * context)
{
  return context->priv->context;
}

/**
 * gst_mgpu_context_get_cl_device: (skip)
 * @context: a #GstMgpuContext
 *
 * Gets the OpenCL device, for calls of OpenCL that the library does not make.
 *
 * Returns: (transfer none): the OpenCL device
 *
 * Since: 0.1
 */
cl_device_id
gst_mgpu_context_get_cl_device (GstMgpuContext * context)
{
  return context->priv->device->id;
}

cl_command_queue
gst_mgpu_context_get_transfer_queue (GstMgpuContext * context)
{
  return context->priv->transfer_queue;
}

const GstMgpuDevice *
gst_mgpu_context_get_device (GstMgpuContext * context)
{
  return context->priv->device;
}

GQueue *
gst_mgpu_context_lock_programs (GstMgpuContext * context)
{
  g_mutex_lock (&context->priv->programs_lock);
  return &context->priv->programs;
}

void
gst_mgpu_context_unlock_programs (GstMgpuContext * context)
{
  g_mutex_unlock (&context->priv->programs_lock);
}

/**
 * gst_context_new_mgpu_context:
 * @context: (transfer none): a #GstMgpuContext
 *
 * Puts a #GstMgpuContext into a #GstContext, for gst_element_set_context().
 *
 * Returns: (transfer full): a persistent #GstContext that carries @context
 *
 * Since: 0.1
 */
GstContext *
gst_context_new_mgpu_context (GstMgpuContext * context)
{
  GstContext *carrier = gst_context_new (GST_MGPU_CONTEXT_TYPE, TRUE);

  gst_structure_set (gst_context_writable_structure (carrier),
      "context", GST_TYPE_MGPU_CONTEXT, context,
      "platform", G_TYPE_STRING, gst_mgpu_context_get_platform_name (context),
      "device", G_TYPE_STRING, gst_mgpu_context_get_device_name (context),
      "version", G_TYPE_STRING, gst_mgpu_context_get_version (context), NULL);
  return carrier;
}

/**
 * gst_context_get_mgpu_context:
 * @context: a #GstContext
 *
 * Takes a #GstMgpuContext out of a #GstContext, for example in set_context().
 *
 * Returns: (transfer full) (nullable): the #GstMgpuContext that @context
 *   carries, or %NULL when @context is of another type
 *
 * Since: 0.1
 */
GstMgpuContext *
gst_context_get_mgpu_context (GstContext * context)
{
  GstMgpuContext *self = NULL;

  if (gst_context_has_context_type (context, GST_MGPU_CONTEXT_TYPE))
    gst_structure_get (gst_context_get_structure (context),
        "context", GST_TYPE_MGPU_CONTEXT, &self, NULL);
  return self;
}

/* Asks the peer of one pad for a context. Sets a context that it finds on element, whose
 * set_context() stores it. Returns FALSE, which ends the loop over the pads, when it has
 * found one. */
static gboolean
query_pad (GstElement * element, GstPad * pad, gpointer user_data)
{
  GstQuery *query = user_data;
  GstContext *found = NULL;

  if (!gst_pad_peer_query (pad, query))
    return TRUE;
  gst_query_parse_context (query, &found);
  if (found == NULL)
    return TRUE;
  GST_CAT_INFO_OBJECT (GST_CAT_CONTEXT, element, "found %" GST_PTR_FORMAT
      " at %" GST_PTR_FORMAT, found, pad);
  gst_element_set_context (element, found);
  return FALSE;
}

static gboolean
has_context (GstElement * element, GstMgpuContext ** context)
{
  gboolean has;

  GST_OBJECT_LOCK (element);
  has = *context != NULL;
  GST_OBJECT_UNLOCK (element);
  return has;
}

static gboolean
find_context (GstElement * element, GstMgpuContext ** context)
{
  GstQuery *query;

  if (has_context (element, context))
    return TRUE;

  query = gst_query_new_context (GST_MGPU_CONTEXT_TYPE);
  gst_element_foreach_src_pad (element, query_pad, query);
  if (!has_context (element, context))
    gst_element_foreach_sink_pad (element, query_pad, query);
  gst_query_unref (query);
  if (has_context (element, context))
    return TRUE;

  gst_element_post_message (element,
      gst_message_new_need_context (GST_OBJECT (element),
          GST_MGPU_CONTEXT_TYPE));
  return has_context (element, context);
}

static void
free_weak_ref (gpointer ref)
{
  g_weak_ref_clear (ref);
  g_free (ref);
}

/* Returns: (transfer full): the pipeline that element is in, or the topmost ancestor of
 * element, or element itself when it has no parent */
static GstObject *
get_root (GstElement * element)
{
  GstObject *root = gst_object_ref (element), *parent;

  while ((parent = gst_object_get_parent (root)) != NULL) {
    gst_object_unref (root);
    root = parent;
  }
  return root;
}

/* Makes a context for element, or returns the one that another element of the same
 * pipeline made while element asked its neighbours. The pipeline remembers the context
 * that was made last for one of its elements. Sets *is_new to FALSE when the context is
 * one that was there already. */
static GstMgpuContext *
make_context (GstElement * element, const gchar * device, gboolean * is_new,
    GError ** error)
{
  GQuark quark = g_quark_from_static_string ("gst-mgpu-made-context");
  GObject *root = G_OBJECT (get_root (element));
  GstMgpuContext *context = NULL;
  GWeakRef *made;

  g_mutex_lock (&creation_lock);
  made = g_object_get_qdata (root, quark);
  if (made != NULL)
    context = g_weak_ref_get (made);
  if (context != NULL && !gst_mgpu_context_matches (context, device))
    g_clear_pointer (&context, gst_object_unref);
  *is_new = context == NULL;
  if (*is_new && (context = gst_mgpu_context_new (device, error)) != NULL) {
    made = g_new (GWeakRef, 1);
    g_weak_ref_init (made, context);
    g_object_set_qdata_full (root, quark, made, free_weak_ref);
  }
  g_mutex_unlock (&creation_lock);
  gst_object_unref (root);
  return context;
}

/**
 * gst_mgpu_ensure_element_context: (skip)
 * @element: an element
 * @device: (nullable): the device string that @element is bound to
 * @context: (inout) (transfer full) (nullable): the variable in which @element keeps
 *   its context, guarded by the object lock of @element
 * @error: return location for a #GError
 *
 * Makes sure that *@context is set: keeps a context that is there, or else asks
 * elements downstream, elements upstream and the application for one, or else makes
 * a context and announces it. The set_context() of @element has to call
 * gst_mgpu_handle_set_context(). The caller must not hold locks that neighbours, or
 * code that answers messages, may need; this function holds no lock while it asks
 * and announces.
 *
 * Returns: %TRUE when *@context is set
 *
 * Since: 0.1
 */
gboolean
gst_mgpu_ensure_element_context (GstElement * element, const gchar * device,
    GstMgpuContext ** context, GError ** error)
{
  GstMgpuContext *made;
  GstContext *carrier;
  gboolean is_new;

  if (find_context (element, context))
    return TRUE;
  made = make_context (element, device, &is_new, error);
  if (made == NULL)
    return FALSE;

  carrier = gst_context_new_mgpu_context (made);
  gst_object_unref (made);
  gst_element_set_context (element, carrier);
  if (is_new)
    gst_element_post_message (element,
        gst_message_new_have_context (GST_OBJECT (element), carrier));
  else
    gst_context_unref (carrier);
  if (has_context (element, context))
    return TRUE;
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
      "%s refused the OpenCL context made for it: its set_context() has to "
      "call gst_mgpu_handle_set_context()", GST_OBJECT_NAME (element));
  return FALSE;
}

/**
 * gst_mgpu_handle_set_context: (skip)
 * @element: an element
 * @context: (nullable): the #GstContext that set_context() was called with
 * @device: (nullable): the device string that @element is bound to
 * @mgpu_context: (inout) (transfer full) (nullable): the variable in which @element
 *   keeps its context, guarded by the object lock of @element
 *
 * Stores the #GstMgpuContext that @context carries in *@mgpu_context. Call this from
 * the set_context() of an element. Ignores a context whose device does not match
 * @device. Posts no message.
 *
 * Returns: %TRUE when @context carried a #GstMgpuContext and it was stored
 *
 * Since: 0.1
 */
gboolean
gst_mgpu_handle_set_context (GstElement * element, GstContext * context,
    const gchar * device, GstMgpuContext ** mgpu_context)
{
  GstMgpuContext *replacement, *old;

  if (context == NULL
      || (replacement = gst_context_get_mgpu_context (context)) == NULL)
    return FALSE;
  if (!gst_mgpu_context_matches (replacement, device)) {
    GST_CAT_INFO_OBJECT (GST_CAT_CONTEXT, element,
        "%s is not the device \"%s\"",
        gst_mgpu_context_get_device_name (replacement), device);
    gst_object_unref (replacement);
    return FALSE;
  }

  GST_OBJECT_LOCK (element);
  old = *mgpu_context;
  *mgpu_context = replacement;
  GST_OBJECT_UNLOCK (element);
  if (old != NULL)
    gst_object_unref (old);
  return TRUE;
}

/**
 * gst_mgpu_handle_context_query:
 * @element: an element
 * @query: a context query
 * @context: (nullable): the context of @element, to which the caller holds a
 *   reference
 *
 * Answers @query with @context when @query asks for a #GstMgpuContext and @context is
 * not %NULL.
 *
 * Returns: %TRUE when @query was answered
 *
 * Since: 0.1
 */
gboolean
gst_mgpu_handle_context_query (GstElement * element, GstQuery * query,
    GstMgpuContext * context)
{
  const gchar *type;
  GstContext *carrier;

  if (context == NULL || !gst_query_parse_context_type (query, &type)
      || g_strcmp0 (type, GST_MGPU_CONTEXT_TYPE) != 0)
    return FALSE;
  carrier = gst_context_new_mgpu_context (context);
  gst_query_set_context (query, carrier);
  gst_context_unref (carrier);
  return TRUE;
}
