/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Turns views of mgpuremap at random. */
#include "views.h"

#include <gst/controller/controller.h>
#include <gst/video/navigation.h>

#include <stdio.h>
#include <unistd.h>

#include <glib/gstdio.h>

#include "../check/libs/lenses.h"
#include "draw.h"

/* A property that turns a view: its minimum, the number of its steps, and their size */
typedef struct
{
  const gchar *name;
  gdouble least;
  gint n_steps;
  gdouble step;
} Handle;

static const Handle handles[] = {
  {"pan", -180, 361, 1},
  {"tilt", -180, 361, 1},
  {"roll", -180, 361, 1},
  {"zoom", 0.25, 30, 0.25},
  {"fov", 0, 360, 1}
};

/* How views were turned */
enum
{
  BY_PROPERTY,
  BY_CONTROLLER,
  BY_PROJECTION,
  BY_NAVIGATION,
  N_WAYS
};

static guint n_turns[N_WAYS];

/* Time when the last view was turned in the pipeline that plays, or 0; the sum of the times between
 * turns of a pipeline, and the longest of these times */
static gint64 last_turn, played, longest;

gboolean
is_view (GstElement * element)
{
  return g_object_class_find_property (G_OBJECT_GET_CLASS (element), "pan")
      != NULL;
}

/* Writes a calibration file for frames of 64x48 with the coefficients of a lens. Returns: (transfer
 * full): its name */
static gchar *
write_calibration (void)
{
  const MgpuCamera *camera = &lenses[draw_below (G_N_ELEMENTS (lenses))].camera;
  gdouble scale = 64. / camera->width;
  gchar *name = NULL;
  gint fd = g_file_open_tmp ("soak-XXXXXX.yml", &name, NULL);
  g_autoptr (GString) text = g_string_new ("%YAML:1.0\n---\nimage_width: 64\n"
      "image_height: 48\n");
  gboolean is_fisheye = camera->lens == MGPU_LENS_FISHEYE;
  guint n = is_fisheye ? 4 : 14;

  g_assert (fd >= 0);
  close (fd);
  g_string_append_printf (text, "camera_matrix: !!opencv-matrix\n   rows: 3\n"
      "   cols: 3\n   dt: d\n   data: [ %g, 0, 32, 0, %g, 24, 0, 0, 1 ]\n",
      camera->focal[0] * scale, camera->focal[1] * scale);
  g_string_append_printf (text, "fisheye_model: %d\n"
      "distortion_coefficients: !!opencv-matrix\n   rows: %u\n   cols: 1\n"
      "   dt: d\n   data: [ %g", is_fisheye, n, camera->k[0]);
  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, ", %g", camera->k[i]);
  g_string_append (text, " ]\n");
  g_assert (g_file_set_contents (name, text->str, -1, NULL));
  return name;
}

void
view_append (GString * launch, guint i, gchar ** calibration)
{
  guint kind = draw_below (3);

  if (kind == 2 && *calibration == NULL)
    *calibration = write_calibration ();
  if (kind == 2)
    g_string_append_printf (launch, " ! mgpuconvert ! video/x-raw,width=64,"
        "height=48,pixel-aspect-ratio=1/1 ! mgpuremap name=f%u location=%s", i,
        *calibration);
  else
    g_string_append_printf (launch, " ! mgpuremap name=f%u input=%s", i,
        kind == 0 ? "equirect" : "fisheye");
}

/* Disables the controller of a property. Its binding is not removed, because GStreamer may be using
 * it. */
static void
release (GstElement * element, const gchar * name)
{
  gst_object_set_control_binding_disabled (GST_OBJECT (element), name, TRUE);
}

/* Returns: (transfer full): the control source of a property, which is created if there is none */
static GstControlSource *
get_source (GstElement * element, const gchar * name)
{
  GstControlBinding *binding =
      gst_object_get_control_binding (GST_OBJECT (element), name);
  GstControlSource *source;

  if (binding != NULL) {
    g_object_get (binding, "control-source", &source, NULL);
    gst_object_unref (binding);
    return source;
  }
  source = gst_lfo_control_source_new ();
  g_object_set (source, "amplitude", 0.5, "offset", 0.5, NULL);
  gst_object_add_control_binding (GST_OBJECT (element),
      gst_direct_control_binding_new (GST_OBJECT (element), name, source));
  return source;
}

static void
control (GstElement * element, const gchar * name)
{
  GstControlSource *source = get_source (element, name);
  gdouble frequency = 0.1 * (1 + draw_below (50));

  draw_tell ("  %s.%s changes at %g Hz", GST_ELEMENT_NAME (element), name,
      frequency);
  g_object_set (source, "frequency", frequency, NULL);
  gst_object_set_control_binding_disabled (GST_OBJECT (element), name, FALSE);
  gst_object_unref (source);
}

static void
project (GstElement * element)
{
  GParamSpec *spec = g_object_class_find_property
      (G_OBJECT_GET_CLASS (element), "projection");
  g_auto (GValue) value = G_VALUE_INIT;

  draw_value (spec, &value);
  draw_tell ("  %s.projection = %d", GST_ELEMENT_NAME (element),
      g_value_get_enum (&value));
  g_object_set_property (G_OBJECT (element), "projection", &value);
}

static void
point (GstElement * pipeline)
{
  gdouble x = draw_below (400) - 50, y = draw_below (400) - 50;

  draw_tell ("  the pointer moves to (%g, %g)", x, y);
  gst_element_send_event (pipeline, gst_navigation_event_new_mouse_move (x, y,
          GST_NAVIGATION_MODIFIER_NONE));
}

/* Records a turn, and the time since the last one. */
static void
note (guint way)
{
  gint64 now = g_get_monotonic_time ();

  n_turns[way]++;
  if (last_turn > 0) {
    played += now - last_turn;
    longest = MAX (longest, now - last_turn);
  }
  last_turn = now;
}

void
view_turn (GstElement * element, GstElement * pipeline)
{
  const Handle *handle = &handles[draw_below (G_N_ELEMENTS (handles))];
  static const guint ways[] = { BY_PROPERTY, BY_PROPERTY, BY_PROPERTY,
    BY_CONTROLLER, BY_CONTROLLER, BY_PROJECTION, BY_NAVIGATION, BY_NAVIGATION
  };
  guint way = ways[draw_below (G_N_ELEMENTS (ways))];
  gdouble value;

  if (way == BY_PROPERTY || way == BY_CONTROLLER)
    release (element, handle->name);
  if (way == BY_PROPERTY) {
    value = handle->least + handle->step * draw_below (handle->n_steps);
    draw_tell ("  %s.%s = %g", GST_ELEMENT_NAME (element), handle->name, value);
    g_object_set (element, handle->name, value, NULL);
  } else if (way == BY_CONTROLLER) {
    control (element, handle->name);
  } else if (way == BY_PROJECTION) {
    project (element);
  } else {
    point (pipeline);
  }
  note (way);
}

void
view_forget (void)
{
  last_turn = 0;
}

void
view_print (void)
{
  printf ("views of mgpuremap, in %.0f s: %u turns by properties, %u by "
      "controllers, %u projections, %u navigation events, at most %.1f s "
      "apart\n", played / 1e6, n_turns[BY_PROPERTY], n_turns[BY_CONTROLLER],
      n_turns[BY_PROJECTION], n_turns[BY_NAVIGATION], longest / 1e6);
}
