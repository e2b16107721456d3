/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Implements plain filters: elements that apply one algorithm to each frame. A row of the
 * table in elements.c describes such an element completely. */
#include "gstmgpuplain.h"

#include "gstmgpucaps.h"

typedef struct
{
  GstMgpuFilter parent;

  MgpuObject *object;
} GstMgpuPlain;

typedef struct
{
  GstMgpuFilterClass parent_class;

  const MgpuAlgorithm *algorithm;
} GstMgpuPlainClass;

static const MgpuAlgorithm *
get_algorithm (GstMgpuFilter * filter)
{
  return ((GstMgpuPlainClass *) G_OBJECT_GET_CLASS (filter))->algorithm;
}

/* Makes the algorithm's object, unless it exists already. @guide is the format of guide
 * images; NULL if frames have none. */
static gboolean
build (GstMgpuPlain * self, const GstVideoInfo * guide, GError ** error)
{
  GstMgpuFilter *filter = &self->parent;
  const GstVideoInfo *old = self->object != NULL ? &self->object->guide : NULL;

  if (old != NULL && (guide != NULL ? gst_video_info_is_equal (old, guide)
          : GST_VIDEO_INFO_FORMAT (old) == GST_VIDEO_FORMAT_UNKNOWN))
    return TRUE;
  GST_MGPU_DEBUG_OBJECT (self,
      "preparing kernels and memory; format of guide images: %s%s",
      guide != NULL ? GST_VIDEO_INFO_NAME (guide) : "none",
      old != NULL ? ", which differs from the previous format" : "");
  g_clear_pointer (&self->object, mgpu_object_free);
  self->object = mgpu_object_new (get_algorithm (filter),
      filter->base.context, &filter->input.info, guide, &filter->output.info,
      filter->frame.params, error);
  return self->object != NULL;
}

static gboolean
gst_mgpu_plain_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  /* If there is an input for guide images, the object is made later, because the format of guide
   * images is unknown until the first one arrives. */
  return (filter->guide != NULL && gst_mgpu_guide_has_pad (filter->guide))
      || build ((GstMgpuPlain *) filter, NULL, error);
}

static void
gst_mgpu_plain_unprepare (GstMgpuFilter * filter)
{
  g_clear_pointer (&((GstMgpuPlain *) filter)->object, mgpu_object_free);
}

static gboolean
gst_mgpu_plain_passes (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  const MgpuAlgorithm *algorithm = get_algorithm (filter);

  if (algorithm->look != NULL)
    algorithm->look (((GstMgpuPlain *) filter)->object, filter->frame.params,
        in);
  return algorithm->passes (filter->frame.params);
}

static void
gst_mgpu_plain_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuWork * work)
{
  GstMgpuPlain *self = (GstMgpuPlain *) filter;
  GError *error = NULL;

  if (build (self, work->guide != NULL
          ? &gst_mgpu_guide_get_input (filter->guide)->info : NULL, &error))
    get_algorithm (filter)->enqueue (self->object, job, work);
  else
    gst_mgpu_job_fail (job, error);
}

static gint
gst_mgpu_plain_reach (GstMgpuFilter * filter, gint * step)
{
  GstMgpuPlain *self = (GstMgpuPlain *) filter;
  GError *error = NULL;

  /* Ignores an error of build(), because the next call of enqueue() reports it. */
  if (!build (self, filter->frame.guide != NULL
          ? &gst_mgpu_guide_get_input (filter->guide)->info : NULL, &error)) {
    g_clear_error (&error);
    return -1;
  }
  return get_algorithm (filter)->reach (self->object, filter->frame.params,
      step);
}

static gboolean
gst_mgpu_plain_remembers (GstMgpuFilter * filter)
{
  return get_algorithm (filter)->remembers (filter->frame.params);
}

static void
forget (GstBaseTransform * trans)
{
  GstMgpuPlain *self = (GstMgpuPlain *) trans;
  const MgpuAlgorithm *algorithm = get_algorithm (GST_MGPU_FILTER (trans));

  if (algorithm->forget == NULL || self->object == NULL)
    return;
  GST_MGPU_DEBUG_OBJECT (self, "forgetting earlier frames");
  algorithm->forget (self->object);
}

static GstBaseTransformClass *
get_parent_class (void)
{
  return GST_BASE_TRANSFORM_CLASS (g_type_class_peek (GST_TYPE_MGPU_FILTER));
}

static gboolean
gst_mgpu_plain_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    forget (trans);
  return get_parent_class ()->sink_event (trans, event);
}

/* Makes the algorithm forget earlier frames if a frame is missing, or if a frame is not
 * processed because "enabled" is FALSE. */
static void
gst_mgpu_plain_before_transform (GstBaseTransform * trans, GstBuffer * buffer)
{
  get_parent_class ()->before_transform (trans, buffer);
  if (GST_BUFFER_IS_DISCONT (buffer)
      || GST_MGPU_FILTER (trans)->frame.is_resting)
    forget (trans);
}

static void
gst_mgpu_plain_class_init (gpointer klass, gpointer data)
{
  const GstMgpuElement *row = data;
  GstMgpuFilterClass *filter_class = klass;

  ((GstMgpuPlainClass *) klass)->algorithm = row->algorithm;
  filter_class->prepare = gst_mgpu_plain_prepare;
  filter_class->unprepare = gst_mgpu_plain_unprepare;
  filter_class->enqueue = gst_mgpu_plain_enqueue;
  if (row->algorithm->passes != NULL)
    filter_class->passes = gst_mgpu_plain_passes;
  if (row->algorithm->reach != NULL)
    filter_class->reach = gst_mgpu_plain_reach;
  filter_class->surveys = row->algorithm->surveys;
  if (row->algorithm->remembers != NULL)
    filter_class->remembers = gst_mgpu_plain_remembers;
  GST_BASE_TRANSFORM_CLASS (klass)->sink_event = gst_mgpu_plain_sink_event;
  GST_BASE_TRANSFORM_CLASS (klass)->before_transform =
      gst_mgpu_plain_before_transform;
  if (row->guide != NULL)
    gst_mgpu_filter_class_set_guide (filter_class, row->guide,
        GST_MGPU_CAPS_ALL);
  gst_mgpu_filter_class_set_params_and_regions (filter_class,
      row->algorithm->params, row->algorithm->params_size);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), row->title,
      row->klass, row->text, "The gst-mgpu authors");
}

/* Returns: (transfer full): the type name of an element: "GstMgpuSharpen" for
 * "mgpusharpen" */
static gchar *
get_type_name (const gchar * element)
{
  gchar *name = g_strdup_printf ("GstM%s", element + 1);

  name[7] = g_ascii_toupper (name[7]);
  return name;
}

GType
gst_mgpu_plain_get_type (const GstMgpuElement * row)
{
  const GTypeInfo info = {
    .class_size = sizeof (GstMgpuPlainClass),
    .class_init = gst_mgpu_plain_class_init,
    .class_data = row,
    .instance_size = sizeof (GstMgpuPlain)
  };
  g_autofree gchar *name = get_type_name (row->name);
  GType type = g_type_from_name (name);

  if (type == 0)
    type = g_type_register_static (GST_TYPE_MGPU_FILTER, name, &info, 0);
  return type;
}
