/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgputags
 * @title: mgputags
 * @short_description: finds AprilTag and ArUco tags, with pose, on an OpenCL device
 *
 * Finds square tags (fiducial markers) of the families of AprilTag 3 and ArUco. Frames pass
 * unchanged. For each tag that is found, the frame gets a region of interest, and an entry in its
 * #GstMgpuTagMeta with id, corners and, if the camera and the size of the tag are known, the pose.
 * Messages report when tags appear and disappear.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=30 ! mgputags ! mgpuoverlay ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 1.1
 */
#include <string.h>

#include <gst/frame/gstmgpufilterparams.h>
#include <gst/frame/gstmgpumask.h>
#include <gst/frame/gstmgpupending.h>
#include <gst/vision/base/map.h>
#include <gst/vision/tags/evidence.h>
#include <gst/vision/tags/tags.h>

#include <gst/elements/elements.h>
#include <gst/elements/gstmgpuluma.h>
#include <gst/elements/region.h>
#include "gstmgputagsevents.h"
#include "gstmgputagsresults.h"
#include "gstmgputagsscene.h"

/* Values of the properties of the element */
typedef struct
{
  GstMgpuTagsWords words;
  MgpuTagsSetup setup;
  MgpuTagsParams tags;
  guint max_hamming;
  gdouble min_evidence;
  gchar *roi_type, *mask_location;
  guint frame_interval;
  GstMgpuTagsRules rules;
} Params;

/* Number of tag records that are always downloaded; if a frame has more tags, all records are
 * downloaded in a second step */
#define HEAD_TAGS 64
#define HEAD_SIZE (sizeof (TagsHeader) + HEAD_TAGS * sizeof (TagsRecord))

#define MEMBER(name) G_STRUCT_OFFSET (Params, name)

static const MgpuEnumValue detail_values[] = {
  {MGPU_TAGS_FULL, "Finds tags whose sides have at least about 10 pixels",
      "full"},
  {MGPU_TAGS_HALF,
        "Finds tags whose sides have at least about 20 pixels, in " "less time",
      "half"},
  {MGPU_TAGS_QUARTER,
        "Finds tags whose sides have at least about 40 pixels, "
        "in the least time",
      "quarter"},
  {0, NULL, NULL}
};

static const MgpuEnumValue polarity_values[] = {
  {MGPU_TAGS_NORMAL, "Tags with black and white as their families define them",
      "normal"},
  {MGPU_TAGS_INVERTED, "Negatives of tags", "inverted"},
  {MGPU_TAGS_BOTH, "Both", "both"},
  {0, NULL, NULL}
};

static const MgpuEnumValue refine_values[] = {
  {MGPU_TAGS_REFINE_NONE, "Corners are not refined", "none"},
  {MGPU_TAGS_REFINE_EDGES, "Corners are fitted to the edges of the border",
      "edges"},
  {MGPU_TAGS_REFINE_CELLS, "Corners are fitted to the edges of all cells",
      "cells"},
  {0, NULL, NULL}
};

static const MgpuEnum details = { "GstMgpuTagsDetail", detail_values };
static const MgpuEnum polarities = { "GstMgpuTagsPolarity", polarity_values };
static const MgpuEnum refines = { "GstMgpuTagsRefine", refine_values };

static const MgpuParam params[] = {
  {"families", MGPU_PARAM_STRING, MEMBER (words.families), 0, 0, 0, NULL,
      "Families of tags to find, separated by commas, such as tag36h11, "
        "tagStandard41h12, tagAruco4x4_50 or DICT_4X4_50 (unset = the family "
        "in \"dictionary-location\", or tag36h11)", TRUE},
  {"dictionary-location", MGPU_PARAM_STRING, MEMBER (words.dictionary_location),
        0, 0, 0, NULL,
      "File with an additional tag family, in the format of OpenCV's "
        "aruco::Dictionary (unset = none)", TRUE},
  {"detail", MGPU_PARAM_ENUM, MEMBER (setup.detail), 0, 0, MGPU_TAGS_FULL,
      &details, "Minimum size of tags that are found", TRUE},
  {"max-hamming", MGPU_PARAM_UINT, MEMBER (max_hamming), 0, TAGS_MAX_HAMMING, 2,
      NULL, "Maximum number of wrong bits in a tag (families whose codes "
        "differ in few bits allow fewer)"},
  {"min-evidence", MGPU_PARAM_DOUBLE, MEMBER (min_evidence), 0, 64, 13.5,
        NULL,
      "Minimum evidence for a tag, in bits: n bits mean that a square without "
        "a tag is read as a tag with so few errors with a probability of about "
        "2 to the power of -n"},
  {"min-size", MGPU_PARAM_DOUBLE, MEMBER (tags.min_size), 4, 1000, 10, NULL,
      "Minimum length of a side of a tag, in pixels"},
  {"polarity", MGPU_PARAM_ENUM, MEMBER (tags.polarity), 0, 0, MGPU_TAGS_NORMAL,
        &polarities,
      "Polarity of the tags to find: as their families define it, "
        "or with black and white exchanged"},
  {"refine", MGPU_PARAM_ENUM, MEMBER (tags.refine), 0, 0,
      MGPU_TAGS_REFINE_CELLS, &refines, "How corners are refined"},
  {"roi-type", MGPU_PARAM_STRING, MEMBER (roi_type), 0, 0, 0, NULL,
      "Types of regions of interest, separated by commas; only tags whose "
        "center is in such a region are reported (* = any type, unset = tags "
        "in the whole frame are reported)"},
  {"mask-location", MGPU_PARAM_STRING, MEMBER (mask_location), 0, 0, 0, NULL,
      "Image file, scaled to the frame size; only tags whose center is at a "
        "bright pixel of the image are reported (unset = tags in the whole "
        "frame are reported)"},
  {"frame-interval", MGPU_PARAM_UINT, MEMBER (frame_interval), 1, G_MAXINT, 1,
        NULL,
      "Interval, in frames, between analyzed frames (1 = every frame is "
        "analyzed)"},
  {"tag-size", MGPU_PARAM_DOUBLE, MEMBER (words.tag_size), 0, 100, 0, NULL,
      "Length of a side of the border of tags, in meters (0 = unknown, so "
        "poses are not computed)", TRUE},
  {"tag-sizes", MGPU_PARAM_STRING, MEMBER (words.tag_sizes), 0, 0, 0, NULL,
      "Sizes, in meters, of tags whose size differs from \"tag-size\", such as "
        "tag36h11:0-9=0.16;tag36h11:10=0.08 (unset = none)", TRUE},
  {"calibration", MGPU_PARAM_STRING, MEMBER (words.calibration), 0, 0, 0, NULL,
      "Calibration file of the camera, written by OpenCV, ROS or Kalibr (unset "
        "= \"camera\" is used)", TRUE},
  {"camera", MGPU_PARAM_STRING, MEMBER (words.camera), 0, 0, 0, NULL,
        "Focal lengths and center of the camera in pixels, and coefficients of "
        "its lens: fx,fy,cx,cy[,k1,k2,p1,p2[,k3]] (unset = the camera in the "
        "GstMgpuCameraMeta of frames; without one, poses are not computed)",
      TRUE},
  {"board-location", MGPU_PARAM_STRING, MEMBER (words.board_location), 0, 0, 0,
      NULL, "File with the positions of tags on a board: an AprilGrid of "
        "Kalibr, or the corners of each tag (unset = none)", TRUE},
  {"appear-frames", MGPU_PARAM_UINT, MEMBER (rules.appear_frames), 1, 1000, 2,
        NULL,
      "Number of successive frames in which a tag must be found before it "
        "counts as appeared"},
  {"disappear-frames", MGPU_PARAM_UINT, MEMBER (rules.disappear_frames), 1,
      1000, 10, NULL, "Number of successive frames in which a tag must be "
        "missing before it counts as disappeared"},
  {"post-messages", MGPU_PARAM_BOOLEAN, MEMBER (rules.post_messages), 0, 1,
      TRUE, NULL, "Whether to post element messages when tags appear and "
        "disappear"},
  {NULL}
};

#define GST_TYPE_MGPU_TAGS (gst_mgpu_tags_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuTags, gst_mgpu_tags, GST, MGPU_TAGS,
    GstMgpuFilter);

struct _GstMgpuTags
{
  GstMgpuFilter parent;

  GstMgpuLuma luma;
  MgpuTags *tags;
  GstBufferPool *pool;          /* pool of buffers for results */
  GstBuffer *result;            /* buffer for the results of the current frame */
  GstBufferPool *head_pool;     /* pool of buffers for the first results, which are downloaded;
                                 * NULL where host and device share memory */
  GstBuffer *head;              /* buffer for the first results of the current frame, or NULL */
  GArray *regions;              /* array of GstVideoRectangle: the regions of the current frame in
                                 * which tags count; NULL means the whole frame */
  gchar *loaded;                /* path of the file of @mask */
  GBytes *mask;                 /* gray values of the mask, scaled to the frame size; NULL if there
                                 * is no mask */
  guint max_hamming;            /* values of the properties with which the families were copied to
                                 * the device */
  gdouble min_evidence;
  gboolean warned_weak[TAGS_MAX_FAMILIES];

  GstMgpuTagsScene *scene;      /* tags and camera according to the properties; constant while
                                 * frames are in flight, except the camera of frames, which only the
                                 * streaming thread uses */

  /* Members that are used by the thread that completes frames, and, while no frame is in flight, by
   * the streaming thread */
  GstMgpuTagsEvents *events;
  GstMgpuTagsResults results;

  guint64 n_dropped;            /* candidates, quads and tags beyond the limits of the device;
                                 * guarded by the object lock */
};

#define gst_mgpu_tags_parent_class parent_class
G_DEFINE_TYPE (GstMgpuTags, gst_mgpu_tags, GST_TYPE_MGPU_FILTER);

/* Data with which a frame in flight is completed */
typedef struct
{
  GstBuffer *result;            /* buffer with the results of the device */
  GstBuffer *head;              /* buffer with the first HEAD_TAGS records; NULL if they are read
                                 * from @result */
  GstMgpuTagsPlaces places;
  GstMgpuTagsRules rules;
  gboolean has_model;
  MgpuLensModel model;          /* the camera of the frame */
} Pending;

static void
pending_free (gpointer data)
{
  Pending *self = data;

  gst_buffer_unref (self->result);
  gst_clear_buffer (&self->head);
  g_clear_pointer (&self->places.regions, g_array_unref);
  g_clear_pointer (&self->places.mask, g_bytes_unref);
  g_free (self);
}

/* Returns: the values of the properties for the current frame */
static const Params *
get_params (GstMgpuTags * self)
{
  return GST_MGPU_FILTER (self)->frame.params;
}

/* ---- Preparation ----------------------------------------------------------------- */

static void
gst_mgpu_tags_unprepare (GstMgpuFilter * filter)
{
  GstMgpuTags *self = GST_MGPU_TAGS (filter);

  gst_clear_buffer (&self->result);
  gst_clear_buffer (&self->head);
  gst_mgpu_clear_pool (&self->pool);
  gst_mgpu_clear_pool (&self->head_pool);
  gst_mgpu_luma_clear (&self->luma);
  g_clear_pointer (&self->tags, mgpu_object_free);
  g_clear_pointer (&self->loaded, g_free);
  g_clear_pointer (&self->mask, g_bytes_unref);
}

/* Warns that the codes of a family have so few bits that other squares may be taken for its
 * tags. */
static void
warn_weak (GstMgpuTags * self, const MgpuTagDictionary * family)
{
  GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS,
      ("%s: tags of the family %s have an evidence of %.1f bits, less than "
          "\"min-evidence\": only tags without a wrong bit count, and other "
          "squares may be taken for such tags", GST_OBJECT_NAME (self),
          family->name, mgpu_tag_evidence (family, self->scene->families->len,
              0, 0)), (NULL));
}

/* Copies the tag families, and their maximum numbers of wrong bits, to the device, if these have
 * changed. @is_first: whether no families were copied yet */
static void
set_families (GstMgpuTags * self, gboolean is_first)
{
  const Params *p = get_params (self);
  MgpuTagsFamily families[TAGS_MAX_FAMILIES];
  guint n = self->scene->families->len;

  if (!is_first && p->max_hamming == self->max_hamming
      && p->min_evidence == self->min_evidence)
    return;
  self->max_hamming = p->max_hamming;
  self->min_evidence = p->min_evidence;
  for (guint i = 0; i < n; i++) {
    const MgpuTagDictionary *from = self->scene->families->pdata[i];
    MgpuTagsFamily *to = &families[i];

    to->n_bits = from->n_bits;
    to->border = from->border;
    to->width = from->width;
    to->is_white = from->is_white;
    to->x = from->x;
    to->y = from->y;
    to->n_codes = from->n_codes;
    to->codes = from->codes;
    if (!mgpu_tag_evidence_limit (from, n, p->max_hamming,
            p->min_evidence, to->most_errors) && !self->warned_weak[i]) {
      self->warned_weak[i] = TRUE;
      warn_weak (self, from);
    }
    GST_MGPU_DEBUG_OBJECT (self, "searching for %u tags of %s, with up to %u "
        "wrong bits", from->n_codes, from->name, p->max_hamming);
  }
  mgpu_tags_set_families (self->tags, families, n);
}

static gboolean
gst_mgpu_tags_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuTags *self = GST_MGPU_TAGS (filter);
  const Params *p = get_params (self);

  if (GST_VIDEO_INFO_IS_INTERLACED (info))
    GST_ELEMENT_WARNING (self, STREAM, FORMAT,
        ("%s: interlaced frames are searched as whole frames, and tags that "
            "move may not be found: insert \"deinterlace\" before this element",
            GST_OBJECT_NAME (self)), (NULL));
  if (!gst_mgpu_tags_scene_fit (self->scene, info->width, info->height, error)
      || !gst_mgpu_luma_prepare (&self->luma, &filter->input, error))
    return FALSE;
  self->tags = mgpu_object_new (&mgpu_tags, context, &self->luma.info, NULL,
      NULL, &p->setup, error);
  if (self->tags == NULL || !mgpu_tags_check_size (self->tags, error))
    return FALSE;
  GST_MGPU_INFO_OBJECT (self,
      "searching frames of %dx%d pixels; detail: %s; camera: %s; board: %s",
      info->width, info->height, detail_values[p->setup.detail].nick,
      self->scene->has_camera ? self->scene->calibration->name
      : "in the GstMgpuCameraMeta of frames, if there is one",
      self->scene->board != NULL ? "yes" : "no");
  set_families (self, TRUE);
  return TRUE;
}

/* ---- Regions in which tags count --------------------------------------------------- */

/* Sets the regions of the frame @in in which tags count. Returns: whether there is such a region */
static gboolean
find_regions (GstMgpuTags * self, GstBuffer * in, const gchar * types)
{
  GPtrArray *list = gst_mgpu_watch_list_regions (&GST_MGPU_FILTER (self)->watch,
      in, "roi-type", types);
  gboolean is_any;

  self->regions = g_array_new (FALSE, FALSE, sizeof (GstVideoRectangle));
  for (guint i = 0; i < list->len; i++) {
    const GstMgpuDetection *found = list->pdata[i];
    const GstVideoRectangle box = { found->x, found->y, found->width,
      found->height
    };

    g_array_append_val (self->regions, box);
  }
  is_any = list->len > 0;
  if (is_any)
    GST_MGPU_LOG_OBJECT (self, "reporting only tags in %u regions of the types "
        "%s", list->len, types);
  g_ptr_array_unref (list);
  return is_any;
}

static gboolean
load_mask (GstMgpuTags * self, const gchar * location, GError ** error)
{
  const GstVideoInfo *info = &GST_MGPU_FILTER (self)->input.info;
  guint8 *grey;

  if (g_strcmp0 (location, self->loaded) == 0)
    return TRUE;
  g_clear_pointer (&self->loaded, g_free);
  g_clear_pointer (&self->mask, g_bytes_unref);
  if (location == NULL)
    return TRUE;
  grey = gst_mgpu_mask_load (location, info->width, info->height, TRUE,
      "mask-location", error);
  if (grey == NULL)
    return FALSE;
  self->mask = g_bytes_new_take (grey, (gsize) info->width * info->height);
  self->loaded = g_strdup (location);
  GST_MGPU_DEBUG_OBJECT (self, "reporting only tags where the mask %s is "
      "bright", location);
  return TRUE;
}

/* ---- Work on frames ------------------------------------------------------------------ */

static gboolean
gst_mgpu_tags_looks (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  GstMgpuTags *self = GST_MGPU_TAGS (filter);
  const Params *p = get_params (self);

  g_clear_pointer (&self->regions, g_array_unref);
  if (!gst_mgpu_filter_is_due (filter, p->frame_interval))
    return FALSE;
  if (!load_mask (self, p->mask_location, error))
    return FALSE;
  if (p->roi_type != NULL && !find_regions (self, in, p->roi_type))
    GST_MGPU_LOG_OBJECT (self, "reporting no tags, because there is no region "
        "of the types %s", p->roi_type);
  return TRUE;
}

/* Gets buffers for the results of a frame. Returns: FALSE with the error set on failure */
static gboolean
acquire_results (GstMgpuTags * self, GError ** error)
{
  GstMgpuDeviceBase *base = &GST_MGPU_FILTER (self)->base;

  gst_clear_buffer (&self->head);
  gst_clear_buffer (&self->result);
  self->result = gst_mgpu_device_base_acquire_table (base, &self->pool,
      MGPU_TAGS_RESULT_SIZE, error);
  if (self->result == NULL)
    return FALSE;
  if (gst_mgpu_context_get_traits (base->context)->unified_memory)
    return TRUE;
  self->head = gst_mgpu_device_base_acquire_table (base, &self->head_pool,
      HEAD_SIZE, error);
  return self->head != NULL;
}

static void
gst_mgpu_tags_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuWork * work)
{
  GstMgpuTags *self = GST_MGPU_TAGS (filter);
  GError *error = NULL;
  MgpuImage luma;

  if (!acquire_results (self, &error)) {
    gst_mgpu_job_fail (job, error);
    return;
  }
  set_families (self, FALSE);
  mgpu_tags_enqueue (self->tags, job, &get_params (self)->tags,
      gst_mgpu_luma_enqueue (&self->luma, job, work->in, &luma),
      gst_mgpu_peek_table (self->result));
  if (self->head != NULL)
    gst_mgpu_job_copy_rect (job, gst_mgpu_peek_table (self->result), 0,
        HEAD_SIZE, gst_mgpu_peek_table (self->head), 0, HEAD_SIZE, HEAD_SIZE,
        1);
}

/* Starts the download of the results, and attaches to the frame the data that
 * gst_mgpu_tags_finish() needs to read them. */
static gboolean
gst_mgpu_tags_attach (GstMgpuFilter * filter, GstBuffer * buffer,
    GError ** error)
{
  GstMgpuTags *self = GST_MGPU_TAGS (filter);
  const GstVideoInfo *info = &filter->input.info;
  const MgpuLensModel *model;
  Pending *pending;

  if (self->head != NULL
      && !gst_mgpu_memory_fetch (gst_mgpu_peek_table (self->head), error))
    return FALSE;
  pending = g_new0 (Pending, 1);
  pending->result = g_steal_pointer (&self->result);
  pending->head = g_steal_pointer (&self->head);
  pending->places.regions = g_steal_pointer (&self->regions);
  pending->places.mask = self->mask != NULL ? g_bytes_ref (self->mask) : NULL;
  pending->places.min_evidence = get_params (self)->min_evidence;
  pending->places.width = info->width;
  pending->places.height = info->height;
  model = gst_mgpu_tags_scene_find_model (self->scene, buffer, info->width,
      info->height);
  pending->has_model = model != NULL;
  if (model != NULL)
    pending->model = *model;
  else if (gst_buffer_get_mgpu_camera_meta (buffer) != NULL)
    GST_MGPU_LOG_OBJECT (self,
        "computing no poses, because the GstMgpuCameraMeta of the frame has an "
        "unsupported model or aspect ratio");
  else
    GST_MGPU_LOG_OBJECT (self, "computing no poses, because no camera is "
        "known");
  pending->rules = get_params (self)->rules;
  gst_mgpu_pending_set (buffer, pending, pending_free);
  return TRUE;
}

/* Adds up the candidates, quads and tags that the device dropped because its tables were full. */
static void
count_dropped (GstMgpuTags * self, const TagsHeader * header)
{
  guint n = header->dropped_candidates + header->dropped_quads
      + header->dropped_tags;

  if (n > 0)
    GST_MGPU_DEBUG_OBJECT (self, "a frame has too many edges: the device "
        "dropped %d components, %d quads and %d tags",
        header->dropped_candidates, header->dropped_quads,
        header->dropped_tags);
  GST_OBJECT_LOCK (self);
  self->n_dropped += n;
  GST_OBJECT_UNLOCK (self);
}

/* Maps the results of a frame, waiting for the device. Returns: (transfer none): the memory that is
 * mapped; NULL with the error set on failure */
static GstMgpuMemory *
map_results (const Pending * pending, GstMapInfo * map, GError ** error)
{
  GstMgpuMemory *memory = gst_mgpu_peek_table (pending->head != NULL
      ? pending->head : pending->result);

  if (!gst_mgpu_memory_fetched (memory, error)
      || !mgpu_map_result (memory, map, error))
    return NULL;
  if (pending->head == NULL
      || ((const TagsHeader *) map->data)->n_tags <= HEAD_TAGS)
    return memory;
  gst_memory_unmap ((GstMemory *) memory, map);
  memory = gst_mgpu_peek_table (pending->result);
  return mgpu_map_result (memory, map, error) ? memory : NULL;
}

/* Reads the results of a frame, waiting for the device, and attaches its tags to *@buffer. */
static GstFlowReturn
gst_mgpu_tags_finish (GstMgpuFilter * filter, gpointer data,
    GstBuffer ** buffer, GError ** error)
{
  GstMgpuTags *self = GST_MGPU_TAGS (filter);
  const Pending *pending = data;
  GstMapInfo map;
  GstMgpuMemory *memory = map_results (pending, &map, error);
  const TagsHeader *header;

  if (memory == NULL)
    return GST_FLOW_ERROR;
  header = (const TagsHeader *) map.data;
  gst_mgpu_tags_results_read (&self->results, self->scene,
      pending->has_model ? &pending->model : NULL, header,
      (const TagsRecord *) (header + 1), &pending->places);
  GST_MGPU_LOG_OBJECT (self, "found %d components, %d points, %d quads and %d "
      "tags; attaching %u tags", header->n_candidates, header->n_points,
      header->n_quads, header->n_tags, self->results.tags->len);
  count_dropped (self, header);
  gst_memory_unmap ((GstMemory *) memory, &map);
  if (self->results.has_board)
    GST_MGPU_LOG_OBJECT (self, "computed the pose of the board, with an error "
        "of %g pixels", self->results.board.error);
  gst_mgpu_tags_results_attach (&self->results, GST_ELEMENT (self), *buffer,
      pending->places.width, pending->places.height);
  gst_mgpu_tags_events_note (self->events, &pending->rules, &self->results,
      *buffer);
  return GST_FLOW_OK;
}

/* ---- States and events ----------------------------------------------------------------- */

/* Forgets all tags, after the last frame in flight was pushed. */
static void
forget (GstMgpuTags * self)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  gboolean posts;

  GST_OBJECT_LOCK (self);
  posts = ((const Params *) filter->params)->rules.post_messages;
  GST_OBJECT_UNLOCK (self);
  GST_MGPU_DEBUG_OBJECT (self, "forgetting which tags are in view");
  gst_mgpu_in_flight_drain (&filter->output.in_flight);
  gst_mgpu_tags_events_forget (self->events, posts);
}

static void
gst_mgpu_tags_before_transform (GstBaseTransform * trans, GstBuffer * in)
{
  GST_BASE_TRANSFORM_CLASS (parent_class)->before_transform (trans, in);
  if (GST_MGPU_FILTER (trans)->frame.is_resting)
    forget (GST_MGPU_TAGS (trans));
}

static gboolean
gst_mgpu_tags_set_caps (GstBaseTransform * trans, GstCaps * in, GstCaps * out)
{
  const GstVideoInfo *info = &GST_MGPU_FILTER (trans)->input.info;
  GstVideoInfo next;

  /* Forgets the tags when the size changes, because positions in frames of different sizes cannot
   * be compared. */
  if (gst_video_info_from_caps (&next, in) && (next.width != info->width
          || next.height != info->height))
    forget (GST_MGPU_TAGS (trans));
  else
    gst_mgpu_in_flight_drain (&GST_MGPU_FILTER (trans)->output.in_flight);
  return GST_BASE_TRANSFORM_CLASS (parent_class)->set_caps (trans, in, out);
}

static gboolean
gst_mgpu_tags_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  gboolean is_flush = GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP;
  gboolean ret = GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans,
      event);

  if (is_flush)
    forget (GST_MGPU_TAGS (trans));
  return ret;
}

static gboolean
gst_mgpu_tags_start (GstBaseTransform * trans)
{
  GstMgpuTags *self = GST_MGPU_TAGS (trans);
  GstMgpuFilter *filter = GST_MGPU_FILTER (trans);
  Params *now = gst_mgpu_filter_copy_params (filter);
  GError *error = NULL;

  self->scene = gst_mgpu_tags_scene_new (&now->words, &error);
  gst_mgpu_filter_free_params (filter, now);
  if (self->scene == NULL) {
    gst_mgpu_device_base_fail (&filter->base, error);
    return FALSE;
  }
  GST_OBJECT_LOCK (self);
  self->n_dropped = 0;
  GST_OBJECT_UNLOCK (self);
  memset (self->warned_weak, 0, sizeof (self->warned_weak));
  self->events = gst_mgpu_tags_events_new (trans);
  if (GST_BASE_TRANSFORM_CLASS (parent_class)->start (trans))
    return TRUE;
  /* Frees the objects that start() has made, because GStreamer does not call stop() after start()
   * has failed. */
  g_clear_pointer (&self->events, gst_mgpu_tags_events_free);
  g_clear_pointer (&self->scene, gst_mgpu_tags_scene_free);
  return FALSE;
}

static gboolean
gst_mgpu_tags_stop (GstBaseTransform * trans)
{
  GstMgpuTags *self = GST_MGPU_TAGS (trans);
  gboolean ok = GST_BASE_TRANSFORM_CLASS (parent_class)->stop (trans);

  g_clear_pointer (&self->regions, g_array_unref);
  g_clear_pointer (&self->events, gst_mgpu_tags_events_free);
  g_clear_pointer (&self->scene, gst_mgpu_tags_scene_free);
  return ok;
}

static void
gst_mgpu_tags_describe (GstMgpuFilter * filter, GstStructure * stats)
{
  GstMgpuTags *self = GST_MGPU_TAGS (filter);
  guint64 n;

  GST_OBJECT_LOCK (self);
  n = self->n_dropped;
  GST_OBJECT_UNLOCK (self);
  gst_structure_set (stats, "dropped", G_TYPE_UINT64, n, NULL);
}

static void
gst_mgpu_tags_finalize (GObject * object)
{
  g_array_unref (GST_MGPU_TAGS (object)->results.tags);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_mgpu_tags_init (GstMgpuTags * self)
{
  self->results.finder = gst_mgpu_new_finder ();
  self->results.tags = g_array_new (FALSE, FALSE, sizeof (GstMgpuTag));
}

static void
gst_mgpu_tags_class_init (GstMgpuTagsClass * klass)
{
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_tags_finalize;
  trans_class->start = gst_mgpu_tags_start;
  trans_class->stop = gst_mgpu_tags_stop;
  trans_class->set_caps = gst_mgpu_tags_set_caps;
  trans_class->sink_event = gst_mgpu_tags_sink_event;
  trans_class->before_transform = gst_mgpu_tags_before_transform;
  filter_class->prepare = gst_mgpu_tags_prepare;
  filter_class->unprepare = gst_mgpu_tags_unprepare;
  filter_class->passes = gst_mgpu_filter_passes_all;
  filter_class->looks = gst_mgpu_tags_looks;
  filter_class->enqueue = gst_mgpu_tags_enqueue;
  filter_class->attach = gst_mgpu_tags_attach;
  filter_class->finish = gst_mgpu_tags_finish;
  filter_class->describe = gst_mgpu_tags_describe;
  gst_mgpu_filter_class_set_params (filter_class, params, sizeof (Params));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL tag detector", "Filter/Analyzer/Video",
      "Finds AprilTag and ArUco tags and their poses, on an OpenCL device",
      "The gst-mgpu authors");
}
