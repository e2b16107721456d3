/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Draws elements, caps and values at random. */
#include "draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const gchar *formats[] = {
  "NV12", "I420", "GRAY8", "BGRx", "RGB", "YUY2", "Y444", "P010_10LE",
  "GRAY16_LE"
};

static GRand *dice;
static gint64 seed;
static gboolean verbose;
static gint n_told;

gboolean
draw_begin (int *argc, char ***argv, const GOptionEntry * entries,
    gint64 first_seed)
{
  const GOptionEntry common[] = {
    {"seed", 0, 0, G_OPTION_ARG_INT64, &seed,
        "Decides what happens (-1: from the clock)", "N"},
    {"verbose", 'v', 0, G_OPTION_ARG_NONE, &verbose, "Print all that happens",
        NULL},
    {NULL}
  };
  GOptionContext *options = g_option_context_new ("");
  GError *error = NULL;
  gboolean ok;

  seed = first_seed;
  g_option_context_add_main_entries (options, entries, NULL);
  g_option_context_add_main_entries (options, common, NULL);
  g_option_context_add_group (options, gst_init_get_option_group ());
  ok = g_option_context_parse (options, argc, argv, &error);
  g_option_context_free (options);
  if (!ok) {
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    return FALSE;
  }
  if (seed < 0)
    seed = g_get_real_time () & G_MAXUINT32;
  dice = g_rand_new_with_seed (seed);
  printf ("seed %" G_GINT64_FORMAT "\n", seed);
  fflush (stdout);
  return TRUE;
}

gint64
draw_get_seed (void)
{
  return seed;
}

void
draw_tell (const gchar * format, ...)
{
  va_list args;

  g_atomic_int_inc (&n_told);
  if (!verbose)
    return;
  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  putchar ('\n');
  fflush (stdout);
}

guint
draw_count_told (void)
{
  return g_atomic_int_get (&n_told);
}

void
draw_end (void)
{
  g_clear_pointer (&dice, g_rand_free);
}

gint
draw_below (gint n)
{
  return g_rand_int_range (dice, 0, n);
}

guint32
draw_bits (void)
{
  return g_rand_int (dice);
}

gint
draw_size (void)
{
  return (gint) exp2 (g_rand_double (dice) * 8.4);
}

GstCaps *
draw_caps (void)
{
  return gst_caps_new_simple ("video/x-raw",
      "format", G_TYPE_STRING, formats[draw_below (G_N_ELEMENTS (formats))],
      "width", G_TYPE_INT, draw_size (), "height", G_TYPE_INT, draw_size (),
      "framerate", GST_TYPE_FRACTION, 30, 1, NULL);
}

/* Returns: a number from @low to @high, and from -16 to 16; small numbers are more frequent than
 * large ones */
static gdouble
draw_between (gdouble low, gdouble high)
{
  low = MAX (low, -16);
  high = MIN (high, 16);
  return low + (high - low) * pow (g_rand_double (dice), 2);
}

gboolean
draw_value (const GParamSpec * spec, GValue * value)
{
  g_value_init (value, spec->value_type);
  if (G_IS_PARAM_SPEC_BOOLEAN (spec)) {
    g_value_set_boolean (value, draw_below (2));
  } else if (G_IS_PARAM_SPEC_ENUM (spec)) {
    GEnumClass *klass = G_PARAM_SPEC_ENUM (spec)->enum_class;

    g_value_set_enum (value, klass->values[draw_below (klass->n_values)].value);
  } else if (G_IS_PARAM_SPEC_DOUBLE (spec)) {
    g_value_set_double (value, draw_between (G_PARAM_SPEC_DOUBLE (spec)->
            minimum, G_PARAM_SPEC_DOUBLE (spec)->maximum));
  } else if (G_IS_PARAM_SPEC_UINT (spec)) {
    g_value_set_uint (value, draw_between (G_PARAM_SPEC_UINT (spec)->minimum,
            G_PARAM_SPEC_UINT (spec)->maximum));
  } else if (G_IS_PARAM_SPEC_INT (spec)) {
    g_value_set_int (value, draw_between (G_PARAM_SPEC_INT (spec)->minimum,
            G_PARAM_SPEC_INT (spec)->maximum));
  } else {
    g_value_unset (value);
    return FALSE;
  }
  return TRUE;
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const gchar * const *) a, *(const gchar * const *) b);
}

GPtrArray *
draw_list_elements (void)
{
  GList *list = gst_registry_get_feature_list_by_plugin (gst_registry_get (),
      "mgpu");
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);

  for (GList * l = list; l != NULL; l = l->next)
    g_ptr_array_add (names, g_strdup (GST_OBJECT_NAME (l->data)));
  gst_plugin_feature_list_free (list);
  g_ptr_array_sort (names, compare_names);
  if (names->len == 0)
    printf ("the plugin \"mgpu\" has no element: set GST_PLUGIN_PATH\n");
  return names;
}

gboolean
draw_open_contexts (GstMgpuContext * contexts[2])
{
  GError *error = NULL;

  for (guint i = 0; i < 2; i++) {
    contexts[i] = gst_mgpu_context_new (NULL, &error);
    if (contexts[i] == NULL) {
      g_printerr ("%s\n", error->message);
      return FALSE;
    }
  }
  ((GstMgpuTraits *) gst_mgpu_context_get_traits (contexts[1]))->unified_memory =
      FALSE;
  return TRUE;
}

guint
draw_wait_for_context (GstMgpuContext * context)
{
  for (guint i = 0; i < 500 && GST_OBJECT_REFCOUNT_VALUE (context) > 1; i++)
    g_usleep (10 * G_TIME_SPAN_MILLISECOND);
  return GST_OBJECT_REFCOUNT_VALUE (context) - 1;
}
