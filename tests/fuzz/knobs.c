/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fuzzes files of tuning parameters. The first byte decides whether the group that names the
 * device is written before the other bytes; a file without this group is not used. */
#include "fuzz.h"

#include <gst/vision/base/knobs.h>

#include <string.h>

static const MgpuKnob knobs[] = {
  {"TILE", {256, 256, 256}, "64 128 256", "width of a tile"},
  {"TILE_Y", {4, 4, 4}, "2 4 8", "height of a tile"},
  {"LANES", {16, 16, 16}, NULL, "samples of a vector"},
  {NULL}
};

static GstMgpuContext *context;
static gchar *path, *head;

static void
set_up (void)
{
  gst_init (NULL, NULL);
  g_setenv ("GST_MGPU_KNOBS_DIR", fuzz_folder (), TRUE);
  context = gst_mgpu_context_new (NULL, NULL);
  g_assert (context != NULL);
  path = mgpu_knobs_get_path (context);
  g_assert (mgpu_knobs_save (context, NULL));
  g_assert (g_file_get_contents (path, &head, NULL, NULL));
}

/* Returns whether @value is the default of the tuning parameter or one of its choices */
static gboolean
is_allowed (const MgpuKnob * knob, gint value)
{
  gchar **choices = g_strsplit (knob->choices ? knob->choices : "", " ", -1);
  gchar *text = g_strdup_printf ("%d", value);
  gboolean ok = value == knob->value[0]
      || g_strv_contains ((const gchar * const *) choices, text);

  g_free (text);
  g_strfreev (choices);
  return ok;
}

int
LLVMFuzzerTestOneInput (const uint8_t * data, size_t size)
{
  gboolean has_head = size > 0 && data[0] & 1;
  gchar *text, **names, *all;
  gint values[3];

  if (context == NULL)
    set_up ();
  if (size == 0)
    return 0;
  text = fuzz_string (data + 1, size - 1);
  all = g_strconcat (has_head ? head : "", text, NULL);
  g_assert (g_file_set_contents_full (path, all, -1, G_FILE_SET_CONTENTS_NONE,
          0600, NULL));
  /* Removes the tuning parameters that the context keeps, so that it reads the file again. */
  g_object_set_data (G_OBJECT (context), "mgpu-knobs", NULL);
  mgpu_knobs_choose (knobs, "test", context, values);
  for (guint i = 0; knobs[i].name != NULL; i++)
    g_assert (is_allowed (&knobs[i], values[i]));
  names = mgpu_knobs_list (context);
  for (guint i = 0; names[i] != NULL; i++)
    g_free (mgpu_knobs_get (context, names[i], NULL));
  g_strfreev (names);
  g_free (all);
  g_free (text);
  return 0;
}
