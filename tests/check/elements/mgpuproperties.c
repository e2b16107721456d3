/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that each property of each element keeps a value that is set, or follows a controller, and
 * that the element details that gst-inspect-1.0 shows follow GStreamer's conventions. */
#include "common.h"

#include <gst/controller/controller.h>

static gchar **names;

/* Sets @value to a value that differs from the default. Returns: FALSE if no property has such a
 * type */
static gboolean
choose_value (GParamSpec * spec, GValue * value)
{
  if (G_IS_PARAM_SPEC_BOOLEAN (spec)) {
    g_value_set_boolean (value, !G_PARAM_SPEC_BOOLEAN (spec)->default_value);
  } else if (G_IS_PARAM_SPEC_STRING (spec)) {
    g_value_set_string (value, "1,2,3,4");
  } else if (G_IS_PARAM_SPEC_INT (spec)) {
    GParamSpecInt *s = G_PARAM_SPEC_INT (spec);

    g_value_set_int (value, s->default_value < s->maximum ? s->maximum
        : s->minimum);
  } else if (G_IS_PARAM_SPEC_UINT (spec)) {
    GParamSpecUInt *s = G_PARAM_SPEC_UINT (spec);

    g_value_set_uint (value, s->default_value < s->maximum ? s->maximum
        : s->minimum);
  } else if (G_IS_PARAM_SPEC_DOUBLE (spec)) {
    GParamSpecDouble *s = G_PARAM_SPEC_DOUBLE (spec);

    g_value_set_double (value, (s->default_value + s->maximum) / 2);
  } else if (G_IS_PARAM_SPEC_ENUM (spec)) {
    GEnumClass *klass = G_PARAM_SPEC_ENUM (spec)->enum_class;
    gint value_default = G_PARAM_SPEC_ENUM (spec)->default_value;

    g_value_set_enum (value, klass->values[0].value != value_default
        ? klass->values[0].value : klass->values[1].value);
  } else if (G_IS_PARAM_SPEC_FLAGS (spec)) {
    g_value_set_flags (value, G_PARAM_SPEC_FLAGS (spec)->flags_class->mask
        & ~G_PARAM_SPEC_FLAGS (spec)->default_value);
  } else if (spec->value_type == GST_TYPE_STRUCTURE) {
    g_value_take_boxed (value, gst_structure_new ("s", "a", G_TYPE_INT, 5,
            NULL));
  } else {
    return FALSE;
  }
  return TRUE;
}

static void
check_property (GObject * element, GParamSpec * spec)
{
  GValue set = G_VALUE_INIT, got = G_VALUE_INIT;

  g_value_init (&set, spec->value_type);
  g_value_init (&got, spec->value_type);
  fail_unless (choose_value (spec, &set), "%s", spec->name);
  g_object_set_property (element, spec->name, &set);
  g_object_get_property (element, spec->name, &got);
  fail_unless (gst_value_compare (&set, &got) == GST_VALUE_EQUAL, "%s",
      spec->name);
  g_value_unset (&set);
  g_value_unset (&got);
}

GST_START_TEST (test_properties)
{
  g_autoptr (GstElement) element =
      gst_element_factory_make (names[__i__], NULL);
  GParamSpec **specs;
  guint n, n_checked = 0;

  fail_unless (element != NULL);
  specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);
  for (guint i = 0; i < n; i++)
    if ((specs[i]->flags & G_PARAM_READWRITE) == G_PARAM_READWRITE
        && g_str_has_prefix (g_type_name (specs[i]->owner_type), "GstMgpu")) {
      check_property (G_OBJECT (element), specs[i]);
      n_checked++;
    }
  fail_unless (n_checked > 0);
  g_free (specs);
}

GST_END_TEST;

/* Tests that setting a string property to the empty string unsets it, except for a text that is
 * drawn. */
GST_START_TEST (test_empty_strings)
{
  g_autoptr (GstElement) element =
      gst_element_factory_make (names[__i__], NULL);
  guint n;
  GParamSpec **specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);

  for (guint i = 0; i < n; i++) {
    const gchar *name = specs[i]->name;
    gboolean is_drawn = g_str_equal (names[__i__], "mgpuoverlay")
        && g_str_equal (name, "text");
    gchar *got;

    if (!G_IS_PARAM_SPEC_STRING (specs[i])
        || !(specs[i]->flags & G_PARAM_WRITABLE)
        || !g_str_has_prefix (g_type_name (specs[i]->owner_type), "GstMgpu"))
      continue;
    g_object_set (element, name, "1,2,3,4", NULL);
    g_object_set (element, name, "", NULL);
    g_object_get (element, name, &got, NULL);
    fail_unless_equals_string (got, is_drawn ? "" : NULL);
    g_free (got);
    g_object_set (element, name, NULL, NULL);
    g_object_get (element, name, &got, NULL);
    fail_unless (got == NULL, "%s", name);
  }
  g_free (specs);
}

GST_END_TEST;

/* Checks the name, class and author of an element. */
GST_START_TEST (test_metadata)
{
  g_autoptr (GstElement) element =
      gst_element_factory_make (names[__i__], NULL);
  GstElementFactory *factory = gst_element_get_factory (element);
  gchar **klass = g_strsplit (gst_element_factory_get_metadata (factory,
          GST_ELEMENT_METADATA_KLASS), "/", 0);
  const gchar *author = gst_element_factory_get_metadata (factory,
      GST_ELEMENT_METADATA_AUTHOR);

  /* Checks that the metadata of elements that run on a device say so. */
  fail_unless_equals_int (g_strv_contains ((const gchar * const *) klass,
          "Hardware"), g_object_class_find_property (G_OBJECT_GET_CLASS
          (element), "device") != NULL);
  fail_unless (g_strv_contains ((const gchar * const *) klass, "Filter"));
  fail_unless (g_strv_contains ((const gchar * const *) klass, "Video"));
  fail_unless (g_regex_match_simple ("^[^<>]+( <[^<>@ ]+@[^<>@ ]+>)?$", author,
          0, 0), "%s", author);
  fail_unless (strlen (gst_element_factory_get_metadata (factory,
              GST_ELEMENT_METADATA_LONGNAME)) > 4);
  fail_unless (strlen (gst_element_factory_get_metadata (factory,
              GST_ELEMENT_METADATA_DESCRIPTION)) > 10);
  g_strfreev (klass);
}

GST_END_TEST;

/* Tests that each writable property has a flag that names the states in which it can be set, and
 * that each property has a description. */
GST_START_TEST (test_flags)
{
  g_autoptr (GstElement) element =
      gst_element_factory_make (names[__i__], NULL);
  guint n, n_checked = 0;
  GParamSpec **specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);

  for (guint i = 0; i < n; i++) {
    GParamFlags flags = specs[i]->flags;
    const gchar *name = specs[i]->name;

    if (!g_str_has_prefix (g_type_name (specs[i]->owner_type), "GstMgpu"))
      continue;
    fail_unless (strlen (g_param_spec_get_blurb (specs[i])) > 10, "%s", name);
    if (flags & G_PARAM_WRITABLE)
      fail_unless (flags & (G_PARAM_CONSTRUCT_ONLY | GST_PARAM_MUTABLE_READY
              | GST_PARAM_MUTABLE_PAUSED | GST_PARAM_MUTABLE_PLAYING), "%s",
          name);
    /* Checks that controllable properties can be set in PLAYING. */
    if (flags & GST_PARAM_CONTROLLABLE)
      fail_unless (flags & GST_PARAM_MUTABLE_PLAYING, "%s", name);
    n_checked++;
  }
  fail_unless (n_checked > 0);
  g_free (specs);
}

GST_END_TEST;

GST_START_TEST (test_plugin)
{
  GstPlugin *plugin = gst_registry_find_plugin (gst_registry_get (), "mgpu");

  fail_unless_equals_string (gst_plugin_get_license (plugin), "LGPL");
  fail_unless_equals_string (gst_plugin_get_package (plugin), "gst-mgpu");
  fail_unless_equals_string (gst_plugin_get_source (plugin), "gst-mgpu");
  fail_unless_equals_string (gst_plugin_get_version (plugin), PACKAGE_VERSION);
  fail_unless (strlen (gst_plugin_get_origin (plugin)) > 0);
  gst_object_unref (plugin);
}

GST_END_TEST;

/* Tests that a controller's values are those of the frame's timestamp, also in elements that open
 * no device. */
GST_START_TEST (test_controller_without_device)
{
  static const gchar *const names[] = { "mgpumetajson", "mgputrack" };
  g_autoptr (GstHarness) h = gst_harness_new (names[__i__]);
  GstControlSource *source = gst_interpolation_control_source_new ();
  GstTimedValueControlSource *timed = GST_TIMED_VALUE_CONTROL_SOURCE (source);

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_NONE, NULL);
  fail_unless (gst_object_add_control_binding (GST_OBJECT (h->element),
          gst_direct_control_binding_new (GST_OBJECT (h->element), "enabled",
              source)));
  gst_timed_value_control_source_set (timed, 0, 0);
  gst_timed_value_control_source_set (timed, GST_SECOND, 1);
  gst_harness_set_src_caps_str (h, HOST_CAPS ("GRAY8", 40, 30));
  for (guint i = 0; i < 3; i++) {
    GstBuffer *frame = gst_buffer_new ();

    GST_BUFFER_PTS (frame) = i * GST_SECOND / 2;
    gst_buffer_unref (harness_push_pull (h, frame));
    fail_unless_equals_uint64 (get_stat (h->element, "frames"), i / 2);
  }
  gst_object_unref (source);
}

GST_END_TEST;

/* Tests that a controller's values are those of the frame's timestamp. */
GST_START_TEST (test_controller)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpubilateral name=f", caps, caps);
  g_autoptr (GstHarness) strong =
      harness_new ("mgpubilateral name=f sigma-color=90", caps, caps);
  g_autoptr (GstElement) filter = harness_filter (h);
  GstControlSource *source = gst_interpolation_control_source_new ();
  GstTimedValueControlSource *timed = GST_TIMED_VALUE_CONTROL_SOURCE (source);
  GstBuffer *from = frame_new (&info, LAYOUT_DEFAULT, 1);
  g_autoptr (GstBuffer) first = NULL, second = NULL, expected = NULL;
  gdouble sigma;

  g_object_set (source, "mode", GST_INTERPOLATION_MODE_NONE, NULL);
  fail_unless (gst_object_add_control_binding (GST_OBJECT (filter),
          gst_direct_control_binding_new_absolute (GST_OBJECT (filter),
              "sigma-color", source)));
  gst_timed_value_control_source_set (timed, 0, 0.01);
  gst_timed_value_control_source_set (timed, GST_SECOND, 90.);

  first = harness_push_pull (h, gst_buffer_ref (from));
  fail_unless_same_frame (&info, from, first);
  expected = harness_push_pull (strong, gst_buffer_ref (from));
  fail_unless (count_differences (&info, from, expected) > 1000);

  from = gst_buffer_make_writable (from);
  GST_BUFFER_PTS (from) = GST_SECOND;
  second = harness_push_pull (h, from);
  fail_unless_same_frame (&info, second, expected);
  g_object_get (filter, "sigma-color", &sigma, NULL);
  fail_unless_equals_float (sigma, 90.);

  gst_object_unref (source);
}

GST_END_TEST;

CHECK_TESTS (mgpuproperties)
{
  names = elements_list (NULL);
  tcase_add_loop_test (tc, test_properties, 0, g_strv_length (names));
  tcase_add_loop_test (tc, test_empty_strings, 0, g_strv_length (names));
  tcase_add_loop_test (tc, test_metadata, 0, g_strv_length (names));
  tcase_add_loop_test (tc, test_flags, 0, g_strv_length (names));
  tcase_add_test (tc, test_plugin);
  tcase_add_test (tc, test_controller);
  tcase_add_loop_test (tc, test_controller_without_device, 0, 2);
}
