/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes pictures for kernelcheck: random numbers, test content, decoded files, padded planes. */
#include "private.h"
#include <string.h>

#include "../cases/packed.h"

/* Number of poison bytes before and after the planes, more than the widest vector that a kernel
 * could write beyond its end */
#define GUARD 256

void
kc_random_init (KcRandom * random, guint64 seed)
{
  random->state = seed;
}

/* Implements splitmix64 (Steele, Lea, Flood 2014). */
guint32
kc_random (KcRandom * random)
{
  guint64 z = (random->state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15));

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return (guint32) ((z ^ (z >> 31)) >> 32);
}

guint32
kc_random_below (KcRandom * random, guint32 n)
{
  return (guint32) (((guint64) kc_random (random) * n) >> 32);
}

/* Fills the picture with bytes that depend on their positions, so that a misplaced copy is
 * found. */
static void
poison (KcPicture * picture)
{
  for (gsize i = 0; i < picture->size; i++)
    picture->data[i] = (guint8) (0xa5 ^ (i * 29));
}

gsize
kc_picture_row_bytes (const KcPicture * picture, guint plane)
{
  const GstVideoInfo *info = &picture->info;
  gint bytes = 0, n;

  if (test_packed_find (GST_VIDEO_INFO_FORMAT (info)) != NULL)
    return test_packed_row (info, plane, &n);
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++) {
    if (GST_VIDEO_INFO_COMP_PLANE (info, i) == plane)
      bytes = MAX (bytes, GST_VIDEO_INFO_COMP_WIDTH (info, i)
          * GST_VIDEO_INFO_COMP_PSTRIDE (info, i));
  }
  return bytes;
}

static gint
plane_height (const GstVideoInfo * info, guint plane)
{
  gint height = 0;

  if (test_packed_find (GST_VIDEO_INFO_FORMAT (info)) != NULL) {
    test_packed_row (info, plane, &height);
    return height;
  }
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++) {
    if (GST_VIDEO_INFO_COMP_PLANE (info, i) == plane)
      height = MAX (height, GST_VIDEO_INFO_COMP_HEIGHT (info, i));
  }
  return height;
}

KcPicture *
kc_picture_new (const GstVideoInfo * info, KcLayout layout, KcRandom * random)
{
  KcPicture *picture = g_new0 (KcPicture, 1);
  gboolean is_packed = test_packed_find (GST_VIDEO_INFO_FORMAT (info)) != NULL;
  /* Aligns 16-bit samples to even addresses, and words of packed formats to multiples of 4. */
  guint unit = is_packed ? 4 : GST_VIDEO_INFO_COMP_DEPTH (info, 0) > 8 ? 2 : 1;
  gsize offset = GUARD;

  picture->info = *info;
  if (layout == KC_LAYOUT_PADDED)
    offset += unit * kc_random_below (random, 64);
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    gint stride = kc_picture_row_bytes (picture, i), tile =
        test_packed_tile (info);

    if (tile > 0) {
      guint columns = stride / tile / tile + (layout == KC_LAYOUT_PADDED
          ? 1 + kc_random_below (random, 4) : 0);

      picture->info.offset[i] = offset;
      picture->info.stride[i] = GST_VIDEO_TILE_MAKE_STRIDE (columns,
          plane_height (info, i));
      offset += columns * tile * tile * plane_height (info, i);
      continue;
    }
    if (is_packed)
      stride = (stride + 3) / 4 * 4;
    if (layout == KC_LAYOUT_DEFAULT)
      stride = GST_VIDEO_INFO_PLANE_STRIDE (info, i);
    else if (layout == KC_LAYOUT_PADDED)
      stride += unit * (1 + kc_random_below (random, 80));
    picture->info.offset[i] = offset;
    picture->info.stride[i] = stride;
    offset += (gsize) stride *plane_height (info, i);
    if (is_packed)
      continue;
    if (layout == KC_LAYOUT_PADDED)
      offset += unit * kc_random_below (random, 100);
  }
  picture->size = picture->info.size = offset + GUARD;
  picture->data = g_malloc (picture->size);
  poison (picture);
  return picture;
}

KcPicture *
kc_picture_copy (const KcPicture * picture)
{
  KcPicture *copy = g_new (KcPicture, 1);

  *copy = *picture;
  copy->data = g_memdup2 (picture->data, picture->size);
  return copy;
}

void
kc_picture_free (KcPicture * picture)
{
  if (picture == NULL)
    return;
  g_free (picture->data);
  g_free (picture);
}

RefPlane
kc_picture_plane (const KcPicture * picture, guint component)
{
  const GstVideoInfo *info = &picture->info;
  guint depth = GST_VIDEO_INFO_COMP_DEPTH (info, component);
  RefPlane plane = {
    .data = picture->data + GST_VIDEO_INFO_COMP_OFFSET (info, component),
    .stride = GST_VIDEO_INFO_COMP_STRIDE (info, component),
    .pixel_stride = GST_VIDEO_INFO_COMP_PSTRIDE (info, component),
    .width = GST_VIDEO_INFO_COMP_WIDTH (info, component),
    .height = GST_VIDEO_INFO_COMP_HEIGHT (info, component),
    .bytes = depth > 8 ? 2 : 1,
    .shift = info->finfo->shift[component],
    .max = (1 << depth) - 1
  };

  test_get_range (info, component, &plane.lo, &plane.hi);
  /* V of P010 lies 2 bytes after U, but GStreamer 1.22 reports 1 byte. */
  if (plane.bytes == 2 && GST_VIDEO_INFO_COMP_POFFSET (info, component) == 1)
    plane.data++;
  return plane;
}

KcArray
kc_picture_words (const KcPicture * picture, guint plane)
{
  const GstVideoInfo *info = &picture->info;
  KcArray array = {
    .name = "words",
    .type = KC_U8,
    .data = picture->data + info->offset[plane],
    .stride = test_packed_stride (info, info->stride[plane]),
    .pixel_stride = 1,
    .width = kc_picture_row_bytes (picture, plane),
    .height = plane_height (info, plane)
  };

  return array;
}

void
kc_picture_planes (const KcPicture * picture,
    RefPlane planes[GST_VIDEO_MAX_COMPONENTS])
{
  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&picture->info); i++)
    planes[i] = kc_picture_plane (picture, i);
}

KcArray
kc_picture_array (const KcPicture * picture, guint component)
{
  static const gchar *const yuv[] = { "Y", "U", "V", "A" };
  static const gchar *const rgb[] = { "R", "G", "B", "A" };
  RefPlane plane = kc_picture_plane (picture, component);
  KcArray array = {
    .name = GST_VIDEO_INFO_IS_RGB (&picture->info) ?
        rgb[component] : yuv[component],
    .type = plane.bytes == 1 ? KC_U8 : KC_U16,
    .data = plane.data,
    .stride = plane.stride,
    .pixel_stride = plane.pixel_stride,
    .width = plane.width,
    .height = plane.height
  };

  return array;
}

void
kc_picture_copy_planes (const KcPicture * in, KcPicture * out, guint planes)
{
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&in->info); i++) {
    if (!(planes & (1u << i)))
      continue;
    for (gint y = 0; y < plane_height (&in->info, i); y++)
      memcpy (out->data + out->info.offset[i] + (gsize) y * out->info.stride[i],
          in->data + in->info.offset[i] + (gsize) y * in->info.stride[i],
          kc_picture_row_bytes (in, i));
  }
}

const gchar *
kc_picture_strides (const KcPicture * picture)
{
  static gchar text[80];
  gsize n = 0;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&picture->info); i++)
    n += g_snprintf (text + n, sizeof (text) - n, "%s%d", i > 0 ? "," : "",
        picture->info.stride[i]);
  return text;
}

const gchar *
kc_content_name (KcContent content)
{
  static const gchar *const names[] = {
    "random", "flat", "near-black", "near-white", "noisy-gradient", "natural",
    "excess"
  };

  return names[content];
}

static guint32
sample (KcContent content, KcRandom * random, const RefPlane * plane, gint x,
    gint y, guint32 flat)
{
  gint32 max = plane->max, value;

  switch (content) {
    case KC_CONTENT_RANDOM:
      return kc_random_below (random, max + 1);
    case KC_CONTENT_FLAT:
      return flat;
    case KC_CONTENT_NEAR_BLACK:
      return kc_random_below (random, 4);
    case KC_CONTENT_NEAR_WHITE:
      return max - kc_random_below (random, 4);
    default:
      value = (gint64) max *(2 * x + y) / (2 * plane->width + plane->height)
      + (gint32) kc_random_below (random, max / 16 + 1) - max / 32;
      return CLAMP (value, 0, max);
  }
}

/* Returns: (transfer full): the caps of frames like @info, with only the fields that determine the
 * samples */
static gchar *
describe_frames (const GstVideoInfo * info)
{
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);
  gchar *text;

  gst_structure_remove_fields (gst_caps_get_structure (caps, 0), "framerate",
      "pixel-aspect-ratio", "interlace-mode", "multiview-mode", "chroma-site",
      NULL);
  text = gst_caps_to_string (caps);
  return text;
}

/* Returns: (transfer full): the picture in @file, scaled to frames like @info; NULL if there is no
 * such file, or it cannot be read */
static GstSample *
decode_file (const gchar * file, const gchar * decoder,
    const GstVideoInfo * info)
{
  gchar *caps = describe_frames (info);
  gchar *launch = g_strdup_printf ("filesrc location=%s"
      " ! %s ! videoconvert ! videoscale add-borders=false ! %s"
      " ! fakesink name=sink sync=false", file, decoder, caps);
  GstElement *pipeline = NULL, *sink;
  GstSample *sample = NULL;
  GstMessage *message;
  GstBus *bus;

  if (g_file_test (file, G_FILE_TEST_EXISTS))
    pipeline = gst_parse_launch (launch, NULL);
  g_free (launch);
  g_free (caps);
  if (pipeline == NULL)
    return NULL;
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 10 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  if (message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS)
    g_object_get (sink, "last-sample", &sample, NULL);
  g_clear_pointer (&message, gst_message_unref);
  gst_object_unref (sink);
  gst_object_unref (bus);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return sample;
}

gboolean
kc_picture_load (KcPicture * picture, const gchar * name)
{
  const GstVideoInfo *info = &picture->info;
  gchar *jpeg = g_strdup_printf (KC_PHOTOGRAPHS "/%s.jpg", name);
  gchar *png = g_strdup_printf (KC_PHOTOGRAPHS "/%s.png", name);
  GstSample *sample;
  GstVideoFrame frame;
  GstVideoInfo tight;

  gst_video_info_set_format (&tight, GST_VIDEO_INFO_FORMAT (info),
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
  tight.colorimetry = info->colorimetry;
  sample = g_file_test (jpeg, G_FILE_TEST_EXISTS)
      ? decode_file (jpeg, "jpegdec", &tight)
      : decode_file (png, "pngdec", &tight);
  g_free (jpeg);
  g_free (png);
  if (sample == NULL || !gst_video_frame_map (&frame, &tight,
          gst_sample_get_buffer (sample), GST_MAP_READ)) {
    g_clear_pointer (&sample, gst_sample_unref);
    return FALSE;
  }
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    for (gint y = 0; y < plane_height (info, i); y++)
      memcpy (picture->data + info->offset[i] + (gsize) y * info->stride[i],
          (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, i)
          + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, i),
          kc_picture_row_bytes (picture, i));
  }
  gst_video_frame_unmap (&frame);
  gst_sample_unref (sample);
  return TRUE;
}

void
kc_picture_fill (KcPicture * picture, KcContent content, KcRandom * random)
{
  const GstVideoInfo *info = &picture->info;

  if (content == KC_CONTENT_NATURAL
      && test_packed_find (GST_VIDEO_INFO_FORMAT (info)) == NULL
      && kc_picture_load (picture, "fruits"))
    return;

  /* Fills the bytes of pixels that are no component (the x of RGBx) first. */
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    for (gint y = 0; y < plane_height (info, i); y++) {
      guint8 *row = picture->data + info->offset[i]
          + (gsize) y * test_packed_stride (info, info->stride[i]);

      for (gsize x = 0; x < kc_picture_row_bytes (picture, i); x++)
        row[x] = (guint8) kc_random (random);
    }
  }
  if (test_packed_find (GST_VIDEO_INFO_FORMAT (info)) != NULL)
    return;

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (info); i++) {
    RefPlane plane = kc_picture_plane (picture, i);
    guint32 flat = kc_random_below (random, plane.max + 1);

    for (gint y = 0; y < plane.height; y++) {
      for (gint x = 0; x < plane.width; x++) {
        guint8 *at = plane.data + y * plane.stride + x * plane.pixel_stride;
        guint32 word =
            sample (content, random, &plane, x, y, flat) << plane.shift;

        if (content == KC_CONTENT_EXCESS)
          word = kc_random (random);
        /* Randomizes the bits below the value of a sample, which have no meaning. */
        if (plane.shift > 0 && content == KC_CONTENT_RANDOM)
          word |= kc_random_below (random, 1u << plane.shift);
        at[0] = (guint8) word;
        if (plane.bytes == 2)
          at[1] = (guint8) (word >> 8);
      }
    }
  }
}

KcPicture *
kc_picture_make (const GstVideoInfo * info, KcLayout layout, KcContent content,
    KcRandom * random)
{
  KcPicture *picture = kc_picture_new (info, layout, random);

  kc_picture_fill (picture, content, random);
  return picture;
}

KcPicture *
kc_picture_bench (GstVideoFormat format, gint width, gint height)
{
  GstVideoInfo info;
  KcRandom random;

  kc_random_init (&random, 3);
  gst_video_info_set_format (&info, format, width, height);
  return kc_picture_make (&info, KC_LAYOUT_DEFAULT, KC_CONTENT_NATURAL,
      &random);
}

gchar *
kc_picture_describe_byte (const KcPicture * picture, gsize offset)
{
  const GstVideoInfo *info = &picture->info;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    gsize begin = info->offset[i], row_bytes =
        kc_picture_row_bytes (picture, i);
    gsize stride = test_packed_stride (info, info->stride[i]), y, x;

    if (offset < begin)
      return g_strdup_printf ("%" G_GSIZE_FORMAT " bytes before plane %u",
          begin - offset, i);
    if (offset >= begin + stride * plane_height (info, i))
      continue;
    y = (offset - begin) / stride;
    x = (offset - begin) % stride;
    return g_strdup_printf ("plane %u, row %" G_GSIZE_FORMAT ", byte %"
        G_GSIZE_FORMAT ", %s", i, y, x, x < row_bytes ?
        "a byte of a pixel that is no sample" : "behind the end of the row");
  }
  return g_strdup_printf ("%" G_GSIZE_FORMAT " bytes before the end, behind "
      "the last plane", picture->size - offset);
}
