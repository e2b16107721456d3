/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Lists the OpenCL devices and their capabilities, shows which one elements use and why,
 * and which package to install if there is no driver for a graphics card. */
#include "build.h"
#include "self-test.h"

#include <gst/vision/base/knobs.h>

#include <string.h>

#define GRAPHICS "/sys/class/drm"

static gchar *opt_device, *opt_report;
static gboolean opt_build, opt_self_test, opt_version;

static const GOptionEntry options[] = {
  {"device", 'd', 0, G_OPTION_ARG_STRING, &opt_device,
      "Use this device; the syntax is that of the property \"device\" of "
        "elements", "DEVICE"},
  {"self-test", 't', 0, G_OPTION_ARG_NONE, &opt_self_test,
      "Check the kernels on the device that would be used", NULL},
  {"report", 'r', 0, G_OPTION_ARG_FILENAME, &opt_report,
      "With --self-test: also measure times, and write the device, driver, "
        "digests and measurements to FILE, as JSON", "FILE"},
  {"build", 'b', 0, G_OPTION_ARG_NONE, &opt_build,
      "Build the kernels of all elements, or of the elements named after the "
        "options, for the device in advance", NULL},
  {"version", 0, 0, G_OPTION_ARG_NONE, &opt_version,
      "Print the version", NULL},
  {NULL}
};

/* The vendors of graphics hardware, with the packages of their OpenCL drivers */
static const struct
{
  guint vendor;                 /* identifier of the vendor on the PCI bus */
  const gchar *name;
  const gchar *platform;        /* substring of the name of the vendor's OpenCL platform */
  const gchar *advice;          /* text for the user: what to install */
} vendors[] = {
  {0x10de, "NVIDIA", "NVIDIA", "the package nvidia-opencl-icd"},
  {0x8086, "Intel", "Intel",
      "the package intel-opencl-icd, or, where there is none, as in "
        "Debian 13, mesa-opencl-icd with the environment variable RUSTICL_ENABLE=iris"},
  {0x1002, "AMD", "AMD",
      "the package mesa-opencl-icd, with the environment "
        "variable RUSTICL_ENABLE=radeonsi, or AMD's ROCm"}
};

static const gchar *
class_text (GstMgpuDeviceClass device_class)
{
  switch (device_class) {
    case GST_MGPU_DEVICE_CLASS_CPU:
      return "cpu: uses wide vectors, and caches instead of local memory";
    case GST_MGPU_DEVICE_CLASS_DISCRETE:
      return "discrete: fast local memory";
    case GST_MGPU_DEVICE_CLASS_MOBILE:
      return "mobile: no local memory";
  }
  return "unknown";
}

/* Returns: (transfer full): a text for a size in bytes. g_format_size() is not used,
 * because its text contains a no-break space that some terminals cannot display */
static gchar *
size_text (guint64 bytes)
{
  static const gchar *const units[] = { "KiB", "MiB", "GiB", "TiB" };
  gdouble size = bytes / 1024.0;
  guint unit = 0;

  for (; size >= 1024 && unit + 1 < G_N_ELEMENTS (units); unit++)
    size /= 1024;
  return g_strdup_printf ("%.4g %s", size, units[unit]);
}

static const gchar *
route_text (GstMgpuDmabufRoute route)
{
  switch (route) {
    case GST_MGPU_DMABUF_ROUTE_NONE:
      return "copied, because the driver cannot import them, or "
          "GST_MGPU_INTEROP disables imports";
    case GST_MGPU_DMABUF_ROUTE_MAP:
      return "used in place, through a mapping on the host";
    case GST_MGPU_DMABUF_ROUTE_KHR:
      return "imported by cl_khr_external_memory";
    case GST_MGPU_DMABUF_ROUTE_ARM:
      return "imported by cl_arm_import_memory";
  }
  return "unknown";
}

/* Returns: whether one of @algorithms has tuning parameters (knobs) that were read from the
 * file at @path */
static gboolean
is_used (GstMgpuContext * context, gchar ** algorithms, const gchar * path)
{
  for (guint i = 0; algorithms[i] != NULL; i++) {
    const gchar *source;

    g_free (mgpu_knobs_get (context, algorithms[i], &source));
    if (g_str_equal (source, path))
      return TRUE;
  }
  return FALSE;
}

/* Prints the tuning parameters (knobs) of kernels that differ from those of the device
 * class, and the file from which they were read. */
static void
print_knobs (GstMgpuContext * context)
{
  const gchar *variable = g_getenv ("GST_MGPU_KNOBS");
  gchar **algorithms = mgpu_knobs_list (context);
  g_autofree gchar *path = mgpu_knobs_get_path (context);
  const gchar *refusal = mgpu_knobs_refuses_files (context);

  g_print ("    knobs    those of this class");
  if (g_strcmp0 (variable, "none") == 0)
    g_print (", because GST_MGPU_KNOBS is \"none\"");
  else if (refusal != NULL)
    g_print (", without a file: %s", refusal);
  else if (!g_file_test (path, G_FILE_TEST_EXISTS))
    g_print (", because this device has not been tuned (%s)", path);
  else if (!is_used (context, algorithms, path))
    g_print (": %s is damaged, or was made for another device "
        "(GST_DEBUG=mgpuknobs:4)", path);
  g_print ("%s\n", algorithms[0] != NULL ? "; but for" : "");
  for (guint i = 0; algorithms[i] != NULL; i++) {
    const gchar *source;
    gchar *text = mgpu_knobs_get (context, algorithms[i], &source);

    g_print ("             %s: %s (%s)\n", algorithms[i],
        text[0] != '\0' ? text : "class", source);
    g_free (text);
  }
  g_strfreev (algorithms);
}

static void
print_device (const gchar * string, GstMgpuContext * context)
{
  const GstMgpuTraits *t = gst_mgpu_context_get_traits (context);
  g_autofree gchar *memory = size_text (t->global_memory_size);
  g_autofree gchar *largest = size_text (t->max_allocation_size);
  g_autofree gchar *local = size_text (t->local_memory_size);

  g_print ("  %s\n", string);
  /* Prints the name separately if the device string has an index, and therefore does not contain
   * the name. */
  if (strstr (string, gst_mgpu_context_get_device_name (context)) == NULL)
    g_print ("    name     %s\n", gst_mgpu_context_get_device_name (context));
  g_print ("    version  %s\n", gst_mgpu_context_get_version (context));
  g_print ("    compute  %u units, work-groups up to %" G_GSIZE_FORMAT
      ", local memory %s\n", t->compute_units, t->max_work_group_size, local);
  g_print ("    memory   %s, a frame up to %s, %s\n", memory, largest,
      t->unified_memory ? "shared with the host, so that frames are used in "
      "place"
      : "separate from the host, so that frames are uploaded and downloaded");
  g_print ("    dma-bufs %s\n", route_text (t->dmabuf_route));
  g_print ("    CUDA     %s\n", t->imports_cuda
      ? "memory of the same GPU is used in place" : "memory is copied");
  g_print ("    contexts %u%s\n", t->max_contexts,
      g_getenv ("GST_MGPU_CONTEXTS") != NULL ? ", as GST_MGPU_CONTEXTS says" :
      t->max_contexts >
      1 ? ", over which the streams of a pipeline are spread, because the "
      "driver locks each context" : "");
  g_print ("    kernels  %s\n", class_text (t->device_class));
  print_knobs (context);
  g_print ("\n");
}

/* Prints the properties of each device in @devices, an array of device strings from
 * gst_mgpu_list_devices(). */
static void
print_devices (gchar ** devices)
{
  if (devices[0] == NULL) {
    g_print ("No OpenCL device found.\n");
    return;
  }
  g_print ("OpenCL devices, best first:\n\n");
  for (guint i = 0; devices[i] != NULL; i++) {
    GError *error = NULL;
    GstMgpuContext *context = gst_mgpu_context_new (devices[i], &error);

    if (context == NULL) {
      g_print ("  %s\n    cannot be opened: %s\n\n", devices[i],
          error->message);
      g_clear_error (&error);
      continue;
    }
    print_device (devices[i], context);
    gst_object_unref (context);
  }
}

static gboolean
is_gpu (const gchar * device)
{
  return strstr (device, ":gpu:") != NULL;
}

/* Returns: the element of @devices that is the device string of the device of @context */
static const gchar *
find_device (gchar ** devices, GstMgpuContext * context)
{
  /* The device string of the first of two identical cards matches both cards; the string of the
   * second card matches only that card. */
  for (guint i = g_strv_length (devices); i > 0; i--)
    if (gst_mgpu_context_matches (context, devices[i - 1]))
      return devices[i - 1];
  return gst_mgpu_context_get_device_name (context);
}

/* Prints which device elements would use, and why. Returns: (transfer none) (nullable): the
 * device string of this device; NULL if they would use none */
static const gchar *
print_choice (gchar ** devices)
{
  const gchar *asked = opt_device, *chosen, *variable;
  GError *error = NULL;
  GstMgpuContext *context = gst_mgpu_context_new (asked, &error);

  if (context == NULL) {
    g_print ("No device is used: %s\n", error->message);
    g_clear_error (&error);
    return NULL;
  }
  chosen = find_device (devices, context);
  variable = g_getenv ("GST_MGPU_DEVICE");
  if (asked != NULL && asked[0] != '\0')
    g_print ("Used: %s\n  because --device asks for \"%s\"\n", chosen, asked);
  else if (variable != NULL && variable[0] != '\0')
    g_print ("Used: %s\n  because GST_MGPU_DEVICE is \"%s\"\n", chosen,
        variable);
  else if (devices[0] != NULL && devices[1] == NULL)
    g_print ("Used: %s\n  because there is no other device\n", chosen);
  else
    g_print ("Used: %s\n  because GPUs are preferred to CPUs, and devices with "
        "more and faster compute units to others\n", chosen);
  gst_object_unref (context);
  return chosen;
}

/* Returns: whether one of @devices is a GPU whose device string contains @name, a part of
 * the name of an OpenCL platform */
static gboolean
have_platform (gchar ** devices, const gchar * name)
{
  for (guint i = 0; devices[i] != NULL; i++)
    if (is_gpu (devices[i]) && strstr (devices[i], name) != NULL)
      return TRUE;
  return FALSE;
}

/* Returns: the PCI identifier of the vendor of the graphics card @name in the folder
 * GRAPHICS; 0 if @name is not a graphics card */
static guint
read_vendor (const gchar * name)
{
  gchar *path, *text = NULL;
  guint vendor = 0;

  /* Accepts the name of a card, such as card0, and rejects the name of a connector of a
   * card, such as card0-DP-1. */
  if (!g_str_has_prefix (name, "card") || strchr (name, '-') != NULL)
    return 0;
  path = g_build_filename (GRAPHICS, name, "device", "vendor", NULL);
  if (g_file_get_contents (path, &text, NULL, NULL))
    vendor = g_ascii_strtoull (text, NULL, 16);
  g_free (text);
  g_free (path);
  return vendor;
}

static void
print_advice (gchar ** devices)
{
  GDir *dir = g_dir_open (GRAPHICS, 0, NULL);
  const gchar *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    guint vendor = read_vendor (name);

    for (guint i = 0; i < G_N_ELEMENTS (vendors); i++)
      if (vendors[i].vendor == vendor
          && !have_platform (devices, vendors[i].platform))
        g_print ("\nThis computer has a GPU of %s, but no OpenCL driver for "
            "it: install %s.\n", vendors[i].name, vendors[i].advice);
  }
  if (dir != NULL)
    g_dir_close (dir);
  if (devices[0] == NULL)
    g_print ("\nFor the CPU, install the package pocl-opencl-icd.\n");
}

int
main (int argc, char **argv)
{
  GOptionContext *context = g_option_context_new (NULL);
  GError *error = NULL;
  const gchar *chosen;
  gchar **devices;
  int status = 0;

  g_option_context_set_summary (context,
      "Shows the OpenCL devices, their capabilities, and which device "
      "gst-mgpu's elements use.\nExit status: 0 if there is a device; 1 if "
      "there is none, or the build or the self-test failed; 2 if an option is "
      "wrong.");
  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    g_printerr ("%s\n", error->message);
    g_clear_error (&error);
    g_option_context_free (context);
    return 2;
  }
  g_option_context_free (context);
  if (argc > 1 && !opt_build) {
    g_printerr
        ("\"%s\" is not an option; choose a device with --device=DEVICE\n",
        argv[1]);
    return 2;
  }
  if (opt_report != NULL && !opt_self_test) {
    g_printerr ("--report needs --self-test\n");
    return 2;
  }
  if (opt_version) {
    g_print ("gst-mgpu-info " PACKAGE_VERSION "\nPackage: " PACKAGE_ORIGIN
        "\n");
    if (BUG_ADDRESS[0] != '\0')
      g_print ("Report defects to: " BUG_ADDRESS "\n");
    return 0;
  }

  devices = gst_mgpu_list_devices ();
  print_devices (devices);
  chosen = print_choice (devices);
  print_advice (devices);
  if (chosen == NULL)
    status = 1;
  else {
    if (opt_build)
      status = build_kernels (chosen, argv + 1);
    if (opt_self_test && status == 0)
      status = self_test (chosen, opt_report);
  }

  g_strfreev (devices);
  g_free (opt_device);
  g_free (opt_report);
  return status;
}
