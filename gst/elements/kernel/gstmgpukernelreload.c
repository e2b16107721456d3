/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Reloads the file of mgpukernel when it changes while the element plays. */
#include "gstmgpukernel.h"

#include <gst/models/kernel-load.h>

#include <sys/stat.h>

#include "gstmgpukernelresults.h"

/* Minimum time between two checks of the files, in us */
#define LOOK_INTERVAL (G_USEC_PER_SEC / 4)

/* Posts a warning message. */
static void
warn (GstMgpuKernel * self, const GError * error, const gchar * end)
{
  g_autofree gchar *text = gst_mgpu_error_make_text (GST_ELEMENT (self), error);

  GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s%s", text, end), (NULL));
}

static GstMgpuKernelBuild *
build_new (const GstMgpuKernelParams * now)
{
  return gst_mgpu_kernel_build_new (now->location, now->source, now->kernel);
}

/* Stores the list of files that @build has read. */
static void
take_files (GstMgpuKernel * self, GstMgpuKernelBuild * build)
{
  g_clear_pointer (&self->files, g_ptr_array_unref);
  if (build->source == NULL && build->location != NULL)
    self->files = g_ptr_array_ref (build->files);
  self->stamp = build->stamp;
}

GError *
gst_mgpu_kernel_load (GstMgpuKernel * self, const GstMgpuKernelParams * now)
{
  GstMgpuKernelBuild *build = build_new (now);
  GError *error;

  self->n_loaded = now->n_set;
  self->looked = g_get_monotonic_time ();
  self->is_gone = FALSE;
  if (gst_mgpu_kernel_build_load (build, NULL)) {
    take_files (self, build);
    gst_mgpu_kernel_set_text (self, build->text, build->kernel);
    GST_MGPU_INFO_OBJECT (self,
        "read %s; kernels: %u, parameters: %u, results: %u", build->text->name,
        build->text->functions->len, build->text->params->len,
        build->text->results->len);
    gst_mgpu_kernel_log_text (self, build->text, build->files);
  }
  error = g_steal_pointer (&build->error);
  gst_mgpu_kernel_build_free (build);
  return error;
}

/* ---- Taking a new program --------------------------------------------------------- */

/* Removes from "params" the fields of parameters that the old text has, but the new text does not
 * have. Posts a warning that names these parameters. */
static void
forget_params (GstMgpuKernel * self, const MgpuKernelText * text)
{
  GString *gone = g_string_new (NULL);

  GST_OBJECT_LOCK (self);
  for (guint i = 0; self->built != NULL && i < self->built->params->len; i++) {
    const gchar *name =
        g_array_index (self->built->params, MgpuKernelParam, i).name;

    if (self->set == NULL || !gst_structure_has_field (self->set, name)
        || mgpu_kernel_text_find_param (text, name) >= 0)
      continue;
    gst_structure_remove_field (self->set, name);
    g_string_append_printf (gone, "%s\"%s\"", gone->len > 0 ? ", " : "", name);
  }
  GST_OBJECT_UNLOCK (self);
  if (gone->len > 0)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS,
        ("%s: %s no longer has these "
            "parameters, whose values are forgotten: %s",
            GST_OBJECT_NAME (self), text->name, gone->str), (NULL));
  g_string_free (gone, TRUE);
}

/* Checks whether downstream accepts frames of the format that @text outputs. */
static gboolean
is_output_accepted (GstMgpuKernel * self, const MgpuKernelText * text)
{
  GstPad *pad = GST_BASE_TRANSFORM_SRC_PAD (self);
  GstVideoFormat format = gst_mgpu_kernel_get_output (text,
      GST_VIDEO_INFO_FORMAT (&GST_MGPU_FILTER (self)->input.info));
  GstCaps *caps = gst_pad_get_current_caps (pad);
  gboolean is_accepted;

  if (caps == NULL)
    return TRUE;
  caps = gst_caps_make_writable (caps);
  gst_caps_set_simple (caps, "format", G_TYPE_STRING,
      gst_video_format_to_string (format), NULL);
  gst_structure_remove_fields (gst_caps_get_structure (caps, 0), "colorimetry",
      "chroma-site", NULL);
  is_accepted = gst_pad_peer_query_accept_caps (pad, caps);
  gst_caps_unref (caps);
  return is_accepted;
}

/* Replaces the program by the one that was built; if the build failed, posts the reason, and keeps
 * the old program. */
static void
take_build (GstMgpuKernel * self, GstMgpuKernelBuild * build)
{
  take_files (self, build);
  if (build->error == NULL && build->object == NULL
      && !is_output_accepted (self, build->text))
    g_set_error (&build->error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "the element downstream does not accept frames of the format that %s "
        "makes", build->text->name);
  gst_mgpu_kernel_set_log (self, build->log, build->error);
  if (build->error != NULL) {
    GST_MGPU_INFO_OBJECT (self, "keeping the old program, because of an error "
        "after %"
        G_GINT64_FORMAT " us: %s", build->elapsed, build->error->message);
    warn (self, build->error, ": the old program stays in use");
    return;
  }
  GST_MGPU_INFO_OBJECT (self, "using %s from now on; it was read and built in %"
      G_GINT64_FORMAT " us%s", build->text->name, build->elapsed,
      build->object != NULL ? "" : ", and has to be built again for other "
      "caps");
  gst_mgpu_kernel_log_text (self, build->text, build->files);
  forget_params (self, build->text);
  gst_mgpu_kernel_set_text (self, build->text, build->kernel);
  if (build->object != NULL)
    gst_mgpu_kernel_set_object (self, g_steal_pointer (&build->object),
        build->text, build->kernel);
  else
    /* Negotiates caps with the output format of the new program, which is then built again. */
    gst_base_transform_reconfigure_src (GST_BASE_TRANSFORM (self));
}

/* Sets the formats of the frames for which @build builds the kernels. */
static void
set_formats (GstMgpuKernel * self, GstMgpuKernelBuild * build)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);

  build->context = gst_object_ref (filter->base.context);
  build->in = filter->input.info;
  build->out = filter->output.info;
  if (gst_mgpu_guide_has_pad (filter->guide)
      && GST_VIDEO_INFO_FORMAT (&gst_mgpu_guide_get_input (filter->guide)->info)
      != GST_VIDEO_FORMAT_UNKNOWN)
    build->second = gst_mgpu_guide_get_input (filter->guide)->info;
}

/* ---- Looking at the files --------------------------------------------------------- */

void
gst_mgpu_kernel_stop_build (GstMgpuKernel * self)
{
  if (self->build == NULL)
    return;
  GST_MGPU_DEBUG_OBJECT (self, "cancelling the current build");
  g_clear_pointer (&self->build, gst_mgpu_kernel_build_free);
  /* Makes the next build read the files again. */
  self->stamp = 0;
}

/* Posts a warning when the file has disappeared. Returns: whether the file can be read now */
static gboolean
check_file (GstMgpuKernel * self, const gchar * location)
{
  gboolean was_gone = self->is_gone, was_empty = self->is_empty;
  struct stat status;

  self->is_gone = stat (location, &status) != 0;
  self->is_empty = !self->is_gone && status.st_size == 0;
  if (self->is_gone && !was_gone)
    GST_ELEMENT_WARNING (self, RESOURCE, NOT_FOUND,
        ("%s: %s is gone: the old program stays in use", GST_OBJECT_NAME (self),
            self->text->name), ("%s", location));
  /* Waits for the next check, because an editor that writes a file first makes it empty. */
  if (self->is_empty && !was_empty)
    GST_MGPU_DEBUG_OBJECT (self, "%s is empty: checking once more before "
        "reading the file", location);
  return !self->is_gone && (!self->is_empty || was_empty);
}

/* Starts to build the file if it has changed. */
static void
look (GstMgpuKernel * self, const GstMgpuKernelParams * now)
{
  gint64 time = g_get_monotonic_time ();
  guint64 stamp;

  if (time - self->looked < LOOK_INTERVAL)
    return;
  self->looked = time;
  stamp = mgpu_kernel_get_stamp (self->files);
  if (stamp == self->stamp || !check_file (self, now->location))
    return;
  GST_MGPU_INFO_OBJECT (self, "building %s, because it has changed",
      now->location);
  self->stamp = stamp;
  self->build = build_new (now);
  set_formats (self, self->build);
  gst_mgpu_kernel_build_start (self->build, self->files);
}

/* Builds the text that the properties now select; the current frame waits for the build. */
static void
change (GstMgpuKernel * self, const GstMgpuKernelParams * now)
{
  GstMgpuKernelBuild *build = build_new (now);

  GST_MGPU_INFO_OBJECT (self, "building %s, because this property was set",
      now->source != NULL ? "\"source\"" : now->location);
  gst_mgpu_kernel_stop_build (self);
  self->n_loaded = now->n_set;
  self->is_gone = FALSE;
  set_formats (self, build);
  gst_mgpu_kernel_build_run (build, NULL);
  take_build (self, build);
  gst_mgpu_kernel_build_free (build);
}

void
gst_mgpu_kernel_update (GstMgpuKernel * self)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  GstMgpuKernelParams *now = gst_mgpu_filter_copy_params (filter);

  if (now->n_set != self->n_loaded) {
    change (self, now);
  } else if (self->build != NULL) {
    if (gst_mgpu_kernel_build_is_done (self->build)) {
      take_build (self, self->build);
      g_clear_pointer (&self->build, gst_mgpu_kernel_build_free);
    }
  } else if (now->reload && self->files != NULL) {
    look (self, now);
  }
  gst_mgpu_filter_free_params (filter, now);
}

/* ---- Parameters ------------------------------------------------------------------- */

void
gst_mgpu_kernel_update_values (GstMgpuKernel * self)
{
  gchar *faults = NULL;
  gboolean is_new;

  GST_OBJECT_LOCK (self);
  is_new = self->is_stale || self->n_used != self->n_set;
  if (is_new)
    faults = gst_mgpu_kernel_find_values (self->built, self->set, self->values);
  self->n_used = self->n_set;
  self->is_stale = FALSE;
  GST_OBJECT_UNLOCK (self);
  if (is_new)
    gst_mgpu_kernel_log_values (self);
  if (faults != NULL)
    GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s: the property "
            "\"params\": %s", GST_OBJECT_NAME (self), faults), (NULL));
  g_free (faults);
}
