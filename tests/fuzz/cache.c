/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes cached files of OpenCL programs. Functions in this file replace those of the driver, and
 * check that a binary is the one whose checksum is in the file. */
#include "fuzz.h"

#include <gst/mgpu/mgpu.h>

#include <glib/gstdio.h>
#include <string.h>

#define MAGIC "gst-mgpu binary 1\n"
#define HEADER (strlen (MAGIC) + 64)
#define SOURCE "kernel void k () {}"

/* The file that is read, and whether the driver got its binary */
static const uint8_t *contents;
static gsize length;
static gboolean got_binary;

static GstMgpuContext *context;

__attribute__ ((visibility ("default")))
cl_program CL_API_CALL
clCreateProgramWithBinary (cl_context cl, cl_uint n_devices,
    const cl_device_id * devices, const size_t * sizes,
    const unsigned char **binaries, cl_int * status, cl_int * ret)
{
  gchar *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, binaries[0],
      sizes[0]);

  g_assert (length == HEADER + sizes[0]);
  g_assert (memcmp (contents, MAGIC, strlen (MAGIC)) == 0);
  g_assert (memcmp (contents + strlen (MAGIC), sum, 64) == 0);
  g_assert (memcmp (contents + HEADER, binaries[0], sizes[0]) == 0);
  g_free (sum);
  got_binary = TRUE;
  *status = *ret = CL_SUCCESS;
  return (cl_program) & contents;
}

__attribute__ ((visibility ("default")))
cl_program CL_API_CALL
clCreateProgramWithSource (cl_context cl, cl_uint n, const char **sources,
    const size_t * sizes, cl_int * ret)
{
  *ret = CL_SUCCESS;
  return (cl_program) & contents;
}

__attribute__ ((visibility ("default")))
cl_int CL_API_CALL
clBuildProgram (cl_program program, cl_uint n_devices,
    const cl_device_id * devices, const char *options,
    void (CL_CALLBACK * notify) (cl_program program, void *data), void *data)
{
  return CL_SUCCESS;
}

/* Returns an empty build log. */
__attribute__ ((visibility ("default")))
cl_int CL_API_CALL
clGetProgramBuildInfo (cl_program program, cl_device_id device,
    cl_program_build_info what, size_t size, void *value, size_t * result_size)
{
  return CL_INVALID_VALUE;
}

__attribute__ ((visibility ("default")))
cl_int CL_API_CALL
clGetProgramInfo (cl_program program, cl_program_info what, size_t size,
    void *value, size_t * result_size)
{
  return CL_INVALID_VALUE;
}

__attribute__ ((visibility ("default")))
cl_int CL_API_CALL
clReleaseProgram (cl_program program)
{
  return CL_SUCCESS;
}

/* Returns: (transfer full): the path of the cache file of the program with these options */
static gchar *
make_path (const gchar * options)
{
  cl_device_id device = gst_mgpu_context_get_cl_device (context);
  gchar version[256] = "", driver[256] = "";
  const gchar *parts[] = { SOURCE, options,
    gst_mgpu_context_get_platform_name (context),
    gst_mgpu_context_get_device_name (context), version, driver
  };
  GChecksum *sum = g_checksum_new (G_CHECKSUM_SHA256);
  gchar *path;

  clGetDeviceInfo (device, CL_DEVICE_VERSION, sizeof (version), version, NULL);
  clGetDeviceInfo (device, CL_DRIVER_VERSION, sizeof (driver), driver, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_checksum_update (sum, (const guchar *) parts[i], strlen (parts[i]) + 1);
  path = g_build_filename (fuzz_folder (), g_checksum_get_string (sum), NULL);
  g_checksum_free (sum);
  return path;
}

/* Makes the library read a program from a file with the content @data. Returns: whether the driver
 * got the binary */
static gboolean
read_program (const uint8_t * data, gsize size)
{
  static guint count;
  gchar *options = g_strdup_printf ("-DN=%u", count++);
  gchar *all_options = g_strconcat ("-cl-std=CL1.2 ", options, NULL);
  gchar *path = make_path (all_options);
  GError *error = NULL;
  GstMgpuProgram *program;

  contents = data;
  length = size;
  got_binary = FALSE;
  g_assert (g_file_set_contents_full (path, (const gchar *) data, size,
          G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  program = gst_mgpu_program_new (context, "fuzz", SOURCE, options, &error);
  g_assert (program != NULL && error == NULL);
  gst_object_unref (program);
  g_unlink (path);
  g_free (path);
  g_free (all_options);
  g_free (options);
  return got_binary;
}

/* Starts GStreamer. The first start, which scans all plugins, is not part of a run, whose time is
 * limited. */
int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  gchar *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "binary", -1);
  gchar *good = g_strconcat (MAGIC, sum, "binary", NULL);

  gst_init (NULL, NULL);
  g_setenv ("GST_MGPU_CACHE_DIR", fuzz_folder (), TRUE);
  context = gst_mgpu_context_new (NULL, NULL);
  g_assert (context != NULL);
  /* Checks that an intact file is found; otherwise the path of the file is wrong. */
  g_assert (read_program ((const uint8_t *) good, strlen (good)));
  g_free (good);
  g_free (sum);
  return 0;
}

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  read_program (data, size);
  return 0;
}
