/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Builds OpenCL programs, shares them within a context and caches their binaries on disk. */
#include "gstmgpuprogram.h"

#include <glib/gstdio.h>
#include <string.h>

#include "gstmgpucontext-private.h"
#include "gstmgpuerror-private.h"
#include "gstmgpulanes-private.h"
#include "gstmgpupocl-private.h"
#include "gstmgpuprogram-private.h"

GST_DEBUG_CATEGORY_STATIC (gst_mgpu_program_debug);
#define GST_CAT_DEFAULT gst_mgpu_program_debug

/* Maximum number of programs that an OpenCL context owns */
#define MAX_PROGRAMS 64

/* Build options of all OpenCL programs. For kernels of this project, the option -w is added, which
 * disables the compiler's warnings, because most of them concern vectors that are wider than the
 * CPU's registers, and PoCL would print the number of warnings to stderr. Other warnings are seen
 * when the plugin is built. */
#define BASE_OPTIONS "-cl-std=CL1.2"
#define OWN_OPTIONS BASE_OPTIONS " -w"

/* A file of the program cache consists of CACHE_MAGIC, the SHA-256 (in hex) of the program's
 * binary, and the binary. The SHA-256 is checked before the driver gets the binary, because
 * drivers have crashed when they loaded damaged binaries. */
#define CACHE_MAGIC "gst-mgpu binary 1\n"
#define CACHE_MAGIC_SIZE (sizeof (CACHE_MAGIC) - 1)
#define CACHE_HEADER_SIZE (CACHE_MAGIC_SIZE + 64)

/* Stores, for each thread, the number of programs that it builds in series, and how many of them
 * are built; set by gst_mgpu_program_set_place() */
static GPrivate place = G_PRIVATE_INIT (NULL);
#define PLACE_BITS 16

typedef struct _GstMgpuProgramPrivate GstMgpuProgramPrivate;

struct _GstMgpuProgramPrivate
{
  gchar *name;
  gchar *key;                   /* SHA-256, in hex, of everything that the program's
                                 * binary depends on */
  gchar *device;                /* name of the device, for error messages */
  gboolean is_own;              /* whether the source belongs to this project */
  gboolean is_guarded;          /* whether the program's kernels must be launched with
                                 * gst_mgpu_pocl_launch() */
  gchar *log;                   /* messages of the compiler; NULL if no compiler ran */
  cl_program program;
};

G_DEFINE_TYPE_WITH_CODE (GstMgpuProgram, gst_mgpu_program, GST_TYPE_OBJECT,
    G_ADD_PRIVATE (GstMgpuProgram)
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_program_debug, "mgpuprogram", 0,
        "OpenCL programs"));

static void
gst_mgpu_program_init (GstMgpuProgram * self)
{
  self->priv = gst_mgpu_program_get_instance_private (self);
}

static void
gst_mgpu_program_finalize (GObject * object)
{
  GstMgpuProgramPrivate *priv = GST_MGPU_PROGRAM (object)->priv;

  if (priv->program != NULL)
    clReleaseProgram (priv->program);
  g_free (priv->name);
  g_free (priv->key);
  g_free (priv->device);
  g_free (priv->log);
  G_OBJECT_CLASS (gst_mgpu_program_parent_class)->finalize (object);
}

static void
gst_mgpu_program_class_init (GstMgpuProgramClass * klass)
{
  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_program_finalize;
}

static gchar *
make_key (GstMgpuContext * context, const gchar * source, const gchar * options)
{
  const GstMgpuDevice *device = gst_mgpu_context_get_device (context);
  const gchar *parts[] = { source, options, device->platform_name,
    device->name, device->version, device->driver_version
  };
  GChecksum *sum = g_checksum_new (G_CHECKSUM_SHA256);
  gchar *key;

  /* Hashes each string with its terminating zero, so that different arrays of strings
   * never hash the same bytes. */
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_checksum_update (sum, (const guchar *) parts[i], strlen (parts[i]) + 1);
  key = g_strdup (g_checksum_get_string (sum));
  g_checksum_free (sum);
  return key;
}

static gchar *
cache_path (const gchar * key)
{
  const gchar *directory = g_getenv ("GST_MGPU_CACHE_DIR");

  if (directory != NULL && directory[0] != '\0')
    return g_build_filename (directory, key, NULL);
  return g_build_filename (g_get_user_cache_dir (), "gst-mgpu", key, NULL);
}

/* Removes the line that NVIDIA's driver writes about each kernel, whatever its source. */
static void
remove_noise (gchar * log)
{
  static const gchar noise[] = "is a kernel, so overriding noinline attribute";
  gchar *to = log;

  while (*log != '\0') {
    gsize length = strcspn (log, "\n");
    gsize whole = length + (log[length] == '\n');

    if (g_strstr_len (log, length, noise) == NULL) {
      memmove (to, log, whole);
      to += whole;
    }
    log += whole;
  }
  *to = '\0';
}

/* Returns: (transfer full): the compiler's log of the build, without white space at the end */
static gchar *
get_build_log (GstMgpuProgram * self, cl_device_id device)
{
  cl_program program = self->priv->program;
  gsize size = 0;
  gchar *log;

  clGetProgramBuildInfo (program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
  log = g_malloc0 (size + 1);
  clGetProgramBuildInfo (program, device, CL_PROGRAM_BUILD_LOG, size, log,
      NULL);
  remove_noise (log);
  return g_strchomp (log);
}

static gboolean
build (GstMgpuProgram * self, GstMgpuContext * context, const gchar * options,
    GError ** error)
{
  GstMgpuProgramPrivate *priv = self->priv;
  cl_device_id device = gst_mgpu_context_get_cl_device (context);
  cl_int ret = clBuildProgram (priv->program, 1, &device, options, NULL, NULL);
  gchar *log = get_build_log (self, device);

  if (ret != CL_SUCCESS)
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_BUILD,
        "the kernels \"%s\" did not build on %s (%s, driver %s): %s; %s. "
        "Options: %s. %s%s", priv->name, priv->device,
        gst_mgpu_context_get_platform_name (context),
        gst_mgpu_context_get_device (context)->driver_version,
        gst_mgpu_cl_error_name (ret), priv->is_own ? "update the driver or "
        "choose another device" : "correct their source or options", options,
        log[0] != '\0' ? "The compiler says:\n" : "The compiler gave no log: "
        "perhaps it cannot write its cache or temporary files", log);
  else if (log[0] != '\0')
    GST_CAT_LEVEL_LOG (GST_CAT_DEFAULT,
        priv->is_own ? GST_LEVEL_DEBUG : GST_LEVEL_WARNING, self,
        "compiler log of the kernels \"%s\":\n%s", priv->name, log);
  g_free (priv->log);
  priv->log = log;
  return ret == CL_SUCCESS;
}

static gboolean
load_binary (GstMgpuProgram * self, GstMgpuContext * context,
    const gchar * path, const gchar * options)
{
  GstMgpuProgramPrivate *priv = self->priv;
  cl_device_id device = gst_mgpu_context_get_cl_device (context);
  gchar *contents, *sum;
  const guchar *binary;
  gsize size, length;
  cl_int status = CL_SUCCESS, ret;
  gboolean good;

  if (!g_file_get_contents (path, &contents, &size, NULL)) {
    GST_DEBUG_OBJECT (self, "the cache has no %s for %s: building it", path,
        priv->name);
    return FALSE;
  }

  length = size;
  good = size > CACHE_HEADER_SIZE
      && memcmp (contents, CACHE_MAGIC, CACHE_MAGIC_SIZE) == 0;
  if (good) {
    binary = (const guchar *) contents + CACHE_HEADER_SIZE;
    size -= CACHE_HEADER_SIZE;
    sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, binary, size);
    good = memcmp (contents + CACHE_MAGIC_SIZE, sum, 64) == 0;
    g_free (sum);
  }
  if (good) {
    priv->program =
        clCreateProgramWithBinary (gst_mgpu_context_get_cl_context (context),
        1, &device, &size, &binary, &status, &ret);
    good = ret == CL_SUCCESS && status == CL_SUCCESS
        && build (self, context, options, NULL);
    if (!good && priv->program != NULL) {
      clReleaseProgram (priv->program);
      priv->program = NULL;
    }
  }
  /* Accepts a cache file without a binary, which is not damaged: it records that the driver has the
   * program in its own cache. */
  if (!good && length != CACHE_HEADER_SIZE) {
    GST_INFO_OBJECT (self, "the cache file %s is damaged: building the "
        "program and writing the file again", path);
    g_unlink (path);
  }
  g_free (contents);
  return good;
}

/* Writes @contents, the program's binary with a header, to a file of the cache. */
static void
save_contents (GstMgpuProgram * self, const gchar * path,
    const guchar * binary, gsize size)
{
  g_autofree gchar *directory = g_path_get_dirname (path);
  g_autofree gchar *sum =
      g_compute_checksum_for_data (G_CHECKSUM_SHA256, binary, size);
  g_autoptr (GString) contents = g_string_new (CACHE_MAGIC);
  GError *error = NULL;

  g_string_append (contents, sum);
  g_string_append_len (contents, (const gchar *) binary, size);
  g_mkdir_with_parents (directory, 0700);
  /* Needs no lock, because g_file_set_contents() writes a temporary file and renames it, so other
   * processes never read an incomplete file. */
  if (!g_file_set_contents (path, contents->str, contents->len, &error)) {
    GST_WARNING_OBJECT (self, "cannot write kernels to the cache, so they "
        "will be built again next time: %s; set GST_MGPU_CACHE_DIR to a "
        "writable directory", error->message);
    g_clear_error (&error);
  }
  GST_DEBUG_OBJECT (self, "wrote %s with a binary of %" G_GSIZE_FORMAT
      " bytes (0 = the binary is in the driver's own cache)", path, size);
}

/* Writes the program's binary to a file of the cache. If @has_binary is FALSE, writes a file
 * without a binary, which says that the driver has the program in its own cache. */
static void
save_program (GstMgpuProgram * self, const gchar * path, gboolean has_binary)
{
  GstMgpuProgramPrivate *priv = self->priv;
  guchar *binary;
  gsize size = 0;
  cl_uint n_devices = 0;

  if (!has_binary) {
    if (!g_file_test (path, G_FILE_TEST_EXISTS))
      save_contents (self, path, (const guchar *) "", 0);
    return;
  }

  /* Does not cache a program for several devices, because it has several binaries. An application's
   * OpenCL context may have several devices. */
  if (clGetProgramInfo (priv->program, CL_PROGRAM_NUM_DEVICES,
          sizeof (n_devices), &n_devices, NULL) != CL_SUCCESS
      || n_devices != 1
      || clGetProgramInfo (priv->program, CL_PROGRAM_BINARY_SIZES,
          sizeof (size), &size, NULL) != CL_SUCCESS || size == 0)
    return;
  binary = g_malloc (size);
  if (clGetProgramInfo (priv->program, CL_PROGRAM_BINARIES, sizeof (binary),
          &binary, NULL) == CL_SUCCESS)
    save_contents (self, path, binary, size);
  g_free (binary);
}

static gboolean
build_source (GstMgpuProgram * self, GstMgpuContext * context,
    const gchar * source, const gchar * options, GError ** error)
{
  cl_int ret;

  self->priv->program =
      clCreateProgramWithSource (gst_mgpu_context_get_cl_context (context), 1,
      &source, NULL, &ret);
  return gst_mgpu_cl_check (ret, "clCreateProgramWithSource", context, error)
      && build (self, context, options, error);
}

/* Returns: TRUE if a cache file with the binary of a program saves more time than it costs. With
 * PoCL it does not: to return the binary, PoCL compiles generic code for every work-group size.
 * Kernel launches do not use this code; they compile and cache other code */
static gboolean
wants_binary (GstMgpuContext * context)
{
  return !gst_mgpu_context_get_device (context)->is_pocl
      || g_strcmp0 (g_getenv ("POCL_KERNEL_CACHE"), "0") == 0
      || g_strcmp0 (g_getenv ("GST_MGPU_BINARIES"), "1") == 0;
}

/* Makes the OpenCL program: loads it from the cache if possible, otherwise builds it and writes
 * its binary to the cache. */
static gboolean
make_program (GstMgpuProgram * self, GstMgpuContext * context,
    const gchar * source, const gchar * options, GError ** error)
{
  gint64 start = g_get_monotonic_time ();
  g_autofree gchar *path = cache_path (self->priv->key);
  gboolean ok;

  gst_mgpu_lanes_begin_build (context);
  ok = load_binary (self, context, path, options);
  if (ok) {
    GST_DEBUG_OBJECT (self, "loaded %s in %" G_GINT64_FORMAT " us",
        self->priv->name, g_get_monotonic_time () - start);
  } else if ((ok = build_source (self, context, source, options, error))) {
    GST_INFO_OBJECT (self, "built %s in %" G_GINT64_FORMAT " us",
        self->priv->name, g_get_monotonic_time () - start);
    save_program (self, path, wants_binary (context));
  }
  gst_mgpu_lanes_end_build (context);
  return ok;
}

static gint
compare_key (gconstpointer program, gconstpointer key)
{
  return strcmp (GST_MGPU_PROGRAM (program)->priv->key, key);
}

void
gst_mgpu_program_set_place (guint built, guint total)
{
  g_private_set (&place, GUINT_TO_POINTER (total << PLACE_BITS | built));
}

/* Emits the signal "building" before a program is built. Does nothing if the context or the cache
 * has the program. @name: name of the program; @key: its SHA-256. Returns: TRUE if the signal was
 * emitted */
static gboolean
tell_building (GstMgpuContext * context, const gchar * name, const gchar * key)
{
  guint now = GPOINTER_TO_UINT (g_private_get (&place));
  guint built = now & ((1 << PLACE_BITS) - 1);
  guint total = MAX (now >> PLACE_BITS, built + 1);
  g_autofree gchar *path = cache_path (key);
  gboolean is_known = g_file_test (path, G_FILE_TEST_EXISTS);

  if (!is_known) {
    is_known = g_queue_find_custom (gst_mgpu_context_lock_programs (context),
        key, compare_key) != NULL;
    gst_mgpu_context_unlock_programs (context);
  }
  if (!is_known) {
    GST_INFO_OBJECT (context, "building the kernels %s, program %u of %u: "
        "this may take seconds, but only once on this device", name, built + 1,
        total);
    gst_mgpu_context_tell_building (context, name, built, total);
  }
  return !is_known;
}

/* Emits the signal "building" after the program named @name was built. */
static void
tell_built (GstMgpuContext * context, const gchar * name)
{
  guint now = GPOINTER_TO_UINT (g_private_get (&place));
  guint built = (now & ((1 << PLACE_BITS) - 1)) + 1;

  gst_mgpu_context_tell_building (context, name, built, MAX (now >> PLACE_BITS,
          built));
}

/* Implements gst_mgpu_program_new(). @is_own: whether the source is part of this project. *@log:
 * set to the messages of the compiler; @log may be NULL */
static GstMgpuProgram *
program_new (GstMgpuContext * context, const gchar * name,
    const gchar * source, const gchar * options, gboolean is_own,
    gchar ** log, GError ** error)
{
  g_autofree gchar *all_options =
      g_strjoin (" ", is_own ? OWN_OPTIONS : BASE_OPTIONS,
      options, NULL);
  g_autofree gchar *key = make_key (context, source, all_options);
  gboolean is_told;
  GQueue *programs;
  GList *known;
  GstMgpuProgram *self;

  /* Creates the log category before the first program is logged. */
  g_type_ensure (GST_TYPE_MGPU_PROGRAM);
  is_told = tell_building (context, name, key);
  programs = gst_mgpu_context_lock_programs (context);
  known = g_queue_find_custom (programs, key, compare_key);
  if (known != NULL) {
    self = known->data;
    GST_LOG_OBJECT (context, "using the existing program %s", name);
    g_queue_unlink (programs, known);
    g_queue_push_head_link (programs, known);
  } else {
    const GstMgpuDevice *device = gst_mgpu_context_get_device (context);

    self = g_object_new (GST_TYPE_MGPU_PROGRAM, NULL);
    gst_object_ref_sink (self);
    self->priv->name = g_strdup (name);
    self->priv->key = g_strdup (key);
    self->priv->device = g_strdup (device->name);
    self->priv->is_own = is_own;
    self->priv->is_guarded = device->pocl_miscounts;
    GST_DEBUG_OBJECT (self, "this is the program %s, with the options \"%s\", "
        "number %u of %"
        GST_PTR_FORMAT, name, all_options, programs->length + 1, context);
    if (make_program (self, context, source, all_options, error)) {
      g_queue_push_head (programs, self);
    } else {
      if (log != NULL)
        *log = g_strdup (self->priv->log);
      g_clear_pointer (&self, gst_object_unref);
    }
  }
  if (programs->length > MAX_PROGRAMS) {
    GST_DEBUG_OBJECT (context,
        "dropping the program that was not requested for the longest time, "
        "because there are more than %d programs", MAX_PROGRAMS);
    gst_object_unref (g_queue_pop_tail (programs));
  }
  if (self != NULL) {
    gst_object_ref (self);
    if (log != NULL)
      *log = g_strdup (self->priv->log);
  }
  gst_mgpu_context_unlock_programs (context);
  if (is_told && self != NULL)
    tell_built (context, name);

  return self;
}

/**
 * gst_mgpu_program_new:
 * @context: the context in which the program runs
 * @name: the name of the program in messages of errors and in the log
 * @source: source code in OpenCL C 1.2
 * @options: (nullable): build options, such as "-DRADIUS=4"
 * @error: return location for a #GError
 *
 * Gets a program with this source and these options. If @context owns such a program, returns it;
 * otherwise loads it from the cache; otherwise builds it. @context owns the 64 programs that were
 * requested last. Fails with %GST_MGPU_ERROR_BUILD and the log of the compiler when the source
 * does not compile. When a program is built, warnings of the compiler are logged as warnings of
 * the category mgpuprogram; the option "-w" disables them.
 *
 * Returns: (transfer full) (nullable): a program
 *
 * Since: 1.0
 */
GstMgpuProgram *
gst_mgpu_program_new (GstMgpuContext * context, const gchar * name,
    const gchar * source, const gchar * options, GError ** error)
{
  return program_new (context, name, source, options, FALSE, NULL, error);
}

GstMgpuProgram *
gst_mgpu_program_new_own (GstMgpuContext * context, const gchar * name,
    const gchar * source, const gchar * options, GError ** error)
{
  return program_new (context, name, source, options, TRUE, NULL, error);
}

GstMgpuProgram *
gst_mgpu_program_new_logged (GstMgpuContext * context, const gchar * name,
    const gchar * source, const gchar * options, gchar ** log, GError ** error)
{
  GstMgpuProgram *self;

  *log = NULL;
  self = program_new (context, name, source, options, FALSE, log, error);
  if (*log == NULL)
    *log = g_strdup ("");
  return self;
}

/**
 * gst_mgpu_program_create_kernel: (skip)
 * @program: a #GstMgpuProgram
 * @name: name of a kernel function
 * @error: return location for a #GError
 *
 * Creates a kernel of @program. Each thread needs its own kernel, because OpenCL does not allow
 * several threads to call clSetKernelArg() for one kernel at the same time.
 *
 * Returns: (transfer full) (nullable): a kernel, to be released with
 *   clReleaseKernel()
 *
 * Since: 1.0
 */
cl_kernel
gst_mgpu_program_create_kernel (GstMgpuProgram * program, const gchar * name,
    GError ** error)
{
  GstMgpuProgramPrivate *priv = program->priv;
  cl_int ret;
  cl_kernel kernel = clCreateKernel (priv->program, name, &ret);

  if (!gst_mgpu_error_check (ret, "clCreateKernel", NULL, error)) {
    g_prefix_error (error, "kernel \"%s\" of \"%s\" on %s: ", name, priv->name,
        priv->device);
    return NULL;
  }
  GST_TRACE_OBJECT (program, "created the kernel %s of %s", name, priv->name);
  if (priv->is_guarded)
    gst_mgpu_pocl_add_kernel (kernel, priv->key, name);
  return kernel;
}
