/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpuconvert
 * @title: mgpuconvert
 * @short_description: converts format, size and orientation of frames, on an
 *   OpenCL device
 *
 * Does what videoconvert, videoscale, videoflip and videocrop do, in one step and without leaving
 * the device. Downstream caps determine format and size; #GstMgpuConvert:video-direction rotates
 * and mirrors frames; a #GstVideoCropMeta on a frame crops it. Frames that need no change pass
 * unchanged.
 *
 * Both pads accept frames in system memory and in memory:OpenCLMemory; mgpu elements that are
 * linked to each other do not copy frames.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=60 ! mgpuconvert video-direction=90r ! video/x-raw,width=300,height=400 ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 1.0
 */
#include <gst/frame/gstmgpucrop.h>
#include <gst/frame/gstmgpufilterparams.h>
#include <gst/frame/gstmgpunavigation.h>

#include <gst/video/videodirection.h>
#include <gst/vision/colour/colour.h>
#include <gst/vision/convert/convert.h>
#include <gst/vision/pack/pack.h>
#include <math.h>

#include <gst/elements/elements.h>
#include "gstmgpuconvertcaps.h"
#include "gstmgpuconvertgrade.h"
#include <gst/elements/gstmgpuconvertmeta.h>

/* @n_set: number of times that @lut_location was set */
typedef struct
{
  MgpuConvertMethod method;
  gboolean add_borders;
  GstVideoOrientationMethod direction, last_direction;
  GstMgpuToneMap tone_map;
  gchar *lut_location;
  guint n_set;
} Params;

static const MgpuEnum methods = {
  "GstMgpuConvertMethod", (const MgpuEnumValue[]) {
        {MGPU_CONVERT_NEAREST, "The nearest pixel", "nearest"},
        {MGPU_CONVERT_BILINEAR, "Weighted mean of the four nearest pixels "
              "(bilinear)",
            "bilinear"},
        {MGPU_CONVERT_AREA, "Mean of the source pixels that an output pixel "
              "covers, for frames that become much smaller",
            "area"},
        {MGPU_CONVERT_BICUBIC, "Catmull-Rom cubic of 4x4 pixels",
            "bicubic"},
        {MGPU_CONVERT_LANCZOS, "Lanczos window with 3 lobes, of 6x6 pixels",
            "lanczos"},
        {0}
      }
};

static const MgpuEnum tone_maps[] = { {
        "GstMgpuToneMap", (const MgpuEnumValue[]) {
              {GST_MGPU_TONE_MAP_NONE,
                    "No tone mapping: samples are treated as standard dynamic "
                    "range",
                  "none"},
              {GST_MGPU_TONE_MAP_BT2390,
                  "Tone curve of BT.2390, for a white of 203 nits", "bt2390"},
              {0}
            }
    }
};

#define MEMBER(name) G_STRUCT_OFFSET (Params, name)

static const MgpuParam params[] = {
  {"method", MGPU_PARAM_ENUM, MEMBER (method), 0, 0, MGPU_CONVERT_BILINEAR,
        &methods,
      "Method that interpolates samples if frames or their chroma planes are "
        "scaled"},
  {"add-borders", MGPU_PARAM_BOOLEAN, MEMBER (add_borders), 0, 1, TRUE, NULL,
      "Whether to add black borders, so that the display aspect ratio is kept; "
        "otherwise the frame is stretched"},
  {"tone-map", MGPU_PARAM_ENUM, MEMBER (tone_map), 0, 0,
        GST_MGPU_TONE_MAP_BT2390, tone_maps,
      "Tone mapping of frames of high dynamic range (PQ, HLG), if the output "
        "caps have a colorimetry of standard dynamic range"},
  {"lut-location", MGPU_PARAM_STRING, MEMBER (lut_location), 0, 0, 0, NULL,
      ".cube file with a color lookup table of one or three dimensions (unset "
        "= colors are not changed)"},
  /* This property has no text (NULL), because it overrides a property of the interface
   * GstVideoDirection, which has the text. */
  {"video-direction", MGPU_PARAM_ENUM, MEMBER (direction), 0, 0,
      GST_VIDEO_ORIENTATION_IDENTITY},
  {NULL}
};

#define GST_TYPE_MGPU_CONVERT (gst_mgpu_convert_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuConvert, gst_mgpu_convert, GST, MGPU_CONVERT,
    GstMgpuFilter);

struct _GstMgpuConvert
{
  GstMgpuFilter parent;

  /* Members that the element's object lock (GST_OBJECT_LOCK) guards */
  GstMgpuMetaTransform transform;       /* crop, orientation and scaling of the last
                                         * frame, as a transform of positions */
  GstVideoInfo in_info;         /* format of the last input frame */

  /* Members that only the streaming thread uses. @stream_tag, @global_tag: the orientation from
   * the tags of this stream and of the whole file; AUTO if there are no such tags. @orientation:
   * how frames are rotated or mirrored; the size in the output caps depends on it. */
  GstVideoOrientationMethod stream_tag, global_tag, orientation;
  GstMgpuCrop crop;
  MgpuGradedParams frame;       /* parameters of the conversion of the current frame */
  GstMgpuConvertGrade grade;
  MgpuObject *convert;          /* object of mgpu_graded if colors are mapped, otherwise of
                                 * mgpu_convert; NULL until a frame has to be converted */
};

#define gst_mgpu_convert_parent_class parent_class
G_DEFINE_TYPE_WITH_CODE (GstMgpuConvert, gst_mgpu_convert,
    GST_TYPE_MGPU_FILTER,
    G_IMPLEMENT_INTERFACE (GST_TYPE_VIDEO_DIRECTION, NULL));

/* --- Orientation of frames --- */

static gboolean
is_transposed (GstVideoOrientationMethod orientation)
{
  return orientation == GST_VIDEO_ORIENTATION_90R
      || orientation == GST_VIDEO_ORIENTATION_90L
      || orientation == GST_VIDEO_ORIENTATION_UL_LR
      || orientation == GST_VIDEO_ORIENTATION_UR_LL;
}

static GstVideoOrientationMethod
get_direction (GstMgpuConvert * self)
{
  GstVideoOrientationMethod direction;

  GST_OBJECT_LOCK (self);
  direction = ((Params *) GST_MGPU_FILTER (self)->params)->direction;
  GST_OBJECT_UNLOCK (self);
  return direction;
}

/* Sets the member @orientation to the value of the property "video-direction"; if that is "auto",
 * to the orientation from the tags. Returns: whether the orientation has changed */
static gboolean
update_orientation (GstMgpuConvert * self)
{
  GstVideoOrientationMethod wanted = get_direction (self);
  gboolean is_new;

  if (wanted == GST_VIDEO_ORIENTATION_AUTO)
    wanted = self->stream_tag;
  if (wanted == GST_VIDEO_ORIENTATION_AUTO)
    wanted = self->global_tag;
  if (wanted == GST_VIDEO_ORIENTATION_AUTO)
    wanted = GST_VIDEO_ORIENTATION_IDENTITY;
  is_new = wanted != self->orientation;
  if (is_new)
    GST_MGPU_DEBUG_OBJECT (self, "orienting frames by "
        "GstVideoOrientationMethod %d; it was %d before", wanted,
        self->orientation);
  self->orientation = wanted;
  return is_new;
}

static void
forget_tags (GstMgpuConvert * self)
{
  self->stream_tag = self->global_tag = GST_VIDEO_ORIENTATION_AUTO;
}

/* Reads the orientation from a TAG event. Returns: (transfer full): @event; if the element
 * orients frames according to the tags, a copy without the orientation, so that elements
 * downstream do not rotate the frames again */
static GstEvent *
read_tags (GstMgpuConvert * self, GstEvent * event)
{
  GstVideoOrientationMethod orientation;
  GstTagList *tags;

  gst_event_parse_tag (event, &tags);
  if (!gst_video_orientation_from_tag (tags, &orientation))
    return event;
  GST_MGPU_DEBUG_OBJECT (self, "the tags of the %s contain "
      "GstVideoOrientationMethod %d",
      gst_tag_list_get_scope (tags) ==
      GST_TAG_SCOPE_STREAM ? "stream" : "media", orientation);
  if (gst_tag_list_get_scope (tags) == GST_TAG_SCOPE_STREAM)
    self->stream_tag = orientation;
  else
    self->global_tag = orientation;
  if (get_direction (self) == GST_VIDEO_ORIENTATION_AUTO) {
    guint32 seqnum = gst_event_get_seqnum (event);

    tags = gst_tag_list_copy (tags);
    gst_tag_list_add (tags, GST_TAG_MERGE_REPLACE, GST_TAG_IMAGE_ORIENTATION,
        "rotate-0", NULL);
    gst_event_unref (event);
    event = gst_event_new_tag (tags);
    gst_event_set_seqnum (event, seqnum);
  }
  return event;
}

/* --- Handling of events --- */

static gboolean
gst_mgpu_convert_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMgpuConvert *self = GST_MGPU_CONVERT (trans);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      forget_tags (self);
      break;
    case GST_EVENT_TAG:
      event = read_tags (self, event);
      break;
    default:
      break;
  }
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

/* Transforms the positions in navigation events, because the pointer's position is in the output
 * frame, but upstream expects a position in the input frame. */
static gboolean
gst_mgpu_convert_src_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMgpuConvert *self = GST_MGPU_CONVERT (trans);

  if (GST_EVENT_TYPE (event) == GST_EVENT_NAVIGATION) {
    GstMgpuMetaTransform transform;
    GstVideoInfo info;

    GST_OBJECT_LOCK (self);
    transform = self->transform;
    info = self->in_info;
    GST_OBJECT_UNLOCK (self);
    if (transform.in_info != NULL) {
      transform.in_info = &info;
      event = gst_mgpu_navigation_move_back (GST_ELEMENT (trans), event,
          &transform);
    }
  }
  return GST_BASE_TRANSFORM_CLASS (parent_class)->src_event (trans, event);
}

/* --- Negotiation of caps --- */

static GstCaps *
gst_mgpu_convert_transform_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * filter)
{
  g_autoptr (GstCaps) relaxed = gst_mgpu_convert_caps_relax (caps, direction);

  return GST_BASE_TRANSFORM_CLASS (parent_class)->transform_caps
      (trans, direction, relaxed, filter);
}

static GstCaps *
gst_mgpu_convert_fixate_caps (GstBaseTransform * trans,
    GstPadDirection direction, GstCaps * caps, GstCaps * others)
{
  GstMgpuConvert *self = GST_MGPU_CONVERT (trans);

  update_orientation (self);
  others = gst_mgpu_convert_caps_fixate (caps, others,
      is_transposed (self->orientation));
  GST_MGPU_DEBUG_OBJECT (self,
      "chose, from the caps that are possible at the %s "
      "pad, the caps that change frames least: %" GST_PTR_FORMAT,
      direction == GST_PAD_SINK ? "source" : "sink", others);
  return others;
}

static gboolean
gst_mgpu_convert_set_caps (GstBaseTransform * trans, GstCaps * in_caps,
    GstCaps * out_caps)
{
  GstMgpuConvert *self = GST_MGPU_CONVERT (trans);

  gst_mgpu_convert_grade_set_caps (&self->grade, in_caps);
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->set_caps (trans, in_caps,
          out_caps))
    return FALSE;
  gst_mgpu_crop_set_caps (&self->crop, &GST_MGPU_FILTER (self)->input.info);
  return TRUE;
}

static gboolean
gst_mgpu_convert_propose_allocation (GstBaseTransform * trans,
    GstQuery * decide_query, GstQuery * query)
{
  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->propose_allocation (trans,
          decide_query, query))
    return FALSE;
  gst_mgpu_crop_propose (query);
  return TRUE;
}

/* --- Work on frames --- */

/* Returns: the largest rectangle with the aspect ratio @ratio (width / height) that fits into an
 * output frame of the format @out. The rest of the frame becomes borders */
static MgpuRectangle
fit (const GstVideoInfo * out, gdouble ratio)
{
  gint width = GST_VIDEO_INFO_WIDTH (out), height = GST_VIDEO_INFO_HEIGHT (out);
  MgpuRectangle r = { 0, 0, width, CLAMP (rint (width / ratio), 1, G_MAXINT) };
  gboolean yuv = GST_VIDEO_INFO_IS_YUV (out);

  if (r.height > height) {
    r.height = height;
    r.width = CLAMP (rint (height * ratio), 1, width);
  }
  r.x = (width - r.width) / 2;
  r.y = (height - r.height) / 2;
  /* Moves the upper left corner of the rectangle to a whole chroma sample, because a border must
   * not end within a chroma sample. */
  r.x &= -(1 << (yuv ? out->finfo->w_sub[1] : 0));
  r.y &= -(1 << (yuv ? out->finfo->h_sub[1] : 0));
  return r;
}

/* Sets the conversion parameters for an input frame of the format @in, of which the visible part is
 * kept. */
static void
set_frame (GstMgpuConvert * self, const GstVideoInfo * in)
{
  const GstVideoInfo *out = &GST_MGPU_FILTER (self)->output.info;
  const Params *p = GST_MGPU_FILTER (self)->frame.params;
  GstMgpuMetaTransform transform;
  MgpuRectangle *destination = &self->frame.convert.destination;
  const MgpuRectangle source = self->crop.visible;
  gdouble ratio;

  self->frame.convert.method = p->method;
  self->frame.convert.orientation = self->orientation;
  self->frame.convert.source = source;
  ratio = (gdouble) source.width * in->par_n / source.height / in->par_d;
  if (is_transposed (self->orientation))
    ratio = 1 / ratio;
  *destination = (MgpuRectangle) {
    0, 0, GST_VIDEO_INFO_WIDTH (out), GST_VIDEO_INFO_HEIGHT (out)
  };
  if (p->add_borders)
    *destination = fit (out, ratio * out->par_d / out->par_n);

  GST_MGPU_LOG_OBJECT (self, "converting %dx%d pixels at (%d, %d)%s to %dx%d "
      "pixels at (%d, %d)",
      source.width, source.height, source.x, source.y, self->crop.has_meta
      ? " (from the crop meta)" : "", destination->width, destination->height,
      destination->x, destination->y);
  transform.in_info = &self->in_info;
  transform.out_info = out;
  mgpu_convert_get_matrix (in, out, &self->frame.convert, transform.matrix);
  transform.x = destination->x;
  transform.y = destination->y;
  transform.width = destination->width;
  transform.height = destination->height;
  GST_OBJECT_LOCK (self);
  self->in_info = *in;
  self->transform = transform;
  GST_OBJECT_UNLOCK (self);
}

/* Determines whether and how the colors of the current frame are mapped. Returns: whether they are
 * mapped */
static gboolean
find_grade (GstMgpuConvert * self)
{
  const GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  const Params *p = filter->frame.params;
  MgpuGradeParams *grade = &self->frame.grade;

  mgpu_tone_init (&grade->tone, &filter->input.info, &filter->output.info,
      self->grade.peak);
  if (p->tone_map == GST_MGPU_TONE_MAP_NONE)
    grade->tone.source = MGPU_TONE_NONE;
  grade->lut = self->grade.lut;
  return grade->tone.source != MGPU_TONE_NONE || grade->lut != NULL;
}

static gboolean
gst_mgpu_convert_passes (GstMgpuFilter * filter, GstBuffer * buffer,
    GError ** error)
{
  GstMgpuConvert *self = GST_MGPU_CONVERT (filter);
  const GstVideoInfo *in = &filter->input.info, *out = &filter->output.info;
  GstVideoInfo plain_in, plain_out;
  MgpuColourMatrix matrix;

  if (find_grade (self) || gst_mgpu_convert_moves (&self->transform)
      || GST_VIDEO_INFO_FORMAT (in) != GST_VIDEO_INFO_FORMAT (out)
      || GST_VIDEO_INFO_CHROMA_SITE (in) != GST_VIDEO_INFO_CHROMA_SITE (out))
    return FALSE;
  mgpu_pack_get_plain (in, &plain_in);
  mgpu_pack_get_plain (out, &plain_out);
  mgpu_colour_matrix (&plain_in, &plain_out, &matrix);
  if (!matrix.identity)
    GST_MGPU_LOG_OBJECT (self, "only the colorimetry differs");
  return matrix.identity;
}

static void
gst_mgpu_convert_unprepare (GstMgpuFilter * filter)
{
  GstMgpuConvert *self = GST_MGPU_CONVERT (filter);

  g_clear_pointer (&self->convert, mgpu_object_free);
}

static gboolean
build (GstMgpuConvert * self, GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  const MgpuAlgorithm *algorithm =
      find_grade (self) ? &mgpu_graded : &mgpu_convert;

  if (self->convert != NULL && self->convert->algorithm != algorithm)
    g_clear_pointer (&self->convert, mgpu_object_free);
  if (self->convert == NULL)
    GST_MGPU_DEBUG_OBJECT (self,
        "preparing the conversion from %dx%d %s to %dx%d %s%s",
        filter->input.info.width, filter->input.info.height,
        GST_VIDEO_INFO_NAME (&filter->input.info), filter->output.info.width,
        filter->output.info.height, GST_VIDEO_INFO_NAME (&filter->output.info),
        algorithm == &mgpu_graded ? ", and maps colors" : "");
  if (self->convert == NULL && self->frame.grade.tone.source != MGPU_TONE_NONE)
    GST_MGPU_INFO_OBJECT (self, "mapping %s to standard dynamic range; peak "
        "luminance: %g nits (source: %s)",
        self->frame.grade.tone.source == MGPU_TONE_PQ ? "PQ" : "HLG",
        self->grade.peak, self->grade.peak_source);
  /* The parameters of mgpu_convert are the first member of those of mgpu_graded. */
  if (self->convert == NULL)
    self->convert = mgpu_object_new (algorithm, filter->base.context,
        &filter->input.info, NULL, &filter->output.info, &self->frame, error);
  return self->convert != NULL;
}

static gboolean
gst_mgpu_convert_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuConvert *self = GST_MGPU_CONVERT (filter);

  /* Prepares the conversion of frames without a crop meta. The conversion of a frame with a crop
   * meta is prepared when it arrives. */
  gst_mgpu_crop_show_all (&self->crop, info);
  set_frame (self, info);
  return gst_mgpu_convert_passes (filter, NULL, NULL) || build (self, error);
}

static void
gst_mgpu_convert_before_transform (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstMgpuConvert *self = GST_MGPU_CONVERT (trans);
  const Params *p;

  GST_BASE_TRANSFORM_CLASS (parent_class)->before_transform (trans, buffer);
  p = GST_MGPU_FILTER (self)->frame.params;
  gst_mgpu_convert_grade_follow (&self->grade, GST_ELEMENT (self),
      p->lut_location, p->n_set);
  /* If the orientation has changed, makes GstBaseTransform renegotiate. The new caps already apply
   * to this frame. */
  if (update_orientation (self))
    gst_base_transform_reconfigure_src (trans);
}

static GstFlowReturn
gst_mgpu_convert_prepare_output_buffer (GstBaseTransform * trans,
    GstBuffer * in, GstBuffer ** out)
{
  GstMgpuConvert *self = GST_MGPU_CONVERT (trans);
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  GError *error = NULL;

  if (gst_mgpu_crop_read (&self->crop, &filter->input, in))
    g_clear_pointer (&self->convert, mgpu_object_free);
  if (!gst_mgpu_device_base_check_size (&filter->base, &filter->input.info,
          &error))
    return gst_mgpu_device_base_fail (&filter->base, error);
  set_frame (self, &filter->input.info);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->prepare_output_buffer (trans,
      in, out);
}

static void
gst_mgpu_convert_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuWork * work)
{
  GstMgpuConvert *self = GST_MGPU_CONVERT (filter);
  const MgpuWork converted = { &self->frame, work->in, NULL, work->out };
  GError *error = NULL;

  if (build (self, &error))
    self->convert->algorithm->enqueue (self->convert, job, &converted);
  else
    gst_mgpu_job_fail (job, error);
}

static gboolean
gst_mgpu_convert_transform_meta (GstBaseTransform * trans, GstBuffer * out,
    GstMeta * meta, GstBuffer * in)
{
  GstMgpuConvert *self = GST_MGPU_CONVERT (trans);

  /* No lock is needed to read @transform, because only this thread writes it. */
  return gst_mgpu_convert_meta (GST_ELEMENT (trans), &self->transform, out,
      meta, in);
}

static gboolean
gst_mgpu_convert_start (GstBaseTransform * trans)
{
  GstMgpuConvert *self = GST_MGPU_CONVERT (trans);
  GstMgpuFilter *filter = GST_MGPU_FILTER (trans);
  GError *error = NULL;
  Params *now;

  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->start (trans))
    return FALSE;
  now = gst_mgpu_filter_copy_params (filter);
  gst_mgpu_convert_grade_load (&self->grade, GST_ELEMENT (self),
      now->lut_location, now->n_set, &error);
  gst_mgpu_filter_free_params (filter, now);
  if (error == NULL)
    return TRUE;
  gst_mgpu_device_base_fail (&filter->base, error);
  gst_mgpu_convert_grade_clear (&self->grade);
  GST_BASE_TRANSFORM_CLASS (parent_class)->stop (trans);
  return FALSE;
}

static gboolean
gst_mgpu_convert_stop (GstBaseTransform * trans)
{
  GstMgpuConvert *self = GST_MGPU_CONVERT (trans);

  forget_tags (self);
  gst_mgpu_convert_grade_clear (&self->grade);
  self->orientation = GST_VIDEO_ORIENTATION_IDENTITY;
  GST_OBJECT_LOCK (self);
  self->transform.in_info = NULL;
  GST_OBJECT_UNLOCK (self);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->stop (trans);
}

/* --- Functions of the class GObject --- */

/* Counts how often "lut-location" is set. If the new value of "video-direction" is "custom", which this
 * element does not support, restores the old value. */
static void
gst_mgpu_convert_changed (GstMgpuFilter * filter, guint i)
{
  Params *now = filter->params;
  gboolean refuses;

  GST_OBJECT_LOCK (filter);
  now->n_set += GST_MGPU_FILTER_GET_CLASS (filter)->params[i].offset
      == MEMBER (lut_location);
  refuses = now->direction == GST_VIDEO_ORIENTATION_CUSTOM;
  if (refuses)
    now->direction = now->last_direction;
  now->last_direction = now->direction;
  GST_OBJECT_UNLOCK (filter);
  if (refuses)
    g_warning ("%s: video-direction=custom is not supported: use one of the "
        "other values", GST_OBJECT_NAME (filter));
}

static void
gst_mgpu_convert_init (GstMgpuConvert * self)
{
  forget_tags (self);
}

/* Replaces a pad template of all filters by one with more formats. */
static void
add_template (GstElementClass * klass, const gchar * name,
    GstPadDirection direction)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (GST_MGPU_CONVERT_CAPS);

  gst_element_class_add_pad_template (klass, gst_pad_template_new (name,
          direction, GST_PAD_ALWAYS, caps));
}

static void
gst_mgpu_convert_class_init (GstMgpuConvertClass * klass)
{
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);

  trans_class->start = gst_mgpu_convert_start;
  trans_class->stop = gst_mgpu_convert_stop;
  trans_class->sink_event = gst_mgpu_convert_sink_event;
  trans_class->src_event = gst_mgpu_convert_src_event;
  trans_class->transform_caps = gst_mgpu_convert_transform_caps;
  trans_class->fixate_caps = gst_mgpu_convert_fixate_caps;
  trans_class->set_caps = gst_mgpu_convert_set_caps;
  trans_class->propose_allocation = gst_mgpu_convert_propose_allocation;
  trans_class->before_transform = gst_mgpu_convert_before_transform;
  trans_class->prepare_output_buffer = gst_mgpu_convert_prepare_output_buffer;
  trans_class->transform_meta = gst_mgpu_convert_transform_meta;
  filter_class->prepare = gst_mgpu_convert_prepare;
  filter_class->unprepare = gst_mgpu_convert_unprepare;
  filter_class->passes = gst_mgpu_convert_passes;
  filter_class->is_needed = TRUE;
  filter_class->enqueue = gst_mgpu_convert_enqueue;
  filter_class->changed = gst_mgpu_convert_changed;

  gst_mgpu_filter_class_set_params (filter_class, params, sizeof (Params));
  add_template (GST_ELEMENT_CLASS (klass), "sink", GST_PAD_SINK);
  add_template (GST_ELEMENT_CLASS (klass), "src", GST_PAD_SRC);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL converter", "Filter/Converter/Video/Scaler/Colorspace",
      "Converts the format, size and orientation of frames on an OpenCL device",
      "The gst-mgpu authors");
}
