/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Parses the properties of mgputags that describe tags and camera. */
#include "gstmgputagsscene.h"

#include <math.h>
#include <string.h>

#include <gst/models/dictionary-load.h>
#include <gst/vision/remap/lens-camera.h>
#include <kernels/tags/tags-shared.h>

#define DEFAULT_FAMILIES "tag36h11"

/* Maximum relative difference between the aspect ratios of frames and calibration */
#define MAX_ASPECT 0.005

/* Maximum size of a tag, in meters */
#define MAX_SIZE 100

static gboolean
G_GNUC_PRINTF (2, 3)
fail (GError ** error, const gchar * format, ...)
{
  va_list args;
  gchar *text;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      text);
  g_free (text);
  return FALSE;
}

/* Adds the remedy to the error of the file that the property @name names. Returns: FALSE */
static gboolean
fail_file (const gchar * name, GError * cause, GError ** error)
{
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
      "%s: correct the file or \"%s\"", cause->message, name);
  g_error_free (cause);
  return FALSE;
}

/* ---- Families ----------------------------------------------------------------------- */

static const MgpuTagDictionary *
find_family (const GstMgpuTagsScene * self, const gchar * name)
{
  for (guint i = 0; i < self->families->len; i++) {
    const MgpuTagDictionary *family = self->families->pdata[i];

    if (strcmp (family->name, name) == 0)
      return family;
  }
  return NULL;
}

/* Adds @family (transfer full), to the list, unless the list contains it. */
static gboolean
add_family (GstMgpuTagsScene * self, MgpuTagDictionary * family,
    GError ** error)
{
  if (find_family (self, family->name) != NULL) {
    mgpu_tag_dictionary_free (family);
    return TRUE;
  }
  g_ptr_array_add (self->families, family);
  return self->families->len <= TAGS_MAX_FAMILIES || fail (error,
      "there are more than %d families of tags in \"families\"",
      TAGS_MAX_FAMILIES);
}

static gboolean
add_families (GstMgpuTagsScene * self, const gchar * list, GError ** error)
{
  gchar **names = g_strsplit (list, ",", -1);
  gboolean ok = TRUE;

  for (guint i = 0; ok && names[i] != NULL; i++) {
    const gchar *name = g_strstrip (names[i]);
    MgpuTagDictionary *family;

    if (*name == '\0')
      continue;
    family = mgpu_tag_dictionary_find (name);
    ok = family != NULL ? add_family (self, family, error)
        : fail (error,
        "\"families\" contains %s, which is not a tag family: use names such "
        "as tag36h11, tagStandard41h12, tagAruco4x4_50 or DICT_4X4_50", name);
  }
  g_strfreev (names);
  return ok;
}

static gboolean
read_families (GstMgpuTagsScene * self, const GstMgpuTagsWords * words,
    GError ** error)
{
  MgpuTagDictionary *family;
  GError *cause = NULL;

  if (words->dictionary_location != NULL) {
    family = mgpu_tag_dictionary_load (words->dictionary_location, &cause);
    if (family == NULL)
      return fail_file ("dictionary-location", cause, error);
    if (!add_family (self, family, error))
      return FALSE;
  }
  if (words->families != NULL)
    return add_families (self, words->families, error);
  return self->families->len > 0 || add_families (self, DEFAULT_FAMILIES,
      error);
}

/* ---- Sizes ---------------------------------------------------------------------------- */

/* Reads a non-negative number. Returns: FALSE if the text does not begin with one */
static gboolean
read_id (const gchar ** at, guint * id)
{
  gchar *end;
  guint64 number;

  if (!g_ascii_isdigit (**at))
    return FALSE;
  number = g_ascii_strtoull (*at, &end, 10);
  *at = end;
  *id = MIN (number, G_MAXINT);
  return TRUE;
}

/* Parses a size such as "tag36h11:0-9=0.16"; the ids may be left out. */
static gboolean
read_size (GstMgpuTagsScene * self, const gchar * text, GError ** error)
{
  gsize length = strcspn (text, ":=");
  g_autofree gchar *name = g_strndup (text, length);
  GstMgpuTagsSize size = { find_family (self, g_strstrip (name)), 0, G_MAXINT };
  const gchar *at = text + length;
  gboolean ok = TRUE;
  gchar *end;

  if (size.family == NULL)
    return fail (error, "\"tag-sizes\" contains the family %s, but "
        "\"families\" does not", name);
  if (*at == ':') {
    at++;
    ok = read_id (&at, &size.first);
    size.last = size.first;
    if (ok && *at == '-') {
      at++;
      ok = read_id (&at, &size.last) && size.last >= size.first;
    }
  }
  if (ok && *at == '=') {
    size.size = g_ascii_strtod (at + 1, &end);
    ok = end > at + 1 && end[strspn (end, " \t")] == '\0';
  }
  if (!ok || !(size.size > 0 && size.size <= MAX_SIZE))
    return fail (error,
        "\"tag-sizes\" contains \"%s\", which has no valid form: write "
        "FAMILY:FIRST-LAST=SIZE, with a size above 0 and up to %d meters", text,
        MAX_SIZE);
  g_array_append_val (self->sizes, size);
  return TRUE;
}

static gboolean
read_sizes (GstMgpuTagsScene * self, const gchar * list, GError ** error)
{
  gchar **texts = g_strsplit (list, ";", -1);
  gboolean ok = TRUE;

  for (guint i = 0; ok && texts[i] != NULL; i++)
    if (*g_strstrip (texts[i]) != '\0')
      ok = read_size (self, texts[i], error);
  g_strfreev (texts);
  return ok;
}

gdouble
gst_mgpu_tags_scene_get_size (const GstMgpuTagsScene * self,
    const MgpuTagDictionary * family, guint id)
{
  for (guint i = 0; i < self->sizes->len; i++) {
    const GstMgpuTagsSize *size = &g_array_index (self->sizes, GstMgpuTagsSize,
        i);

    if (size->family == family && id >= size->first && id <= size->last)
      return size->size;
  }
  return self->tag_size;
}

/* ---- Camera ------------------------------------------------------------------------------ */

/* Parses "fx,fy,cx,cy", followed by up to 5 distortion coefficients of the lens. */
static gboolean
read_camera (GstMgpuTagsScene * self, const gchar * text, GError ** error)
{
  MgpuCamera *camera;
  gdouble numbers[9] = { 0 };
  const gchar *at = text;
  guint n = 0;
  gchar *end;

  while (n < G_N_ELEMENTS (numbers)) {
    numbers[n] = g_ascii_strtod (at, &end);
    if (end == at || !isfinite (numbers[n]))
      break;
    n++;
    at = end + strspn (end, " \t");
    if (*at != ',')
      break;
    at++;
  }
  if (n < 4 || (n > 4 && n < 8) || *at != '\0' || !(numbers[0] > 0)
      || !(numbers[1] > 0) || numbers[0] > 1e6 || numbers[1] > 1e6)
    return fail (error, "\"camera\" is \"%s\", which is not valid: write "
        "fx,fy,cx,cy or fx,fy,cx,cy,k1,k2,p1,p2 or fx,fy,cx,cy,k1,k2,p1,p2,k3, "
        "with focal lengths above 0", text);
  self->calibration = g_new0 (MgpuCalibration, 1);
  self->calibration->name = g_strdup ("camera");
  camera = &self->calibration->camera;
  camera->beta = 1;
  memcpy (camera->focal, numbers, sizeof (camera->focal));
  memcpy (camera->centre, numbers + 2, sizeof (camera->centre));
  memcpy (camera->k, numbers + 4, 5 * sizeof (gdouble));
  return TRUE;
}

/* Sets @model to @camera, scaled to frames of @width x @height. Returns: FALSE if the frames have
 * another aspect ratio */
static gboolean
fit_camera (MgpuCamera camera, gint width, gint height, MgpuLensModel * model)
{
  gdouble x, y;

  if (camera.width <= 0 || camera.height <= 0) {
    camera.width = width;
    camera.height = height;
  }
  x = width / (gdouble) camera.width;
  y = height / (gdouble) camera.height;
  if (fabs (x / y - 1) > MAX_ASPECT)
    return FALSE;
  mgpu_camera_scale (&camera, x, y, width, height);
  mgpu_lens_model_init (model, &camera);
  return TRUE;
}

gboolean
gst_mgpu_tags_scene_fit (GstMgpuTagsScene * self, gint width, gint height,
    GError ** error)
{
  const MgpuCamera *camera;

  self->has_camera = FALSE;
  self->has_arrived = FALSE;
  if (self->calibration == NULL)
    return TRUE;
  camera = &self->calibration->camera;
  self->has_camera = fit_camera (*camera, width, height, &self->model);
  if (!self->has_camera)
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "frames of %dx%d do not fit the calibration for %dx%d: calibrate for "
        "this aspect ratio", width, height, camera->width, camera->height);
  return self->has_camera;
}

const MgpuLensModel *
gst_mgpu_tags_scene_find_model (GstMgpuTagsScene * self, GstBuffer * frame,
    gint width, gint height)
{
  GstMgpuCameraMeta *meta = gst_buffer_get_mgpu_camera_meta (frame);
  GstMgpuCamera arrived;
  MgpuCamera camera;

  if (self->has_camera)
    return &self->model;
  if (meta == NULL)
    return NULL;
  memset (&arrived, 0, sizeof (arrived));
  gst_mgpu_camera_meta_get_camera (meta, &arrived);
  if (!self->has_arrived
      || memcmp (&arrived, &self->arrived, sizeof (arrived)) != 0) {
    self->arrived = arrived;
    self->has_arrived = TRUE;
    self->fits_arrived = mgpu_camera_set_public (&camera, &arrived)
        && fit_camera (camera, width, height, &self->arrived_model);
  }
  return self->fits_arrived ? &self->arrived_model : NULL;
}

/* ---- Tags and camera
 * ------------------------------------------------------------------------------ */

static gboolean
read_words (GstMgpuTagsScene * self, const GstMgpuTagsWords * words,
    GError ** error)
{
  GError *cause = NULL;

  self->tag_size = words->tag_size;
  if (!read_families (self, words, error)
      || (words->tag_sizes != NULL
          && !read_sizes (self, words->tag_sizes, error)))
    return FALSE;
  if (words->calibration != NULL)
    self->calibration =
        mgpu_calibration_load (words->calibration, NULL, &cause);
  else if (words->camera != NULL && !read_camera (self, words->camera, error))
    return FALSE;
  if (words->calibration != NULL && self->calibration == NULL)
    return fail_file ("calibration", cause, error);
  if (words->board_location != NULL)
    self->board = mgpu_board_load (words->board_location, &cause);
  return words->board_location == NULL || self->board != NULL
      || fail_file ("board-location", cause, error);
}

GstMgpuTagsScene *
gst_mgpu_tags_scene_new (const GstMgpuTagsWords * words, GError ** error)
{
  GstMgpuTagsScene *self = g_new0 (GstMgpuTagsScene, 1);

  self->families = g_ptr_array_new_with_free_func ((GDestroyNotify)
      mgpu_tag_dictionary_free);
  self->sizes = g_array_new (FALSE, FALSE, sizeof (GstMgpuTagsSize));
  if (!read_words (self, words, error))
    g_clear_pointer (&self, gst_mgpu_tags_scene_free);
  return self;
}

void
gst_mgpu_tags_scene_free (GstMgpuTagsScene * self)
{
  g_ptr_array_unref (self->families);
  g_array_unref (self->sizes);
  g_clear_pointer (&self->calibration, mgpu_calibration_free);
  g_clear_pointer (&self->board, mgpu_board_free);
  g_free (self);
}
