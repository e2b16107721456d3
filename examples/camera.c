/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What a camera sees, filtered and looked at while it plays: elements are switched
 * on and off and tuned, and what they find is drawn and plotted.
 *
 *   camera [--file VIDEO | --test-source] [--device DEVICE]
 *
 * Without a camera, pictures of a test source. Exit status: 0, or 2 after an error,
 * which is told. */
#include "camera.h"

#include <gtk/gtk.h>
#include <stdlib.h>

#define FAILED 2

/* The first camera that v4l2src can open, or NULL */
static gchar *
find_camera (void)
{
  GstDeviceMonitor *monitor = gst_device_monitor_new ();
  GList *devices;
  gchar *path = NULL;

  gst_device_monitor_add_filter (monitor, "Video/Source", NULL);
  devices = gst_device_monitor_get_devices (monitor);
  for (GList * i = devices; i != NULL && path == NULL; i = i->next) {
    GstStructure *properties = gst_device_get_properties (i->data);

    if (properties != NULL) {
      path = g_strdup (gst_structure_get_string (properties, "device.path"));
      gst_structure_free (properties);
    }
  }
  g_list_free_full (devices, gst_object_unref);
  gst_object_unref (monitor);
  return path;
}

static void
on_activate (GtkApplication * application, gpointer data)
{
  camera_window_show (application, data);
}

static gboolean
show_window (CameraSettings * settings, GError ** error)
{
  const gchar *pictures = g_get_user_special_dir (G_USER_DIRECTORY_PICTURES);
  GtkApplication *application;
  gint status;

  if (!gtk_init_check (NULL, NULL)) {
    g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
        "there is no display to show a window on");
    return FALSE;
  }
  if (settings->directory == NULL)
    settings->directory = g_strdup (pictures ? pictures : ".");
  if (settings->camera == NULL && settings->file == NULL && !settings->test)
    settings->camera = find_camera ();
  application = gtk_application_new (NULL, G_APPLICATION_NON_UNIQUE);
  g_signal_connect (application, "activate", G_CALLBACK (on_activate),
      settings);
  status = g_application_run (G_APPLICATION (application), 0, NULL);
  g_object_unref (application);
  return status == 0;
}

int
main (int argc, char *argv[])
{
  CameraSettings settings = { NULL };
  const GOptionEntry entries[] = {
    {"camera", 'c', 0, G_OPTION_ARG_FILENAME, &settings.camera,
        "Camera, like /dev/video0 (the first one)", "DEVICE"},
    {"file", 'f', 0, G_OPTION_ARG_FILENAME, &settings.file,
        "A video in its place, again and again", "VIDEO"},
    {"test-source", 't', 0, G_OPTION_ARG_NONE, &settings.test,
        "A test source in its place", NULL},
    {"device", 'd', 0, G_OPTION_ARG_STRING, &settings.device,
        "OpenCL device, like :cpu: or NVIDIA", "DEVICE"},
    {"pictures", 'p', 0, G_OPTION_ARG_FILENAME, &settings.directory,
        "Where pictures are saved", "DIRECTORY"},
    {NULL}
  };
  GOptionContext *context = g_option_context_new (NULL);
  GError *error = NULL;
  gboolean ok;

  g_option_context_set_summary (context,
      "Shows what a camera sees, filtered, and what is found in it.");
  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  ok = g_option_context_parse (context, &argc, &argv, &error)
      && show_window (&settings, &error);
  g_option_context_free (context);
  if (error != NULL)
    g_printerr ("camera: %s\n", error->message);
  g_clear_error (&error);
  g_free (settings.camera);
  g_free (settings.file);
  g_free (settings.device);
  g_free (settings.directory);
  return ok ? EXIT_SUCCESS : FAILED;
}
