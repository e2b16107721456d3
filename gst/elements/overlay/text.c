/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Renders text with Pango for mgpuoverlay, and caches the rendered images. */
#include "text.h"

#include <pango/pangocairo.h>
#include <string.h>

/* Number of frames for which the unused image of a text is kept */
#define KEPT 8

/* Maximum length of a text that is drawn, in bytes; the rest is cut off */
#define MAX_LENGTH 1024

typedef struct
{
  MgpuTextImage image;
  guint8 *coverage;
  guint age;                    /* number of frames since the image of the text was used */
} Entry;

struct _MgpuText
{
  PangoFontMap *fonts;
  PangoLayout *layout;
  gint max_width, max_height;
  gboolean has_font;
  GHashTable *entries;
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_free (entry->coverage);
  g_free (entry);
}

MgpuText *
mgpu_text_new (gint size, gint max_width, gint max_height)
{
  MgpuText *self = g_new0 (MgpuText, 1);
  PangoFontDescription *font = pango_font_description_from_string ("Sans Bold");
  PangoContext *context;

  /* This object has its own font map, because Pango's default font map may only be used by
   * one thread. */
  self->fonts = pango_cairo_font_map_new ();
  context = pango_font_map_create_context (self->fonts);
  self->layout = pango_layout_new (context);
  g_object_unref (context);
  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  pango_layout_set_font_description (self->layout, font);
  pango_font_description_free (font);

  /* Checks whether there is any font, because without a font Pango would draw large empty boxes. */
  pango_layout_set_text (self->layout, "0", -1);
  self->has_font = pango_layout_get_unknown_glyphs_count (self->layout) == 0;

  self->max_width = max_width;
  self->max_height = max_height;
  self->entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
      entry_free);
  return self;
}

gboolean
mgpu_text_has_font (const MgpuText * self)
{
  return self->has_font;
}

static Entry *
render (MgpuText * self, const gchar * string)
{
  Entry *entry = g_new0 (Entry, 1);
  gchar *valid = g_utf8_make_valid (string, -1);
  PangoRectangle extent;
  cairo_surface_t *surface;
  cairo_t *cairo;

  pango_layout_set_text (self->layout, valid, -1);
  g_free (valid);
  pango_layout_get_pixel_extents (self->layout, NULL, &extent);
  extent.width = MIN (extent.width, self->max_width);
  extent.height = MIN (extent.height, self->max_height);
  if (extent.width <= 0 || extent.height <= 0 || !self->has_font)
    return entry;

  surface = cairo_image_surface_create (CAIRO_FORMAT_A8, extent.width,
      extent.height);
  cairo = cairo_create (surface);
  cairo_move_to (cairo, -extent.x, -extent.y);
  pango_cairo_show_layout (cairo, self->layout);
  cairo_destroy (cairo);
  cairo_surface_flush (surface);
  /* If the Cairo surface is in an error state, it has no data, and the image of the text
   * stays empty. */
  if (cairo_image_surface_get_data (surface) != NULL) {
    gint stride = cairo_image_surface_get_stride (surface);

    entry->coverage = g_malloc ((gsize) extent.width * extent.height);
    for (gint y = 0; y < extent.height; y++)
      memcpy (entry->coverage + y * extent.width,
          cairo_image_surface_get_data (surface) + y * stride, extent.width);
    entry->image.width = extent.width;
    entry->image.height = extent.height;
    entry->image.coverage = entry->coverage;
  }
  cairo_surface_destroy (surface);
  return entry;
}

const MgpuTextImage *
mgpu_text_get (MgpuText * self, const gchar * string)
{
  gchar *key = g_strndup (string, MAX_LENGTH);
  Entry *entry = g_hash_table_lookup (self->entries, key);

  if (entry == NULL) {
    entry = render (self, key);
    g_hash_table_insert (self->entries, key, entry);
  } else {
    g_free (key);
  }
  entry->age = 0;
  return &entry->image;
}

static gboolean
grows_too_old (gpointer key, gpointer entry, gpointer data)
{
  return ((Entry *) entry)->age++ > KEPT;
}

void
mgpu_text_age (MgpuText * self)
{
  g_hash_table_foreach_remove (self->entries, grows_too_old, NULL);
}

void
mgpu_text_free (MgpuText * self)
{
  g_hash_table_unref (self->entries);
  g_object_unref (self->layout);
  g_object_unref (self->fonts);
  g_free (self);
}
