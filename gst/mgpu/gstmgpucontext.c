/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* An OpenCL context with its device, queues and programs, shared by elements. */
#include "gstmgpucontext-private.h"

#include "gstmgpuerror-private.h"
#include "gstmgpulog-private.h"

#define GST_CAT_DEFAULT gst_mgpu_context_debug

typedef struct _GstMgpuContextPrivate GstMgpuContextPrivate;

struct _GstMgpuContextPrivate
{
  GstMgpuDevice *device;
  cl_context context;
  cl_command_queue transfer_queue;
  GstMgpuImporter importer;
  gint n_queues;                /* number of GstMgpuQueue objects of the context; atomic */
  GRecMutex programs_lock;      /* lock that guards @programs; recursive, because builds
                                 * are logged while it is held, and the application's log
                                 * function may cause other programs to be built */
  GQueue programs;              /* queue of GstMgpuProgram: the programs that the context
                                 * owns, most recently requested first */
};

G_DEFINE_TYPE_WITH_CODE (GstMgpuContext, gst_mgpu_context, GST_TYPE_OBJECT,
    G_ADD_PRIVATE (GstMgpuContext)
    gst_mgpu_log_init ());

static guint building_signal;

/* Serializes the listing of devices, because some drivers are not thread-safe when two threads list
 * devices for the first time. The lock is recursive, because the application's log function may
 * make a context meanwhile. */
static GRecMutex driver_lock;

static void
gst_mgpu_context_init (GstMgpuContext * self)
{
  self->priv = gst_mgpu_context_get_instance_private (self);
  g_rec_mutex_init (&self->priv->programs_lock);
  g_queue_init (&self->priv->programs);
}

static void
gst_mgpu_context_finalize (GObject * object)
{
  GstMgpuContextPrivate *priv = GST_MGPU_CONTEXT (object)->priv;

  GST_DEBUG_OBJECT (object, "freeing this context and its %u programs",
      priv->programs.length);
  g_queue_clear_full (&priv->programs, gst_object_unref);
  g_rec_mutex_clear (&priv->programs_lock);
  if (priv->transfer_queue != NULL) {
    clFinish (priv->transfer_queue);
    clReleaseCommandQueue (priv->transfer_queue);
  }
  if (priv->context != NULL) {
    gst_mgpu_importer_clear (&priv->importer);
    clReleaseContext (priv->context);
  }
  if (priv->device != NULL)
    gst_mgpu_device_free (priv->device);
  G_OBJECT_CLASS (gst_mgpu_context_parent_class)->finalize (object);
}

static void
gst_mgpu_context_class_init (GstMgpuContextClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_context_finalize;

  /**
   * GstMgpuContext::building:
   * @self: the context
   * @program: the name of a program
   * @built: number of programs built so far, from 0 to @total
   * @total: number of programs that the thread builds in this series
   *
   * Emitted before and after the build of a program that is not in the cache, because the
   * build may take seconds. The signal is emitted by the thread that builds the program.
   * This thread may build several programs in series; then @built and @total count all of
   * them, and a program that is found in the cache counts as built.
   *
   * Returns: %TRUE to stop the emission, so that later handlers are not called
   *
   * Since: 1.0
   */
  building_signal = g_signal_new ("building", GST_TYPE_MGPU_CONTEXT,
      G_SIGNAL_RUN_LAST, 0, g_signal_accumulator_true_handled, NULL, NULL,
      G_TYPE_BOOLEAN, 3, G_TYPE_STRING, G_TYPE_UINT, G_TYPE_UINT);
}

void
gst_mgpu_context_tell_building (GstMgpuContext * self, const gchar * program,
    guint built, guint total)
{
  gboolean handled;

  g_signal_emit (self, building_signal, 0, program, built, total, &handled);
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
 * Since: 1.0
 */
gboolean
gst_mgpu_cl_check (gint code, const gchar * call, GstMgpuContext * context,
    GError ** error)
{
  return gst_mgpu_error_check (code, call,
      context != NULL ? context->priv->device->name : NULL, error);
}

/* Names of GstMgpuDeviceClass, for the log */
static const gchar *const classes[] = { "cpu", "discrete", "mobile" };

static void CL_CALLBACK
driver_says (const char *message, const void *data, size_t size, void *user)
{
  GST_WARNING ("message of the OpenCL driver: %s", message);
}

/* Logs the properties of the device that determine which kernels are used and how frames
 * get to the device. */
static void
log_traits (GstMgpuContext * self)
{
  static const gchar *const routes[] = { "are copied", "are mapped",
    "are imported (cl_khr_external_memory)",
    "are imported (cl_arm_import_memory)"
  };
  const GstMgpuTraits *t = &self->priv->device->traits;

  GST_INFO_OBJECT (self, "using the kernels for the device class \"%s\"; the "
      "host %s; dma-bufs %s; imports CUDA memory: %s", classes[t->device_class],
      t->unified_memory ? "shares memory with the device: frames are not "
      "uploaded"
      : "does not share memory with the device: frames are uploaded and "
      "downloaded", routes[t->dmabuf_route], GST_MGPU_YES (t->imports_cuda));
  GST_DEBUG_OBJECT (self, "the device has %u compute units, work-groups of up "
      "to %"
      G_GSIZE_FORMAT " work-items, %" G_GUINT64_FORMAT " KiB of local memory, %"
      G_GUINT64_FORMAT " MiB of global memory, %" G_GUINT64_FORMAT " MiB of "
      "it in one buffer", t->compute_units, (gsize) t->max_work_group_size,
      (guint64) t->local_memory_size >> 10,
      (guint64) t->global_memory_size >> 20,
      (guint64) t->max_allocation_size >> 20);
  if (t->max_contexts > 1)
    GST_DEBUG_OBJECT (self, "spreading the streams of one pipeline over up to "
        "%u OpenCL contexts", t->max_contexts);
}

/* Makes a GstMgpuContext for @device, of which it takes ownership. Retains the OpenCL
 * context @context, or makes a new OpenCL context if @context is NULL. */
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

  gst_mgpu_importer_init (&priv->importer, device, priv->context);
  priv->transfer_queue =
      clCreateCommandQueue (priv->context, device->id, 0, &ret);
  if (!gst_mgpu_cl_check (ret, "clCreateCommandQueue", self, error))
    goto failed;

  GST_INFO_OBJECT (self, "%s, %s, %s, driver %s", device->platform_name,
      device->name, device->version, device->driver_version);
  log_traits (self);
  return self;

failed:
  gst_object_unref (self);
  return NULL;
}

/**
 * gst_mgpu_list_devices:
 *
 * Lists the devices that the library can use. Leaves out devices whose properties the
 * driver cannot report.
 *
 * Returns: (transfer full) (array zero-terminated=1): device strings of all
 *   usable OpenCL devices, best first; empty when there is none
 *
 * Since: 1.0
 */
gchar **
gst_mgpu_list_devices (void)
{
  return gst_mgpu_device_list_strings ();
}

/**
 * gst_mgpu_context_new:
 * @device: (nullable): a device string, "platform:type:name-or-index". %NULL or "" means
 *   the device in the environment variable GST_MGPU_DEVICE. If that is not set, it means
 *   the best GPU, or the CPU if there is no GPU
 * @error: return location for a #GError
 *
 * Opens a device. Fails with %GST_MGPU_ERROR_NO_DEVICE when no device is found or none
 * matches @device, and with %GST_MGPU_ERROR_FAILED when no device matches and a driver
 * could not report the properties of one of the devices.
 *
 * Returns: (transfer full) (nullable): a new context
 *
 * Since: 1.0
 */
GstMgpuContext *
gst_mgpu_context_new (const gchar * device, GError ** error)
{
  GstMgpuContext *self = NULL;
  GstMgpuDevice *found;
  gboolean is_bound = device != NULL && device[0] != '\0';

  gst_mgpu_log_init ();
  if (!is_bound)
    device = g_getenv ("GST_MGPU_DEVICE");
  GST_INFO ("looking for the device \"%s\" (%s)", device != NULL ? device : "",
      is_bound ? "set by the element or the application" : device != NULL
      ? "set by GST_MGPU_DEVICE" : "no device is set, so the best one is used");
  if (device == NULL)
    device = "";

  g_rec_mutex_lock (&driver_lock);
  found = gst_mgpu_device_choose (device, error);
  if (found != NULL)
    self = context_new (found, NULL, error);
  g_rec_mutex_unlock (&driver_lock);
  return self;
}

/**
 * gst_mgpu_context_new_wrapped: (skip)
 * @context: an OpenCL context of the application; it is retained
 * @device: the device to use: one of the devices of @context
 * @error: return location for a #GError
 *
 * Lets elements work in an application's own OpenCL context, so that both can
 * use each other's buffers.
 *
 * Returns: (transfer full) (nullable): a new context
 *
 * Since: 1.0
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
        "the device does not belong to the OpenCL context: pass a device that "
        "the context was made for");
    return NULL;
  }

  gst_mgpu_log_init ();
  GST_INFO ("using the application's OpenCL context %p", context);
  read = gst_mgpu_device_read (device, error);
  return read != NULL ? context_new (read, context, error) : NULL;
}

GstMgpuContext *
gst_mgpu_context_new_beside (GstMgpuContext * context, GError ** error)
{
  const GstMgpuDevice *device = context->priv->device;
  GstMgpuContext *self = NULL;
  GstMgpuDevice *read;

  g_rec_mutex_lock (&driver_lock);
  read = gst_mgpu_device_read (device->id, error);
  if (read != NULL) {
    read->traits.device_class = device->traits.device_class;
    self = context_new (read, NULL, error);
  }
  g_rec_mutex_unlock (&driver_lock);
  return self;
}

guint
gst_mgpu_context_get_n_queues (GstMgpuContext * context)
{
  return g_atomic_int_get (&context->priv->n_queues);
}

void
gst_mgpu_context_add_queues (GstMgpuContext * context, gint n)
{
  g_atomic_int_add (&context->priv->n_queues, n);
}

/**
 * gst_mgpu_context_get_platform_name:
 * @context: a #GstMgpuContext
 *
 * Gets the name of the OpenCL platform, which identifies the driver.
 *
 * Returns: (transfer none): the name of the OpenCL platform
 *
 * Since: 1.0
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
 * Gets the name of the device, as its driver reports it.
 *
 * Returns: (transfer none): the name of the device
 *
 * Since: 1.0
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
 * Gets the OpenCL version of the device.
 *
 * Returns: (transfer none): the OpenCL version, as the driver reports it
 *
 * Since: 1.0
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
 * Gets the properties of the device that determine which kernels are used, how they are
 * launched, and how frames get to the device.
 *
 * Returns: (transfer none): the properties of the device, read when the context was made
 *
 * Since: 1.0
 */
const GstMgpuTraits *
gst_mgpu_context_get_traits (GstMgpuContext * context)
{
  return &context->priv->device->traits;
}

/**
 * gst_mgpu_context_find_cuda_device: (skip)
 * @context: a #GstMgpuContext
 *
 * Finds the CUDA device that is the same GPU as the device of @context.
 *
 * Returns: the CUDA ordinal of the device; -1 if CUDA does not know the device, or if the
 *   driver of @context does not import CUDA memory
 *
 * Since: 1.0
 */
gint
gst_mgpu_context_find_cuda_device (GstMgpuContext * context)
{
  const GstMgpuDevice *device = context->priv->device;

  return device->traits.imports_cuda
      ? gst_mgpu_cuda_find_device (&device->address) : -1;
}

/**
 * gst_mgpu_context_override_class:
 * @context: a #GstMgpuContext
 * @device_class: the class whose kernels are used
 *
 * Makes elements use the kernels for another device class. This is for tests and
 * benchmarks of these kernels. Call it before the context is used. The kernels of all
 * classes give the same results, at different speeds.
 *
 * Since: 1.0
 */
void
gst_mgpu_context_override_class (GstMgpuContext * context,
    GstMgpuDeviceClass device_class)
{
  GST_DEBUG_OBJECT (context,
      "using the kernels for the device class \"%s\" instead of \"%s\"",
      classes[device_class],
      classes[context->priv->device->traits.device_class]);
  context->priv->device->traits.device_class = device_class;
}

/**
 * gst_mgpu_context_matches:
 * @context: a #GstMgpuContext
 * @device: (nullable): a device string
 *
 * Tells whether an element whose property "device" is @device may use @context.
 *
 * Returns: %TRUE when @device is %NULL or "" or matches the device of @context
 *
 * Since: 1.0
 */
gboolean
gst_mgpu_context_matches (GstMgpuContext * context, const gchar * device)
{
  if (device == NULL || device[0] == '\0')
    return TRUE;
  return gst_mgpu_device_matches (context->priv->device, device);
}

/**
 * gst_mgpu_context_get_cl_context:
 * @context: a #GstMgpuContext
 *
 * Gets the OpenCL context, for OpenCL functions that the library does not wrap.
 *
 * Returns: (transfer none) (type gpointer): the OpenCL context; an integer in Python
 *
 * Since: 1.0
 */
cl_context
gst_mgpu_context_get_cl_context (GstMgpuContext * context)
{
  return context->priv->context;
}

/**
 * gst_mgpu_context_get_cl_device:
 * @context: a #GstMgpuContext
 *
 * Gets the OpenCL device, for OpenCL functions that the library does not wrap.
 *
 * Returns: (transfer none) (type gpointer): the OpenCL device; an integer in Python
 *
 * Since: 1.0
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

GstMgpuImporter *
gst_mgpu_context_get_importer (GstMgpuContext * context)
{
  return &context->priv->importer;
}

const GstMgpuDevice *
gst_mgpu_context_get_device (GstMgpuContext * context)
{
  return context->priv->device;
}

GQueue *
gst_mgpu_context_lock_programs (GstMgpuContext * context)
{
  g_rec_mutex_lock (&context->priv->programs_lock);
  return &context->priv->programs;
}

void
gst_mgpu_context_unlock_programs (GstMgpuContext * context)
{
  g_rec_mutex_unlock (&context->priv->programs_lock);
}
