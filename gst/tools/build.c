/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Builds the kernels of all elements before they are needed: lets each element process one
 * frame of each usual pixel format, with each value of its enum properties. */
#include "build.h"

#define FRAME "width=640,height=480"
#define LINE "videotestsrc num-buffers=1 ! video/x-raw,format=%s," FRAME " ! %s%s ! fakesink"

/* Formats that cameras, decoders and programs produce */
static const gchar *const formats[] = {
  "GRAY8", "NV12", "I420", "YUY2", "RGB", "BGR", "BGRx", "P010_10LE"
};

typedef struct
{
  GPtrArray *lines;             /* array of gchar *: pipelines that are still to be run, in
                                 * the syntax of gst-launch-1.0 */
  guint n_done, n_lines;
  GMutex lock;                  /* lock that guards the counters of this struct, and the
                                 * standard output */
} Build;

/* Returns: whether a pad of the template @template accepts frames of the pixel format
 * @format */
static gboolean
takes_format (GstStaticPadTemplate * template, const gchar * format)
{
  g_autoptr (GstCaps) caps = gst_static_pad_template_get_caps (template);
  g_autoptr (GstCaps) frame =
      gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      format, "width", G_TYPE_INT, 640, "height", G_TYPE_INT, 480, NULL);

  return gst_caps_can_intersect (caps, frame);
}

/* Returns: whether elements of @factory accept frames of the pixel format @format, and can
 * be linked to a fakesink without request pads */
static gboolean
is_usable (GstElementFactory * factory, const gchar * format)
{
  const GList *i = gst_element_factory_get_static_pad_templates (factory);
  gboolean takes = FALSE, gives = FALSE;

  for (; i != NULL; i = i->next) {
    GstStaticPadTemplate *template = i->data;

    if (template->direction == GST_PAD_SRC)
      gives = TRUE;
    else if (template->presence == GST_PAD_ALWAYS)
      takes = takes_format (template, format);
  }
  return takes && gives;
}

static void
add_line (Build * self, const gchar * format, const gchar * element,
    const gchar * property)
{
  g_ptr_array_add (self->lines, g_strdup_printf (LINE, format, element,
          property));
}

/* Adds a pipeline for each value of the element's enum properties that is not the default. */
static void
add_values (Build * self, GstElement * element, const gchar * name,
    const gchar * format)
{
  guint n;
  GParamSpec **specs =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);

  for (guint i = 0; i < n; i++) {
    GEnumClass *values;

    if (!G_IS_PARAM_SPEC_ENUM (specs[i])
        || !(specs[i]->flags & G_PARAM_WRITABLE)
        || specs[i]->owner_type == GST_TYPE_BASE_TRANSFORM)
      continue;
    values = G_PARAM_SPEC_ENUM (specs[i])->enum_class;
    for (guint j = 0; j < values->n_values; j++) {
      gchar *text = g_strdup_printf (" %s=%s", specs[i]->name,
          values->values[j].value_nick);

      if (values->values[j].value !=
          G_PARAM_SPEC_ENUM (specs[i])->default_value)
        add_line (self, format, name, text);
      g_free (text);
    }
  }
  g_free (specs);
}

static void
add_element (Build * self, GstElementFactory * factory)
{
  const gchar *name = GST_OBJECT_NAME (factory);
  GstElement *element = gst_element_factory_create (factory, NULL);
  const gchar *first = NULL;

  for (guint i = 0; element != NULL && i < G_N_ELEMENTS (formats); i++) {
    if (!is_usable (factory, formats[i]))
      continue;
    add_line (self, formats[i], name, "");
    if (first == NULL)
      add_values (self, element, name, formats[i]);
    first = formats[i];
  }
  gst_clear_object (&element);
}

/* Returns: whether each of @names is an element in @features; prints an error for the first name
 * that is not */
static gboolean
are_elements (GList * features, gchar ** names)
{
  for (; *names != NULL; names++) {
    GList *i = features;

    while (i != NULL && strcmp (GST_OBJECT_NAME (i->data), *names) != 0)
      i = i->next;
    if (i == NULL) {
      g_printerr ("\ngst-mgpu has no element \"%s\": give only names of "
          "elements, such as mgpublur\n", *names);
      return FALSE;
    }
  }
  return TRUE;
}

/* Lists the pipelines that build the kernels of the elements @names, or of all. Returns: FALSE
 * if there are none, after a complaint */
static gboolean
list_lines (Build * self, gchar ** names)
{
  GList *features =
      gst_registry_get_feature_list_by_plugin (gst_registry_get (),
      "mgpu");
  gboolean is_valid = features == NULL || are_elements (features, names);

  for (GList * i = features; is_valid && i != NULL; i = i->next)
    if (GST_IS_ELEMENT_FACTORY (i->data) && (names[0] == NULL
            || g_strv_contains ((const gchar * const *) names,
                GST_OBJECT_NAME (i->data))))
      add_element (self, i->data);
  gst_plugin_feature_list_free (features);
  self->n_lines = self->lines->len;
  if (is_valid && self->n_lines == 0)
    g_printerr ("\nNone of these elements filters frames. If gst-inspect-1.0 "
        "mgpu finds nothing, install gst-mgpu, or set GST_PLUGIN_PATH to the "
        "folder of its plugin.\n");
  return self->n_lines > 0;
}

/* Runs the pipeline @line to its end, in a thread of the pool. If the pipeline fails, this is not
 * an error, because the value of the element's property then requires another property, such as the
 * path of a file, and no kernels are needed for it. */
static void
run_line (gpointer line, gpointer data)
{
  Build *self = data;
  GstElement *pipeline = gst_parse_launch (line, NULL);

  if (pipeline != NULL) {
    GstBus *bus = gst_element_get_bus (pipeline);

    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    gst_message_unref (gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
            GST_MESSAGE_ERROR | GST_MESSAGE_EOS));
    gst_element_set_state (pipeline, GST_STATE_NULL);
    gst_object_unref (bus);
    gst_object_unref (pipeline);
  }
  g_mutex_lock (&self->lock);
  g_print ("  %3u of %u  %s\n", ++self->n_done, self->n_lines, (gchar *) line);
  g_mutex_unlock (&self->lock);
}

int
build_kernels (const gchar * device, gchar ** names)
{
  Build self = { g_ptr_array_new_with_free_func (g_free), 0, 0 };
  gint64 begin = g_get_monotonic_time ();
  GThreadPool *pool;

  /* Makes the library write the programs' binaries to its cache even if the driver also has a
   * cache. */
  g_setenv ("GST_MGPU_BINARIES", "1", TRUE);
  g_setenv ("GST_MGPU_DEVICE", device, TRUE);
  g_mutex_init (&self.lock);
  if (!list_lines (&self, names)) {
    g_ptr_array_unref (self.lines);
    return 1;
  }
  g_print ("\nBuilding kernels; this takes minutes if the caches are empty\n");
  pool = g_thread_pool_new (run_line, &self, g_get_num_processors (), TRUE,
      NULL);
  for (guint i = 0; i < self.n_lines; i++)
    g_thread_pool_push (pool, self.lines->pdata[i], NULL);
  g_thread_pool_free (pool, FALSE, TRUE);
  g_print ("\nBuilt the kernels for %s in %.0f s\n", device,
      (g_get_monotonic_time () - begin) / (gdouble) G_USEC_PER_SEC);
  g_mutex_clear (&self.lock);
  g_ptr_array_unref (self.lines);
  return 0;
}
