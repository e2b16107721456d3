/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Chooses the values of tuning parameters of kernels, for a device. Outside gst/mgpu, only this
 * file distinguishes classes of devices. */
#include "knobs.h"

#include <string.h>

#include <gst/mgpu/gstmgpucontext-private.h>

#define DEVICE_GROUP "device"
#define KNOBS_GROUP "knobs"

GST_DEBUG_CATEGORY_STATIC (mgpu_knobs_debug);
#define GST_CAT_DEFAULT mgpu_knobs_debug

static const gchar *const class_names[] = { "cpu", "discrete", "mobile" };

/* Values of tuning parameters of kernels that kernelcheck --tune found to be the fastest on
 * known devices. */
static const struct
{
  const gchar *platform;        /* name of the OpenCL platform */
  const gchar *device;          /* substring of the name of the OpenCL device */
  GstMgpuDeviceClass device_class;
  const gchar *algorithm;
  const gchar *text;            /* values of tuning parameters, as text for mgpu_knobs_set() */
  const gchar *found;           /* device and date of the measurement that found the values */
} known[] = {
  /* Processors with AVX2 and without AVX-512. They have 16 vector registers of 8 floats. The
   * kernel that scores filters keeps a sum for each of 16 filters at each of TILE cells. With a
   * TILE of 4, these sums take 8 registers; with 8, they would take all 16 and leave none for
   * other values. */
  {"Portable Computing Language", "-haswell-", GST_MGPU_DEVICE_CLASS_CPU, "dpm",
      "TILE=4", "PoCL 3.1 on 2 cores of an AMD EPYC (Zen 3), 2026-11-25"},
  /* NVIDIA cards of the Hopper generation */
  {"NVIDIA CUDA", "NVIDIA H", GST_MGPU_DEVICE_CLASS_DISCRETE, "colour",
      "COLUMNS=128", "NVIDIA H200, driver 580.159.04, 2026-11-26"},
  {"NVIDIA CUDA", "NVIDIA H", GST_MGPU_DEVICE_CLASS_DISCRETE, "dpm",
      "GROUP=32", "NVIDIA H200, driver 580.159.04, 2026-11-30"},
  {"NVIDIA CUDA", "NVIDIA H", GST_MGPU_DEVICE_CLASS_DISCRETE, "inpaint",
      "SLOTS=2 UNIT_PARTS=8", "NVIDIA H200, driver 580.159.04, 2026-11-26"},
  {"NVIDIA CUDA", "NVIDIA H", GST_MGPU_DEVICE_CLASS_DISCRETE, "localcontrast",
      "ROWS=2", "NVIDIA H200, driver 580.159.04, 2026-11-26"},
  {NULL}
};

typedef struct
{
  gchar *text;
  gchar *source;
  gboolean is_saved;            /* whether mgpu_knobs_save() writes @text to the file of tuning
                                 * parameters of the device */
} Choice;

/* The values of tuning parameters of kernels that differ, in one context, from the defaults of
 * the device's class. */
typedef struct
{
  GHashTable *choices;          /* maps the name of an algorithm to a Choice, the values of its
                                 * tuning parameters */
  GHashTable *tables;           /* maps the name of an algorithm to a GPtrArray, its lists of
                                 * MgpuKnob */
} Knobs;

/* Guards the struct Knobs of every context. Recursive: the lock is held while messages about
 * files and chosen values are logged, and the application's log function may start an element. */
static GRecMutex lock;

static void
choice_free (gpointer data)
{
  Choice *choice = data;

  g_free (choice->text);
  g_free (choice->source);
  g_free (choice);
}

static void
add_choice (Knobs * self, const gchar * algorithm, const gchar * text,
    const gchar * source, gboolean is_saved)
{
  Choice *choice = g_new (Choice, 1);

  choice->text = g_strdup (text);
  choice->source = g_strdup (source);
  choice->is_saved = is_saved;
  g_hash_table_insert (self->choices, g_strdup (algorithm), choice);
}

/* ---- The file with the knobs of a device ------------------------------------ */

/* Writes names and versions to the key file @file: those of the OpenCL device of @context, of
 * its driver, and of this library. */
static void
describe_device (GstMgpuContext * context, GKeyFile * file)
{
  const GstMgpuDevice *device = gst_mgpu_context_get_device (context);
  const gchar *const values[][2] = {
    {"platform", device->platform_name},
    {"name", device->name},
    {"opencl", device->version},
    {"driver", device->driver_version},
    {"class", class_names[device->traits.device_class]},
    {"gst-mgpu", PACKAGE_VERSION}
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    g_key_file_set_string (file, DEVICE_GROUP, values[i][0], values[i][1]);
  g_key_file_set_integer (file, DEVICE_GROUP, "compute-units",
      device->traits.compute_units);
}

gchar *
mgpu_knobs_get_path (GstMgpuContext * context)
{
  const gchar *folder = g_getenv ("GST_MGPU_KNOBS_DIR");
  GKeyFile *file = g_key_file_new ();
  gchar *device, *sum, *name, *path;

  describe_device (context, file);
  device = g_key_file_to_data (file, NULL, NULL);
  sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, device, -1);
  name = g_strdup_printf ("%.40s-%.12s.ini",
      gst_mgpu_context_get_device_name (context), sum);
  g_strcanon (name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-.", '-');
  path = folder != NULL && folder[0] != '\0'
      ? g_build_filename (folder, name, NULL)
      : g_build_filename (g_get_user_data_dir (), "gst-mgpu", "knobs", name,
      NULL);
  g_free (name);
  g_free (sum);
  g_free (device);
  g_key_file_unref (file);
  return path;
}

/* Returns: whether the key files @a and @b describe the same device: all keys of the group
 * "device" have equal values in both */
static gboolean
is_same_device (GKeyFile * a, GKeyFile * b)
{
  gchar **keys = g_key_file_get_keys (b, DEVICE_GROUP, NULL, NULL);
  gboolean same = TRUE;

  for (guint i = 0; keys[i] != NULL; i++) {
    gchar *x = g_key_file_get_string (a, DEVICE_GROUP, keys[i], NULL);
    gchar *y = g_key_file_get_string (b, DEVICE_GROUP, keys[i], NULL);

    same = same && g_strcmp0 (x, y) == 0;
    g_free (x);
    g_free (y);
  }
  g_strfreev (keys);
  return same;
}

static void
load_file (Knobs * self, GstMgpuContext * context, const gchar * path)
{
  GKeyFile *file = g_key_file_new (), *own = g_key_file_new ();
  gchar **algorithms = NULL;
  GError *error = NULL;

  describe_device (context, own);
  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, &error)) {
    if (!g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
      GST_INFO ("ignoring the knobs in %s: %s", path, error->message);
    g_clear_error (&error);
  } else if (!is_same_device (file, own)) {
    GST_INFO ("ignoring the knobs in %s, because they were found for another "
        "device, driver or version of gst-mgpu", path);
  } else {
    algorithms = g_key_file_get_keys (file, KNOBS_GROUP, NULL, NULL);
  }
  for (guint i = 0; algorithms != NULL && algorithms[i] != NULL; i++) {
    gchar *text =
        g_key_file_get_string (file, KNOBS_GROUP, algorithms[i], NULL);

    if (text != NULL)
      add_choice (self, algorithms[i], text, path, TRUE);
    g_free (text);
  }
  g_strfreev (algorithms);
  g_key_file_unref (own);
  g_key_file_unref (file);
}

const gchar *
mgpu_knobs_refuses_files (GstMgpuContext * context)
{
  const GstMgpuDevice *device = gst_mgpu_context_get_device (context);

  return device->type & CL_DEVICE_TYPE_CPU
      && g_str_equal (device->platform_name, "rusticl")
      ? "llvmpipe ends a loop of a work-item after 65535 iterations, and with "
      "other values of the knobs loops would be longer" : NULL;
}

/* ---- Sources of values of knobs ---------------------------------------- */

static void
load_known (Knobs * self, GstMgpuContext * context)
{
  const gchar *platform = gst_mgpu_context_get_platform_name (context);
  const gchar *device = gst_mgpu_context_get_device_name (context);

  for (guint i = 0; known[i].platform != NULL; i++)
    if (g_str_equal (platform, known[i].platform)
        && strstr (device, known[i].device) != NULL
        && gst_mgpu_context_get_traits (context)->device_class ==
        known[i].device_class)
      add_choice (self, known[i].algorithm, known[i].text, known[i].found,
          FALSE);
}

static void
load (Knobs * self, GstMgpuContext * context)
{
  gchar *path;

  if (g_strcmp0 (g_getenv ("GST_MGPU_KNOBS"), "none") == 0)
    return;
  load_known (self, context);
  if (mgpu_knobs_refuses_files (context) != NULL)
    return;
  path = mgpu_knobs_get_path (context);
  load_file (self, context, path);
  g_free (path);
}

static void
knobs_free (gpointer data)
{
  Knobs *self = data;

  g_hash_table_unref (self->choices);
  g_hash_table_unref (self->tables);
  g_free (self);
}

/* Returns: the struct Knobs of @context; the first call creates it. The caller must hold @lock. */
static Knobs *
get_knobs (GstMgpuContext * context)
{
  static GQuark quark;
  Knobs *self;

  if (quark == 0) {
    quark = g_quark_from_static_string ("mgpu-knobs");
    GST_DEBUG_CATEGORY_INIT (mgpu_knobs_debug, "mgpuknobs", 0,
        "Knobs of OpenCL kernels");
  }
  self = g_object_get_qdata (G_OBJECT (context), quark);
  if (self != NULL)
    return self;
  self = g_new (Knobs, 1);
  self->choices =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, choice_free);
  self->tables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
      (GDestroyNotify) g_ptr_array_unref);
  load (self, context);
  g_object_set_qdata_full (G_OBJECT (context), quark, self, knobs_free);
  return self;
}

/* Remembers, for the tuner, that objects of @algorithm have the tuning parameters in the list
 * @knobs. */
static void
add_table (Knobs * self, const gchar * algorithm, const MgpuKnob * knobs)
{
  GPtrArray *tables = g_hash_table_lookup (self->tables, algorithm);

  if (tables == NULL) {
    tables = g_ptr_array_new ();
    g_hash_table_insert (self->tables, g_strdup (algorithm), tables);
  }
  if (!g_ptr_array_find (tables, knobs, NULL))
    g_ptr_array_add (tables, (gpointer) knobs);
}

/* ---- Values of knobs -------------------------------------------------------- */

/* Returns: the device class that is named in @words by a word such as "class=cpu";
 * @device_class if no word names one */
static guint
find_class (gchar ** words, guint device_class)
{
  for (guint i = 0; words[i] != NULL; i++) {
    if (!g_str_has_prefix (words[i], "class="))
      continue;
    for (guint c = 0; c < G_N_ELEMENTS (class_names); c++)
      if (g_str_equal (words[i] + strlen ("class="), class_names[c]))
        return c;
    GST_INFO ("rejecting %s, because there is no such class", words[i]);
  }
  return device_class;
}

static gboolean
is_choice (const MgpuKnob * knob, const gchar * value)
{
  gchar **choices = g_strsplit (knob->choices ? knob->choices : "", " ", -1);
  gboolean found = g_strv_contains ((const gchar * const *) choices, value);

  g_strfreev (choices);
  return found;
}

/* Sets the elements of @values from @words: a word "NAME=value" sets the value of the tuning
 * parameter NAME of the list @knobs, if the value is allowed. Words that name no tuning
 * parameter in @knobs are ignored: if an algorithm has several lists of tuning parameters, its
 * text has the words for all lists. */
static void
apply_words (const MgpuKnob * knobs, gchar ** words, const Choice * choice,
    const gchar * algorithm, gint * values)
{
  for (guint i = 0; knobs[i].name != NULL; i++) {
    gsize length = strlen (knobs[i].name);

    for (guint w = 0; words[w] != NULL; w++) {
      const gchar *value = words[w] + length + 1;

      if (strncmp (words[w], knobs[i].name, length) != 0
          || words[w][length] != '=')
        continue;
      if (is_choice (&knobs[i], value))
        values[i] = g_ascii_strtoll (value, NULL, 10);
      else
        GST_INFO ("%s: rejecting %s for %s: the choices are %s",
            choice->source, words[w], algorithm,
            knobs[i].choices ? knobs[i].choices : "those of the classes");
    }
  }
}

void
mgpu_knobs_choose (const MgpuKnob * knobs, const gchar * algorithm,
    GstMgpuContext * context, gint * values)
{
  guint class = gst_mgpu_context_get_traits (context)->device_class;
  const Choice *choice;
  gchar **words;
  Knobs *self;

  g_rec_mutex_lock (&lock);
  self = get_knobs (context);
  add_table (self, algorithm, knobs);
  choice = g_hash_table_lookup (self->choices, algorithm);
  words = g_strsplit (choice != NULL ? choice->text : "", " ", -1);
  class = find_class (words, class);
  for (guint i = 0; knobs[i].name != NULL; i++)
    values[i] = knobs[i].value[class];
  GST_DEBUG ("%s has the values of the class \"%s\"%s%s%s%s", algorithm,
      class_names[class], choice != NULL ? ", and \"" : "",
      choice != NULL ? choice->text : "", choice != NULL ? "\" of " : "",
      choice != NULL ? choice->source : "");
  if (choice != NULL)
    apply_words (knobs, words, choice, algorithm, values);
  g_rec_mutex_unlock (&lock);
  g_strfreev (words);
}

guint
mgpu_knobs_count (const MgpuKnob * knobs)
{
  guint n = 0;

  while (knobs[n].name != NULL)
    n++;
  return n;
}

void
mgpu_knobs_define (const MgpuKnob * knobs, const gint * values,
    GString * options)
{
  for (guint i = 0; knobs[i].name != NULL; i++)
    g_string_append_printf (options, " -D%s=%d", knobs[i].name, values[i]);
}

/* ---- Functions for the tuner and gst-mgpu-info ------------------------------- */

gchar *
mgpu_knobs_get (GstMgpuContext * context, const gchar * algorithm,
    const gchar ** source)
{
  const Choice *choice;
  gchar *text;

  g_rec_mutex_lock (&lock);
  choice = g_hash_table_lookup (get_knobs (context)->choices, algorithm);
  text = g_strdup (choice != NULL ? choice->text : "");
  if (source != NULL)
    *source = choice != NULL ? choice->source : "class";
  g_rec_mutex_unlock (&lock);
  return text;
}

void
mgpu_knobs_set (GstMgpuContext * context, const gchar * algorithm,
    const gchar * text)
{
  g_rec_mutex_lock (&lock);
  add_choice (get_knobs (context), algorithm, text, "tuner", TRUE);
  g_rec_mutex_unlock (&lock);
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar * const *) a, *(const gchar * const *) b);
}

gchar **
mgpu_knobs_list (GstMgpuContext * context)
{
  GPtrArray *names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer name;

  g_rec_mutex_lock (&lock);
  g_hash_table_iter_init (&iter, get_knobs (context)->choices);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    g_ptr_array_add (names, g_strdup (name));
  g_rec_mutex_unlock (&lock);
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return (gchar **) g_ptr_array_free (names, FALSE);
}

GPtrArray *
mgpu_knobs_get_tables (GstMgpuContext * context, const gchar * algorithm)
{
  GPtrArray *copy = g_ptr_array_new (), *tables;

  g_rec_mutex_lock (&lock);
  tables = g_hash_table_lookup (get_knobs (context)->tables, algorithm);
  for (guint i = 0; tables != NULL && i < tables->len; i++)
    g_ptr_array_add (copy, tables->pdata[i]);
  g_rec_mutex_unlock (&lock);
  return copy;
}

gboolean
mgpu_knobs_save (GstMgpuContext * context, GError ** error)
{
  GKeyFile *file = g_key_file_new ();
  gchar *path = mgpu_knobs_get_path (context);
  gchar *folder = g_path_get_dirname (path);
  GHashTableIter iter;
  gpointer name, data;
  gboolean ok;

  describe_device (context, file);
  g_rec_mutex_lock (&lock);
  g_hash_table_iter_init (&iter, get_knobs (context)->choices);
  while (g_hash_table_iter_next (&iter, &name, &data)) {
    const Choice *choice = data;

    if (choice->is_saved)
      g_key_file_set_string (file, KNOBS_GROUP, name, choice->text);
  }
  g_rec_mutex_unlock (&lock);
  g_mkdir_with_parents (folder, 0755);
  ok = g_key_file_save_to_file (file, path, error);
  g_free (folder);
  g_free (path);
  g_key_file_unref (file);
  return ok;
}
