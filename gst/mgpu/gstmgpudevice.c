/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#include "gstmgpudevice-private.h"

#include <string.h>

#include "gstmgpuerror-private.h"

static gchar *
device_string (cl_device_id id, cl_device_info what)
{
  gsize size = 0;
  gchar *text;

  if (clGetDeviceInfo (id, what, 0, NULL, &size) != CL_SUCCESS || size == 0)
    return g_strdup ("");
  text = g_malloc0 (size + 1);
  if (clGetDeviceInfo (id, what, size, text, NULL) != CL_SUCCESS)
    text[0] = '\0';
  return g_strstrip (text);
}

static guint64
device_number (cl_device_id id, cl_device_info what)
{
  /* A guint64 has room for every integer type that the driver writes here. A narrower
   * integer fills the low bytes: devices are little endian, see is_usable(). */
  guint64 value = 0;

  if (clGetDeviceInfo (id, what, sizeof (value), &value, NULL) != CL_SUCCESS)
    return 0;
  return value;
}

/* Returns: a number that describes the device, or 1 where the driver does not tell it.
 * Calls device_number() before MAX(), which evaluates its arguments twice: the second
 * call could fail. */
static guint64
device_count (cl_device_id id, cl_device_info what)
{
  guint64 value = device_number (id, what);

  return MAX (value, 1);
}

void
gst_mgpu_device_free (GstMgpuDevice * device)
{
  g_free (device->platform_name);
  g_free (device->name);
  g_free (device->version);
  g_free (device->driver_version);
  g_free (device);
}

static void
read_traits (GstMgpuDevice * device)
{
  GstMgpuTraits *t = &device->traits;
  cl_device_id id = device->id;
  gsize base = device_number (id, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;

  if (device->type & CL_DEVICE_TYPE_CPU) {
    /* Gives llvmpipe, the CPU device of rusticl, the kernels for a GPU: it computes
     * several work-items side by side in a vector, and it ends the loops of a work-item
     * after 65535 rounds in total. */
    t->device_class = g_str_equal (device->platform_name, "rusticl")
        ? GST_MGPU_DEVICE_CLASS_MOBILE : GST_MGPU_DEVICE_CLASS_CPU;
    /* A CPU driver uses the memory in place; the alignment of malloc() is enough. */
    t->host_pointer_alignment = 16;
  } else {
    t->device_class =
        device_number (id, CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL
        ? GST_MGPU_DEVICE_CLASS_DISCRETE : GST_MGPU_DEVICE_CLASS_MOBILE;
    /* Drivers of integrated GPUs share whole pages only, and silently copy the rest. */
    t->host_pointer_alignment = MAX (base, 4096);
  }
  t->unified_memory = (device->type & CL_DEVICE_TYPE_CPU)
      || device_number (id, CL_DEVICE_HOST_UNIFIED_MEMORY);
  t->compute_units = device_count (id, CL_DEVICE_MAX_COMPUTE_UNITS);
  t->max_work_group_size = device_count (id, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  t->local_memory_size = device_number (id, CL_DEVICE_LOCAL_MEM_SIZE);
  t->max_allocation_size = device_number (id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  t->global_memory_size = device_number (id, CL_DEVICE_GLOBAL_MEM_SIZE);
}

GstMgpuDevice *
gst_mgpu_device_read (cl_device_id id, GError ** error)
{
  GstMgpuDevice *device;
  cl_platform_id platform;
  gchar name[256] = "";
  cl_int ret;

  ret = clGetDeviceInfo (id, CL_DEVICE_PLATFORM, sizeof (platform), &platform,
      NULL);
  if (!gst_mgpu_error_check (ret, "clGetDeviceInfo", NULL, error))
    return NULL;
  ret = clGetPlatformInfo (platform, CL_PLATFORM_NAME, sizeof (name) - 1, name,
      NULL);
  if (!gst_mgpu_error_check (ret, "clGetPlatformInfo", NULL, error))
    return NULL;

  device = g_new0 (GstMgpuDevice, 1);
  device->platform = platform;
  device->id = id;
  device->type = device_number (id, CL_DEVICE_TYPE);
  device->platform_name = g_strdup (g_strstrip (name));
  device->shares_pointers = device_number (id, CL_DEVICE_SVM_CAPABILITIES)
      & CL_DEVICE_SVM_FINE_GRAIN_BUFFER;
  device->is_pocl = g_str_equal (name, "Portable Computing Language");
  device->name = device_string (id, CL_DEVICE_NAME);
  device->version = device_string (id, CL_DEVICE_VERSION);
  device->driver_version = device_string (id, CL_DRIVER_VERSION);
  device->pocl_miscounts = device->is_pocl
      && g_ascii_strtoull (device->driver_version, NULL, 10) < 6;
  read_traits (device);
  return device;
}

/* Returns whether the device can be used: kernels are compiled from source, need the
 * arithmetic of the full profile, and read frames as little-endian memory. */
static gboolean
is_usable (cl_device_id id)
{
  gchar *profile = device_string (id, CL_DEVICE_PROFILE);
  gboolean full = g_str_equal (profile, "FULL_PROFILE");

  g_free (profile);
  return full && device_number (id, CL_DEVICE_AVAILABLE)
      && device_number (id, CL_DEVICE_COMPILER_AVAILABLE)
      && device_number (id, CL_DEVICE_ENDIAN_LITTLE);
}

static guint64
score (const GstMgpuDevice * device)
{
  guint64 kind = 0;

  if (device->type & CL_DEVICE_TYPE_GPU)
    kind = 2;
  else if (device->type & CL_DEVICE_TYPE_ACCELERATOR)
    kind = 1;
  return (kind << 48) + device->traits.compute_units
      * device_count (device->id, CL_DEVICE_MAX_CLOCK_FREQUENCY);
}

static gint
compare_devices (gconstpointer a, gconstpointer b)
{
  guint64 sa = score (*(GstMgpuDevice * const *) a);
  guint64 sb = score (*(GstMgpuDevice * const *) b);

  return sa < sb ? 1 : sa > sb ? -1 : 0;
}

static void
list_platform (cl_platform_id platform, GPtrArray * devices)
{
  cl_uint n = 0;
  cl_device_id *ids;

  if (clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, 0, NULL, &n) != CL_SUCCESS
      || n == 0)
    return;
  ids = g_new (cl_device_id, n);
  if (clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, n, ids,
          NULL) == CL_SUCCESS) {
    for (cl_uint i = 0; i < n; i++) {
      GstMgpuDevice *device;

      if (is_usable (ids[i]) && (device = gst_mgpu_device_read (ids[i], NULL)))
        g_ptr_array_add (devices, device);
    }
  }
  g_free (ids);
}

GPtrArray *
gst_mgpu_device_list (void)
{
  GPtrArray *devices = g_ptr_array_new_with_free_func ((GDestroyNotify)
      gst_mgpu_device_free);
  cl_platform_id *platforms;
  cl_uint n = 0;

  if (clGetPlatformIDs (0, NULL, &n) != CL_SUCCESS || n == 0)
    return devices;
  platforms = g_new (cl_platform_id, n);
  if (clGetPlatformIDs (n, platforms, NULL) == CL_SUCCESS)
    for (cl_uint i = 0; i < n; i++)
      list_platform (platforms[i], devices);
  g_free (platforms);

  /* g_ptr_array_sort() is stable: devices of equal score keep their order. */
  g_ptr_array_sort (devices, compare_devices);
  return devices;
}

gchar *
gst_mgpu_device_drivers (void)
{
  cl_platform_id platforms[16];
  cl_uint n = 0;
  GString *names = g_string_new (NULL);

  if (clGetPlatformIDs (G_N_ELEMENTS (platforms), platforms, &n) != CL_SUCCESS)
    n = 0;
  for (cl_uint i = 0; i < MIN (n, G_N_ELEMENTS (platforms)); i++) {
    gchar name[256] = "";

    clGetPlatformInfo (platforms[i], CL_PLATFORM_NAME, sizeof (name) - 1, name,
        NULL);
    g_string_append_printf (names, "%s\"%s\"", i > 0 ? ", " : "", name);
  }
  return g_string_free (names, n == 0);
}

static const gchar *
type_name (cl_device_type type)
{
  if (type & CL_DEVICE_TYPE_GPU)
    return "gpu";
  if (type & CL_DEVICE_TYPE_ACCELERATOR)
    return "accelerator";
  return "cpu";
}

static gboolean
contains (const gchar * text, const gchar * part)
{
  gchar *a = g_ascii_strdown (text, -1);
  gchar *b = g_ascii_strdown (part, -1);
  gboolean found = strstr (a, b) != NULL;

  g_free (a);
  g_free (b);
  return found;
}

static gboolean
is_index (const gchar * text)
{
  return text[0] != '\0' && strspn (text, "0123456789") == strlen (text);
}

/* Compares device with all parts of the device string except its index. Sets *index to
 * the index in the string, or to -1 when it has none. */
static gboolean
matches_parts (GstMgpuDevice * device, const gchar * string, gint64 * index)
{
  gchar **parts = g_strsplit (string, ":", 3);
  guint n = g_strv_length (parts);
  gboolean ok = TRUE;

  *index = -1;
  if (n > 0)
    ok = contains (device->platform_name, parts[0]);
  if (ok && n > 1 && parts[1][0] != '\0')
    ok = g_ascii_strcasecmp (type_name (device->type), parts[1]) == 0;
  if (ok && n > 2) {
    if (is_index (parts[2]))
      *index = g_ascii_strtoll (parts[2], NULL, 10);
    else
      ok = contains (device->name, parts[2]);
  }
  g_strfreev (parts);
  return ok;
}

GstMgpuDevice *
gst_mgpu_device_find (GPtrArray * devices, const gchar * string)
{
  gint64 index, n = 0;

  for (guint i = 0; i < devices->len; i++) {
    GstMgpuDevice *device = g_ptr_array_index (devices, i);

    if (!matches_parts (device, string, &index))
      continue;
    if (index < 0 || index == n)
      return device;
    n++;
  }
  return NULL;
}

gboolean
gst_mgpu_device_matches (GstMgpuDevice * device, const gchar * string)
{
  GPtrArray *devices;
  GstMgpuDevice *found;
  gboolean same;
  gint64 index;

  if (!matches_parts (device, string, &index))
    return FALSE;
  if (index < 0)
    return TRUE;
  devices = gst_mgpu_device_list ();
  found = gst_mgpu_device_find (devices, string);
  same = found != NULL && found->id == device->id;
  g_ptr_array_unref (devices);
  return same;
}

gchar *
gst_mgpu_device_to_string (GstMgpuDevice * device)
{
  return g_strdup_printf ("%s:%s:%s", device->platform_name,
      type_name (device->type), device->name);
}
