/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Lists OpenCL devices, queries their capabilities and chooses one. */
#include "gstmgpudevice-private.h"

#include <string.h>

#include <CL/cl_ext.h>

#include "gstmgpuerror-private.h"
#include "gstmgpulog-private.h"

#define GST_CAT_DEFAULT gst_mgpu_device_debug

/* Maximum value of GST_MGPU_CONTEXTS */
#define MAX_CONTEXTS 64

/* Reads the properties of an OpenCL device, one by one. Keeps the first error; later reads do
 * nothing. */
typedef struct
{
  cl_device_id id;
  GError *error;
} Reader;

static gboolean
read_bytes (Reader * reader, cl_device_info what, gsize size, gpointer value,
    gsize * size_ret)
{
  cl_int ret;

  if (reader->error != NULL)
    return FALSE;
  ret = clGetDeviceInfo (reader->id, what, size, value, size_ret);
  if (ret != CL_SUCCESS)
    g_set_error (&reader->error, GST_MGPU_ERROR, GST_MGPU_ERROR_FAILED,
        "the property 0x%x of a device is unknown, because clGetDeviceInfo failed "
        "with %s (%d): update its driver, or choose another device", what,
        gst_mgpu_cl_error_name (ret), ret);
  return ret == CL_SUCCESS;
}

/* Returns: (transfer full): the text of the device property @what; "" after an error */
static gchar *
read_string (Reader * reader, cl_device_info what)
{
  gsize size = 0;
  gchar *text;

  read_bytes (reader, what, 0, NULL, &size);
  text = g_malloc0 (size + 1);
  read_bytes (reader, what, size, text, NULL);
  return g_strstrip (text);
}

/* Returns: the number in the device property @what; 0 after an error */
static guint64
read_number (Reader * reader, cl_device_info what)
{
  /* Reads into 64 bits, which have room for every integer type that the driver may write here. A
   * narrower integer fills the low bytes, because usable devices are little endian. */
  guint64 value = 0;

  read_bytes (reader, what, sizeof (value), &value, NULL);
  return value;
}

/* Returns: whether any of @bits is set in the device property @what. FALSE if the OpenCL
 * version of the device does not have this property, because such a device lacks the features
 * that the bits stand for */
static gboolean
read_bits (Reader * reader, cl_device_info what, guint64 bits)
{
  return clGetDeviceInfo (reader->id, what, 0, NULL, NULL) != CL_INVALID_VALUE
      && (read_number (reader, what) & bits) != 0;
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

/* Returns: whether the environment allows the import route @name. The environment
 * variable GST_MGPU_INTEROP lists the allowed routes; if it is not set, all routes are
 * allowed */
static gboolean
allows_route (const gchar * name)
{
  const gchar *variable = g_getenv ("GST_MGPU_INTEROP");
  gchar **names = g_strsplit (variable != NULL ? variable : name, ",", -1);
  gboolean found = g_strv_contains ((const gchar * const *) names, name);

  g_strfreev (names);
  return found;
}

/* Returns: whether the driver can import external memory through handles of the type @wanted,
 * with the OpenCL extension cl_khr_external_memory. Queries the device's list of handle types,
 * because a driver may import a type without listing the extension of that type */
static gboolean
imports_khr (Reader * reader, cl_external_memory_handle_type_khr wanted)
{
  cl_external_memory_handle_type_khr types[32];
  gsize size = 0;
  gchar *extensions = read_string (reader, CL_DEVICE_EXTENSIONS);
  gboolean has_any = strstr (extensions, "cl_khr_external_memory") != NULL;

  g_free (extensions);
  if (!has_any || clGetDeviceInfo (reader->id,
          CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, sizeof (types),
          types, &size) != CL_SUCCESS)
    return FALSE;
  for (gsize i = 0; i < MIN (size, sizeof (types)) / sizeof (types[0]); i++)
    if (types[i] == wanted)
      return TRUE;
  return FALSE;
}

static GstMgpuDmabufRoute
read_dmabuf_route (GstMgpuDevice * device, Reader * reader)
{
  GstMgpuDmabufRoute route = GST_MGPU_DMABUF_ROUTE_NONE;
  gchar *extensions;

  if (device->type & CL_DEVICE_TYPE_CPU)
    return GST_MGPU_DMABUF_ROUTE_MAP;
  if (!allows_route ("dmabuf"))
    return GST_MGPU_DMABUF_ROUTE_NONE;
  extensions = read_string (reader, CL_DEVICE_EXTENSIONS);
  if (imports_khr (reader, CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR))
    route = GST_MGPU_DMABUF_ROUTE_KHR;
  else if (strstr (extensions, "cl_arm_import_memory_dma_buf") != NULL)
    route = GST_MGPU_DMABUF_ROUTE_ARM;
  g_free (extensions);
  return route;
}

/* Returns: TRUE if the driver imports CUDA memory. It does if it imports opaque file
 * descriptors, which only drivers of the same vendor export, and reports the PCI address of
 * the GPU. The PCI address is needed to find the CUDA device */
static gboolean
read_imports_cuda (GstMgpuDevice * device, Reader * reader)
{
#ifdef HAVE_CUDA
  cl_device_pci_bus_info_khr info;

  if ((device->type & CL_DEVICE_TYPE_CPU) || !allows_route ("cuda")
      || !imports_khr (reader, CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR)
      || clGetDeviceInfo (reader->id, CL_DEVICE_PCI_BUS_INFO_KHR,
          sizeof (info), &info, NULL) != CL_SUCCESS)
    return FALSE;
  device->address.domain = info.pci_domain;
  device->address.bus = info.pci_bus;
  device->address.device = info.pci_device;
  return TRUE;
#else
  return FALSE;
#endif
}

/* Returns: the trait max_contexts of @device. NVIDIA's driver holds a lock of the OpenCL
 * context during most calls. With more than four contexts, threads wait for a lock of the
 * process instead. */
static guint
read_max_contexts (const GstMgpuDevice * device)
{
  const gchar *variable = g_getenv ("GST_MGPU_CONTEXTS");
  guint64 n;

  if (variable != NULL && variable[0] != '\0') {
    if (g_ascii_string_to_unsigned (variable, 10, 1, MAX_CONTEXTS, &n, NULL))
      return n;
    GST_WARNING
        ("GST_MGPU_CONTEXTS is \"%s\", which is not a number from 1 to %d: "
        "ignored", variable, MAX_CONTEXTS);
  }
  return g_str_has_prefix (device->platform_name, "NVIDIA") ? 4 : 1;
}

static void
read_traits (GstMgpuDevice * device, Reader * reader)
{
  GstMgpuTraits *t = &device->traits;
  gsize base = read_number (reader, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;

  if (device->type & CL_DEVICE_TYPE_CPU) {
    /* Counts llvmpipe, the CPU device of rusticl, as a mobile GPU: kernels for GPUs suit it
     * better. It computes several work-items at once in a vector, and it stops the loops of a
     * work-item after 65535 iterations in total. */
    t->device_class = g_str_equal (device->platform_name, "rusticl")
        ? GST_MGPU_DEVICE_CLASS_MOBILE : GST_MGPU_DEVICE_CLASS_CPU;
    /* A CPU driver uses host memory in place if the memory has the alignment of malloc(). */
    t->host_pointer_alignment = 16;
  } else {
    t->device_class =
        read_number (reader, CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL
        ? GST_MGPU_DEVICE_CLASS_DISCRETE : GST_MGPU_DEVICE_CLASS_MOBILE;
    /* The driver of an integrated GPU uses host memory in place only if the memory begins at a page
     * boundary, and silently copies memory with another alignment. */
    t->host_pointer_alignment = MAX (base, 4096);
  }
  t->unified_memory = (device->type & CL_DEVICE_TYPE_CPU)
      || read_bits (reader, CL_DEVICE_HOST_UNIFIED_MEMORY, CL_TRUE);
  t->dmabuf_route = read_dmabuf_route (device, reader);
  t->imports_cuda = read_imports_cuda (device, reader);
  t->compute_units = read_number (reader, CL_DEVICE_MAX_COMPUTE_UNITS);
  t->max_work_group_size = read_number (reader, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  t->local_memory_size = read_number (reader, CL_DEVICE_LOCAL_MEM_SIZE);
  t->max_allocation_size = read_number (reader, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  t->global_memory_size = read_number (reader, CL_DEVICE_GLOBAL_MEM_SIZE);
  t->max_contexts = read_max_contexts (device);
}

/* Returns: TRUE if the library can use the device. The device needs a compiler, because
 * kernels are compiled from source; OpenCL's full profile, for its arithmetic; and
 * little-endian memory, because kernels read frames as such */
static gboolean
read_usable (Reader * reader)
{
  gchar *profile = read_string (reader, CL_DEVICE_PROFILE);
  gboolean full = g_str_equal (profile, "FULL_PROFILE");

  g_free (profile);
  return full && read_number (reader, CL_DEVICE_AVAILABLE)
      && read_number (reader, CL_DEVICE_COMPILER_AVAILABLE)
      && read_number (reader, CL_DEVICE_ENDIAN_LITTLE);
}

static guint64
read_score (const GstMgpuDevice * device, Reader * reader)
{
  guint64 kind = 0;
  guint64 clock = read_number (reader, CL_DEVICE_MAX_CLOCK_FREQUENCY);

  if (device->type & CL_DEVICE_TYPE_GPU)
    kind = 2;
  else if (device->type & CL_DEVICE_TYPE_ACCELERATOR)
    kind = 1;
  /* Counts a clock frequency of 0, which drivers report for a device without a fixed clock, as
   * 1. */
  return (kind << 48) + device->traits.compute_units * MAX (clock, 1);
}

GstMgpuDevice *
gst_mgpu_device_read (cl_device_id id, GError ** error)
{
  GstMgpuDevice *device = g_new0 (GstMgpuDevice, 1);
  Reader reader = { id, NULL };
  gchar name[256] = "";

  device->id = id;
  if (read_bytes (&reader, CL_DEVICE_PLATFORM, sizeof (device->platform),
          &device->platform, NULL))
    gst_mgpu_error_check (clGetPlatformInfo (device->platform,
            CL_PLATFORM_NAME, sizeof (name) - 1, name, NULL),
        "clGetPlatformInfo", NULL, &reader.error);
  device->platform_name = g_strdup (g_strstrip (name));
  device->type = read_number (&reader, CL_DEVICE_TYPE);
  device->shares_pointers = read_bits (&reader, CL_DEVICE_SVM_CAPABILITIES,
      CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
  device->is_pocl = g_str_equal (name, "Portable Computing Language");
  device->shares_heap = device->is_pocl && (device->type & CL_DEVICE_TYPE_CPU)
      && read_bits (&reader, CL_DEVICE_SVM_CAPABILITIES,
      CL_DEVICE_SVM_FINE_GRAIN_SYSTEM);
  device->name = read_string (&reader, CL_DEVICE_NAME);
  device->version = read_string (&reader, CL_DEVICE_VERSION);
  device->driver_version = read_string (&reader, CL_DRIVER_VERSION);
  device->pocl_miscounts = device->is_pocl
      && g_ascii_strtoull (device->driver_version, NULL, 10) < 6;
  read_traits (device, &reader);
  device->is_usable = read_usable (&reader);
  device->score = read_score (device, &reader);
  if (reader.error == NULL)
    return device;
  g_propagate_error (error, reader.error);
  gst_mgpu_device_free (device);
  return NULL;
}

static gint
compare_devices (gconstpointer a, gconstpointer b)
{
  guint64 sa = (*(GstMgpuDevice * const *) a)->score;
  guint64 sb = (*(GstMgpuDevice * const *) b)->score;

  return sa < sb ? 1 : sa > sb ? -1 : 0;
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

static void
list_platform (cl_platform_id platform, GPtrArray * devices, GError ** failure)
{
  cl_uint n = 0;
  cl_device_id *ids;

  if (clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, 0, NULL, &n) != CL_SUCCESS
      || n == 0) {
    gchar name[100] = "";

    clGetPlatformInfo (platform, CL_PLATFORM_NAME, sizeof (name) - 1, name,
        NULL);
    GST_DEBUG ("\"%s\" has no devices: the driver finds no hardware", name);
    return;
  }
  ids = g_new0 (cl_device_id, n);
  if (clGetDeviceIDs (platform, CL_DEVICE_TYPE_ALL, n, ids, NULL) != CL_SUCCESS)
    n = 0;
  for (cl_uint i = 0; i < n; i++) {
    GError *error = NULL;
    GstMgpuDevice *device = gst_mgpu_device_read (ids[i], &error);

    if (device == NULL) {
      GST_WARNING ("leaving out a device: %s", error->message);
      g_clear_error (failure);
      g_propagate_error (failure, error);
    } else if (device->is_usable) {
      GST_DEBUG ("\"%s:%s:%s\" is usable: %u compute units",
          device->platform_name, type_name (device->type), device->name,
          device->traits.compute_units);
      g_ptr_array_add (devices, device);
    } else {
      GST_INFO ("leaving out \"%s\" on \"%s\", because it is not available, "
          "has no compiler, or lacks the full profile", device->name,
          device->platform_name);
      gst_mgpu_device_free (device);
    }
  }
  g_free (ids);
}

/* Lists all usable devices, best first: GPUs before accelerators before CPUs, and devices of one
 * type by compute units times clock frequency, in descending order. Leaves out devices whose
 * properties cannot be read. Sets *@failure to the error of the last device that was left out
 * for this reason, if any. Returns: the devices */
static GPtrArray *
list_devices (GError ** failure)
{
  GPtrArray *devices = g_ptr_array_new_with_free_func ((GDestroyNotify)
      gst_mgpu_device_free);
  cl_platform_id *platforms;
  cl_uint n = 0;

  gst_mgpu_log_init ();
  if (clGetPlatformIDs (0, NULL, &n) != CL_SUCCESS || n == 0) {
    GST_INFO ("there is no OpenCL platform: no driver is installed");
    return devices;
  }
  GST_DEBUG ("there are %u OpenCL platforms (drivers)", n);
  platforms = g_new (cl_platform_id, n);
  if (clGetPlatformIDs (n, platforms, NULL) == CL_SUCCESS)
    for (cl_uint i = 0; i < n; i++)
      list_platform (platforms[i], devices, failure);
  g_free (platforms);

  /* Sorts with g_ptr_array_sort(), which is stable, so that devices of equal score keep their
   * order. */
  g_ptr_array_sort (devices, compare_devices);
  return devices;
}

/* Returns: (transfer full) (nullable): the names of the installed OpenCL platforms,
 * quoted and separated by commas; NULL when there is none */
static gchar *
list_drivers (void)
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

static gboolean
contains (const gchar * text, const gchar * part)
{
  g_autofree gchar *a = g_ascii_strdown (text, -1);
  g_autofree gchar *b = g_ascii_strdown (part, -1);

  return strstr (a, b) != NULL;
}

static gboolean
is_index (const gchar * text)
{
  return text[0] != '\0' && strspn (text, "0123456789") == strlen (text);
}

/* Compares @device with all parts of the device string @string except its index. Sets
 * *@index to the index in the string, or to -1 if the string has none. */
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

/* Returns: (transfer none) (nullable): the first of @devices that the device string
 * @string matches */
static GstMgpuDevice *
find_device (GPtrArray * devices, const gchar * string)
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
  devices = list_devices (NULL);
  found = find_device (devices, string);
  same = found != NULL && found->id == device->id;
  g_ptr_array_unref (devices);
  return same;
}

/* Returns: (transfer full): the device string of device number @i of @devices. It contains the
 * device's name if that identifies the device, otherwise its index, for example for the second
 * of two identical cards */
static gchar *
to_string (GPtrArray * devices, guint i)
{
  GstMgpuDevice *device = g_ptr_array_index (devices, i);
  g_autofree gchar *kind = g_strdup_printf ("%s:%s:", device->platform_name,
      type_name (device->type));
  gchar *string = g_strconcat (kind, device->name, NULL);
  gint64 unused, index = 0;

  if (find_device (devices, string) != device) {
    for (guint j = 0; j < i; j++)
      index += matches_parts (devices->pdata[j], kind, &unused);
    g_free (string);
    string = g_strdup_printf ("%s%" G_GINT64_FORMAT, kind, index);
  }
  return string;
}

/* Returns: (transfer full): the device strings of @devices, as an array that ends with
 * NULL */
static gchar **
to_strings (GPtrArray * devices)
{
  gchar **strings = g_new0 (gchar *, devices->len + 1);

  for (guint i = 0; i < devices->len; i++)
    strings[i] = to_string (devices, i);
  return strings;
}

gchar **
gst_mgpu_device_list_strings (void)
{
  g_autoptr (GPtrArray) devices = list_devices (NULL);
  gchar **strings = to_strings (devices);

  return strings;
}

static void
set_no_device (GError ** error)
{
  g_autofree gchar *drivers = list_drivers ();

  if (drivers == NULL)
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_NO_DEVICE,
        "no OpenCL device found: install a driver, "
        "for example the package pocl-opencl-icd");
  else
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_NO_DEVICE,
        "no OpenCL device found: the drivers %s are installed, but none of "
        "them offers a usable device; check that this user may open the "
        "device (groups video and render) and write to the home directory, or "
        "install another driver, for example the package pocl-opencl-icd",
        drivers);
}

/* Returns: (transfer full): the device string of device number @i of @devices for a message that a
 * person reads: only the type, such as ":cpu:", if no other device is of this type */
static gchar *
to_short_string (GPtrArray * devices, guint i)
{
  GstMgpuDevice *device = g_ptr_array_index (devices, i);

  for (guint j = 0; j < devices->len; j++) {
    GstMgpuDevice *other = g_ptr_array_index (devices, j);

    if (j != i
        && g_str_equal (type_name (other->type), type_name (device->type)))
      return to_string (devices, i);
  }
  return g_strdup_printf (":%s:", type_name (device->type));
}

static void
set_no_match (const gchar * string, GPtrArray * devices, GError ** error)
{
  gchar **names = g_new0 (gchar *, devices->len + 1);
  g_autofree gchar *list = NULL;

  for (guint i = 0; i < devices->len; i++)
    names[i] = to_short_string (devices, i);
  list = g_strjoinv ("\", \"", names);
  g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_NO_DEVICE,
      "no OpenCL device matches \"%s\" (platform:type:name-or-index): set "
      "the property \"device\" or the variable GST_MGPU_DEVICE to one of "
      "\"%s\", or leave it empty", string, list);
  g_strfreev (names);
}

GstMgpuDevice *
gst_mgpu_device_choose (const gchar * string, GError ** error)
{
  GError *failure = NULL;
  g_autoptr (GPtrArray) devices = list_devices (&failure);
  GstMgpuDevice *found = find_device (devices, string);
  guint i;

  if (found != NULL) {
    GST_INFO
        ("chose \"%s\" on \"%s\": of %u usable devices, the best one that "
        "matches \"%s\"", found->name, found->platform_name, devices->len,
        string);
    g_ptr_array_find (devices, found, &i);
    g_ptr_array_steal_index (devices, i);
  } else if (failure != NULL) {
    /* If a device could not be queried, reports the error of that query, because the device string
     * may mean that device. */
    g_propagate_prefixed_error (error, g_steal_pointer (&failure),
        "cannot open the OpenCL device \"%s\": ", string);
  } else if (devices->len == 0) {
    set_no_device (error);
  } else {
    set_no_match (string, devices, error);
  }
  g_clear_error (&failure);
  return found;
}
