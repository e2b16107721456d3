/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Masks of mgpuinpaint: see the header. */
#include "gstmgpuinpaintmask.h"

#include <string.h>

#include <gst/mgpu/mgpu.h>
#include <gst/vision/inpaint/plan.h>

#include <gst/frame/gstmgpupools.h>
#include <gst/frame/gstmgpuimport.h>
#include "gstmgpumask.h"

#define DEFAULT_MASK_SOURCE GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY
#define DEFAULT_MASK_DILATE 0
#define DEFAULT_SCALE_MASK FALSE
#define DEFAULT_MASK_HOLD 0
#define MAX_MASK_DILATE 256
#define MAX_MASK_HOLD 1000

GType
gst_mgpu_inpaint_mask_source_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY,
        "The properties mask-location and rectangle", "property"},
    {GST_MGPU_INPAINT_MASK_SOURCE_ROI, "Regions of interest of the frames",
        "roi"},
    {GST_MGPU_INPAINT_MASK_SOURCE_ALPHA, "What is transparent in the frames",
        "alpha"},
    {GST_MGPU_INPAINT_MASK_SOURCE_PAD, "The stream at the pad mask_sink",
        "pad"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type,
        g_enum_register_static ("GstMgpuInpaintMaskSource", values));
  return type;
}

void
gst_mgpu_inpaint_mask_settings_copy (const GstMgpuInpaintMaskSettings * from,
    GstMgpuInpaintMaskSettings * to)
{
  *to = *from;
  to->location = g_strdup (from->location);
  to->source_location = g_strdup (from->source_location);
  to->rectangle = g_strdup (from->rectangle);
  to->roi_type = g_strdup (from->roi_type);
}

void
gst_mgpu_inpaint_mask_settings_clear (GstMgpuInpaintMaskSettings * settings)
{
  g_free (settings->location);
  g_free (settings->source_location);
  g_free (settings->rectangle);
  g_free (settings->roi_type);
}

/* --- Properties --- */

void
gst_mgpu_inpaint_mask_settings_init (GstMgpuInpaintMaskSettings * settings)
{
  memset (settings, 0, sizeof (*settings));
  settings->source = DEFAULT_MASK_SOURCE;
  settings->dilate = DEFAULT_MASK_DILATE;
  settings->scale = DEFAULT_SCALE_MASK;
  settings->hold = DEFAULT_MASK_HOLD;
}

/* Empty is unset. */
static void
take_string (gchar ** string, const GValue * value)
{
  const gchar *text = g_value_get_string (value);

  g_free (*string);
  *string = text != NULL && text[0] != '\0' ? g_strdup (text) : NULL;
}

gboolean
gst_mgpu_inpaint_mask_settings_set (GstMgpuInpaintMaskSettings * settings,
    guint id, const GValue * value)
{
  switch (id) {
    case PROP_MASK_SOURCE:
      settings->source = g_value_get_enum (value);
      break;
    case PROP_MASK_LOCATION:
      take_string (&settings->location, value);
      break;
    case PROP_SOURCE_MASK_LOCATION:
      take_string (&settings->source_location, value);
      break;
    case PROP_RECTANGLE:
      take_string (&settings->rectangle, value);
      break;
    case PROP_ROI_TYPE:
      take_string (&settings->roi_type, value);
      break;
    case PROP_MASK_DILATE:
      settings->dilate = g_value_get_uint (value);
      break;
    case PROP_SCALE_MASK:
      settings->scale = g_value_get_boolean (value);
      break;
    case PROP_MASK_HOLD:
      settings->hold = g_value_get_uint (value);
      break;
    default:
      return FALSE;
  }
  if (id == PROP_MASK_LOCATION || id == PROP_SOURCE_MASK_LOCATION
      || id == PROP_MASK_SOURCE || id == PROP_SCALE_MASK)
    settings->file_serial++;
  return TRUE;
}

gboolean
gst_mgpu_inpaint_mask_settings_get (const GstMgpuInpaintMaskSettings * settings,
    guint id, GValue * value)
{
  switch (id) {
    case PROP_MASK_SOURCE:
      g_value_set_enum (value, settings->source);
      break;
    case PROP_MASK_LOCATION:
      g_value_set_string (value, settings->location);
      break;
    case PROP_SOURCE_MASK_LOCATION:
      g_value_set_string (value, settings->source_location);
      break;
    case PROP_RECTANGLE:
      g_value_set_string (value, settings->rectangle);
      break;
    case PROP_ROI_TYPE:
      g_value_set_string (value, settings->roi_type);
      break;
    case PROP_MASK_DILATE:
      g_value_set_uint (value, settings->dilate);
      break;
    case PROP_SCALE_MASK:
      g_value_set_boolean (value, settings->scale);
      break;
    case PROP_MASK_HOLD:
      g_value_set_uint (value, settings->hold);
      break;
    default:
      return FALSE;
  }
  return TRUE;
}

static void
install_mask_properties (GObjectClass * object_class)
{
  /**
   * GstMgpuInpaint:mask-source:
   *
   * Where the mask comes from.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MASK_SOURCE,
      g_param_spec_enum ("mask-source", "Source of the mask",
          "Where the mask comes from", GST_TYPE_MGPU_INPAINT_MASK_SOURCE,
          DEFAULT_MASK_SOURCE, GST_MGPU_LIVE));

  /**
   * GstMgpuInpaint:rectangle:
   *
   * What is removed: "x,y,width,height" in pixels. What lies outside of the
   * frame is left out.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_RECTANGLE,
      g_param_spec_string ("rectangle", "Rectangle",
          "What is removed: x,y,width,height in pixels", NULL, GST_MGPU_LIVE));

  /**
   * GstMgpuInpaint:roi-type:
   *
   * Only regions of interest of this type are removed; unset, all of them.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_ROI_TYPE,
      g_param_spec_string ("roi-type", "Type of regions",
          "mask-source=roi: only regions of this type (unset = all)", NULL,
          GST_MGPU_LIVE));

  /**
   * GstMgpuInpaint:mask-dilate:
   *
   * By how many pixels the mask grows on all sides. Borders of objects are
   * seldom sharp.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MASK_DILATE,
      g_param_spec_uint ("mask-dilate", "Growth of the mask",
          "By how many pixels the mask grows on all sides", 0, MAX_MASK_DILATE,
          DEFAULT_MASK_DILATE, GST_MGPU_LIVE));

  /**
   * GstMgpuInpaint:mask-hold:
   *
   * For how many frames more what was removed from one is removed: a detector
   * misses an object now and then. Of no use for masks of properties.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MASK_HOLD,
      g_param_spec_uint ("mask-hold", "Frames of a mask",
          "For how many frames more what was removed from one is removed (not "
          "with mask-source=property)", 0,
          MAX_MASK_HOLD, DEFAULT_MASK_HOLD, GST_MGPU_LIVE));
}

static void
install_file_properties (GObjectClass * object_class)
{
  /**
   * GstMgpuInpaint:mask-location:
   *
   * An image file (PNG, JPEG, PGM) of the size of the frames: what is brighter
   * than 127 in it is removed. Read when it is set. With #GstMgpuInpaint:rectangle
   * both are removed.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MASK_LOCATION,
      g_param_spec_string ("mask-location", "Mask file",
          "Image file: what is brighter than 127 in it is removed", NULL,
          GST_MGPU_LIVE));

  /**
   * GstMgpuInpaint:source-mask-location:
   *
   * An image file of the size of the frames: what is brighter than 127 in it is
   * not copied from.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_SOURCE_MASK_LOCATION,
      g_param_spec_string ("source-mask-location", "Source mask file",
          "Image file: what is brighter than 127 in it is not copied from",
          NULL, GST_MGPU_LIVE));

  /**
   * GstMgpuInpaint:scale-mask:
   *
   * Whether files of another size are scaled to that of the frames.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_SCALE_MASK,
      g_param_spec_boolean ("scale-mask", "Scale the mask",
          "Whether files of another size are scaled to that of the frames",
          DEFAULT_SCALE_MASK, GST_MGPU_LIVE));
}

void
gst_mgpu_inpaint_mask_settings_install (GObjectClass * object_class)
{
  install_mask_properties (object_class);
  install_file_properties (object_class);
}

/* --- The mask of a frame --- */

/* What lies outside of the frame is left out. */
static void
mark_box (GstMgpuInpaintMask * self, gint64 x, gint64 y, gint64 width,
    gint64 height)
{
  gint x0 = CLAMP (x, 0, self->width), x1 = CLAMP (x + width, 0, self->width);
  gint y1 = CLAMP (y + height, 0, self->height);

  for (gint row = CLAMP (y, 0, self->height); row < y1; row++)
    if (x1 > x0)
      memset (self->marked + (gsize) row * self->width + x0, 255, x1 - x0);
}

/* Reads "x,y,width,height" of 32 bits each, and nothing else. */
static gboolean
parse_rectangle (const gchar * text, gint64 box[4])
{
  for (guint i = 0; i < 4; i++) {
    gchar *end;

    box[i] = g_ascii_strtoll (text, &end, 10);
    if (end == text || *end != (i < 3 ? ',' : '\0') || box[i] < G_MININT
        || box[i] > G_MAXINT)
      return FALSE;
    text = end + 1;
  }
  return box[2] > 0 && box[3] > 0;
}

static gboolean
mark_rectangle (GstMgpuInpaintMask * self, const gchar * text, GError ** error)
{
  gint64 box[4];

  if (!parse_rectangle (text, box)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "\"%s\" is no rectangle: set \"rectangle\" to x,y,width,height in "
        "pixels, for example 10,20,76,128", text);
    return FALSE;
  }
  mark_box (self, box[0], box[1], box[2], box[3]);
  return TRUE;
}

static void
mark_regions (GstMgpuInpaintMask * self, GstBuffer * buffer, const gchar * type)
{
  GstVideoRegionOfInterestMeta *roi;
  gpointer state = NULL;

  while ((roi = (GstVideoRegionOfInterestMeta *)
          gst_buffer_iterate_meta_filtered (buffer, &state,
              GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) != NULL)
    /* A region that begins left of the frame or above has a negative number
     * there, in spite of the type. */
    if (type == NULL || g_strcmp0 (g_quark_to_string (roi->roi_type), type) == 0)
      mark_box (self, (gint32) roi->x, (gint32) roi->y, roi->w, roi->h);
}

static gboolean
mark_transparent (GstMgpuInpaintMask * self, GstBuffer * buffer,
    const GstVideoInfo * info, GError ** error)
{
  GstVideoFrame frame;

  if (!GST_VIDEO_INFO_HAS_ALPHA (info)) {
    g_set_error (error, GST_MGPU_ERROR, GST_MGPU_ERROR_UNSUPPORTED,
        "\"mask-source\" is alpha, but %s frames have none: put \"videoconvert "
        "! video/x-raw,format=RGBA\" after what makes them transparent",
        GST_VIDEO_INFO_NAME (info));
    return FALSE;
  }
  if (!gst_mgpu_import_map (info, &frame, buffer, error))
    return FALSE;
  for (gint y = 0; y < self->height; y++) {
    const guint8 *row = (const guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, 3)
        + (gssize) y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 3);

    for (gint x = 0; x < self->width; x++)
      self->marked[(gsize) y * self->width + x] =
          255 - row[x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, 3)];
  }
  gst_video_frame_unmap (&frame);
  return TRUE;
}

/* Returns: (nullable): 255 in each pixel that is set in the file */
static guint8 *
load (GstMgpuInpaintMask * self, const gchar * location, gboolean scale,
    const gchar * property, GError ** error)
{
  GstMgpuMask *mask = gst_mgpu_mask_load (location, self->width, self->height,
      scale, property, error);
  guint8 *data = NULL;

  if (mask != NULL)
    data = g_steal_pointer (&mask->data);
  gst_mgpu_mask_free (mask);
  return data;
}

/* Reads the files anew when what they depend on changed. */
static gboolean
load_files (GstMgpuInpaintMask * self,
    const GstMgpuInpaintMaskSettings * settings, GError ** error)
{
  gsize n = (gsize) self->width * self->height;

  if (self->loaded && self->file_serial == settings->file_serial)
    return TRUE;
  g_clear_pointer (&self->file, g_free);
  g_clear_pointer (&self->forbidden, g_free);
  self->loaded = FALSE;
  if (settings->location != NULL
      && settings->source == GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY
      && (self->file = load (self, settings->location, settings->scale,
              "mask-location", error)) == NULL)
    return FALSE;
  if (settings->source_location != NULL) {
    self->forbidden = load (self, settings->source_location, settings->scale,
        "source-mask-location", error);
    if (self->forbidden == NULL)
      return FALSE;
    for (gsize i = 0; i < n; i++)
      self->forbidden[i] = self->forbidden[i] >= GST_MGPU_MASK_THRESHOLD;
  }
  self->file_serial = settings->file_serial;
  self->loaded = TRUE;
  return TRUE;
}

static gboolean
mark_picture (GstMgpuInpaintMask * self, GstVideoFrame * picture,
    GError ** error)
{
  if (picture == NULL) {
    g_set_error_literal (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "\"mask-source\" is pad, but there is no pad \"mask_sink\": link a "
        "GRAY8 stream to it");
    return FALSE;
  }
  for (gint y = 0; y < self->height; y++)
    memcpy (self->marked + (gsize) y * self->width,
        (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (picture, 0)
        + (gssize) y * GST_VIDEO_FRAME_PLANE_STRIDE (picture, 0), self->width);
  return TRUE;
}

static gboolean
mark (GstMgpuInpaintMask * self, const GstMgpuInpaintMaskSettings * settings,
    const GstVideoInfo * info, GstBuffer * buffer, GstVideoFrame * picture,
    GError ** error)
{
  gsize n = (gsize) self->width * self->height;

  if (self->file != NULL)
    memcpy (self->marked, self->file, n);
  else
    memset (self->marked, 0, n);
  switch (settings->source) {
    case GST_MGPU_INPAINT_MASK_SOURCE_ROI:
      mark_regions (self, buffer, settings->roi_type);
      return TRUE;
    case GST_MGPU_INPAINT_MASK_SOURCE_ALPHA:
      return mark_transparent (self, buffer, info, error);
    case GST_MGPU_INPAINT_MASK_SOURCE_PAD:
      return mark_picture (self, picture, error);
    case GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY:
    default:
      return settings->rectangle == NULL
          || mark_rectangle (self, settings->rectangle, error);
  }
}

/* Marks what was marked in the n frames before, too. */
static void
hold (GstMgpuInpaintMask * self, guint n)
{
  gsize size = (gsize) self->width * self->height;

  if (n == 0) {
    g_clear_pointer (&self->held, g_free);
    return;
  }
  if (self->held == NULL)
    self->held = g_new0 (guint16, size);
  for (gsize i = 0; i < size; i++) {
    if (self->marked[i] >= GST_MGPU_MASK_THRESHOLD)
      self->held[i] = n;
    else if (self->held[i] > 0) {
      self->held[i] = MIN (self->held[i], n) - 1;
      self->marked[i] = 255;
    }
  }
}

gboolean
gst_mgpu_inpaint_mask_update (GstMgpuInpaintMask * self,
    const GstMgpuInpaintMaskSettings * settings, const GstVideoInfo * info,
    GstBuffer * buffer, GstVideoFrame * picture, gboolean * changed,
    GError ** error)
{
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (info) * GST_VIDEO_INFO_HEIGHT (info);
  gboolean is_new;

  if (self->width != GST_VIDEO_INFO_WIDTH (info)
      || self->height != GST_VIDEO_INFO_HEIGHT (info)) {
    gst_mgpu_inpaint_mask_clear (self);
    self->width = GST_VIDEO_INFO_WIDTH (info);
    self->height = GST_VIDEO_INFO_HEIGHT (info);
  }
  is_new = !self->loaded || self->serial != settings->serial;
  *changed = FALSE;
  if (!is_new && settings->source == GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY)
    return TRUE;

  if (self->unknown == NULL) {
    self->marked = g_malloc (n);
    self->last = g_malloc (n);
    self->unknown = g_malloc (n);
  }
  if (!load_files (self, settings, error)
      || !mark (self, settings, info, buffer, picture, error)) {
    self->loaded = FALSE;
    return FALSE;
  }
  hold (self, settings->source == GST_MGPU_INPAINT_MASK_SOURCE_PROPERTY ? 0
      : settings->hold);
  self->serial = settings->serial;
  *changed = is_new || memcmp (self->marked, self->last, n) != 0;
  if (*changed)
    mgpu_inpaint_dilate (self->marked, self->width, self->width, self->height,
        settings->dilate, self->unknown);
  memcpy (self->last, self->marked, n);
  return TRUE;
}

void
gst_mgpu_inpaint_mask_clear (GstMgpuInpaintMask * self)
{
  g_free (self->unknown);
  g_free (self->forbidden);
  g_free (self->marked);
  g_free (self->last);
  g_free (self->file);
  g_free (self->held);
  memset (self, 0, sizeof (*self));
}
