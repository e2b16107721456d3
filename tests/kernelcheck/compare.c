/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Compares pictures and arrays with the reference's, and computes the digests of results. */
#include "private.h"
#include <stdlib.h>
#include <string.h>

#include "../cases/packed.h"

/* Maximum number of failures that are reported for one function, device and class before the check
 * of the function ends */
#define MAX_REPORTS 3

#define MAP_WIDTH 64
#define MAP_HEIGHT 16

void
kc_case_begin (KcRun * run, KcKind kind, const gchar * format, ...)
{
  va_list args;

  va_start (args, format);
  g_string_vprintf (run->priv->text, format, args);
  va_end (args);
  if (run->priv->verbose)
    g_print ("  %s\n", run->priv->text->str);
  run->priv->kind = kind;
  run->priv->case_failed = FALSE;
}

void
kc_case_end (KcRun * run)
{
  run->priv->n_cases++;
  if (run->priv->case_failed)
    run->priv->n_failed++;
}

gboolean
kc_goes_on (KcRun * run)
{
  return run->priv->n_failed < MAX_REPORTS;
}

void
kc_case_fail (KcRun * run, const gchar * format, ...)
{
  KcRunPrivate *priv = run->priv;
  gchar *text;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  /* Prints the parameters of a case once, because a case may fail in several ways. */
  if (!priv->case_failed && !priv->silent)
    g_print ("FAILED %s on %s, class %s, --seed %" G_GUINT64_FORMAT ": %s\n",
        priv->function, gst_mgpu_context_get_device_name (run->context),
        priv->class_name, run->seed, priv->text->str);
  if (!priv->silent)
    g_print ("  %s\n", text);
  g_free (text);
  priv->case_failed = TRUE;
}

void
kc_case_fail_error (KcRun * run, GError * error)
{
  kc_case_fail (run, "%s", error != NULL ? error->message :
      "failed without saying why");
  g_clear_error (&error);
}

static gsize
type_size (KcType type)
{
  switch (type) {
    case KC_U8:
      return 1;
    case KC_U16:
    case KC_I16:
      return 2;
    case KC_U64:
      return 8;
    default:
      return 4;
  }
}

static const guint8 *
element (const KcArray * array, gint x, gint y)
{
  return (const guint8 *) array->data + (gsize) y *array->stride
      + (gsize) x *array->pixel_stride;
}

gdouble
kc_array_get (const KcArray * array, gint x, gint y)
{
  union
  {
    guint8 u8;
    guint16 u16;
    guint32 u32;
    guint64 u64;
    gint16 i16;
    gint32 i32;
    gfloat f32;
  } v;

  memcpy (&v, element (array, x, y), type_size (array->type));
  switch (array->type) {
    case KC_U8:
      return v.u8;
    case KC_U16:
      return v.u16;
    case KC_U32:
      return v.u32;
    case KC_U64:
      return (gdouble) v.u64;
    case KC_I16:
      return v.i16;
    case KC_I32:
      return v.i32;
    default:
      return v.f32;
  }
}

static gboolean
differs (const KcArray * want, const KcArray * got, gint x, gint y)
{
  return memcmp (element (want, x, y), element (got, x, y),
      type_size (want->type)) != 0;
}

/* Prints '.' for equal samples, otherwise the difference as a digit up to 9, then as '#'. */
static void
print_map (const KcArray * want, const KcArray * got, gint first_x,
    gint first_y)
{
  gint x0 = MAX (0, MIN (first_x - 8, want->width - MAP_WIDTH));
  gint y0 = MAX (0, MIN (first_y - 2, want->height - MAP_HEIGHT));
  gint x1 = MIN (x0 + MAP_WIDTH, want->width);
  gint y1 = MIN (y0 + MAP_HEIGHT, want->height);

  g_print ("  differences in columns %d to %d, rows %d to %d:\n", x0, x1 - 1,
      y0, y1 - 1);
  for (gint y = y0; y < y1; y++) {
    gchar line[MAP_WIDTH + 1];

    for (gint x = x0; x < x1; x++) {
      gdouble d = ABS (kc_array_get (want, x, y) - kc_array_get (got, x, y));

      line[x - x0] = !differs (want, got, x, y) ? '.' :
          d >= 1 && d < 10 ? '0' + (gint) d : d < 1 ? '~' : '#';
    }
    line[x1 - x0] = '\0';
    g_print ("  %6d %s\n", y, line);
  }
}

gboolean
kc_compare_array (KcRun * run, const KcArray * want, const KcArray * got)
{
  gsize bytes = type_size (want->type), n = 0;
  gint first_x = 0, first_y = 0;

  for (gint y = 0; y < want->height; y++) {
    for (gint x = 0; x < want->width; x++) {
      if (run->priv->kind == KC_FIXED)
        g_checksum_update (run->priv->digest, element (got, x, y), bytes);
      if (differs (want, got, x, y) && n++ == 0) {
        first_x = x;
        first_y = y;
      }
    }
  }
  if (n == 0)
    return TRUE;

  kc_case_fail (run, "%s: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " differ, "
      "the first at x=%d y=%d: expected %.9g, got %.9g", want->name, n,
      (gsize) want->width * want->height, first_x, first_y,
      kc_array_get (want, first_x, first_y),
      kc_array_get (got, first_x, first_y));
  if (!run->priv->silent)
    print_map (want, got, first_x, first_y);
  return FALSE;
}

gboolean
kc_compare_picture (KcRun * run, const KcPicture * want, const KcPicture * got)
{
  gsize n = 0, first = 0;

  gboolean is_packed =
      test_packed_find (GST_VIDEO_INFO_FORMAT (&want->info)) != NULL;
  guint count = is_packed ? GST_VIDEO_INFO_N_PLANES (&want->info)
      : GST_VIDEO_INFO_N_COMPONENTS (&want->info);

  for (guint i = 0; i < count; i++) {
    KcArray a = is_packed ? kc_picture_words (want, i)
        : kc_picture_array (want, i);
    KcArray b = is_packed ? kc_picture_words (got, i)
        : kc_picture_array (got, i);

    if (!kc_compare_array (run, &a, &b))
      return FALSE;
  }

  if (memcmp (want->data, got->data, want->size) == 0)
    return TRUE;
  for (gsize i = 0; i < want->size; i++) {
    if (want->data[i] != got->data[i] && n++ == 0)
      first = i;
  }
  {
    gchar *where = kc_picture_describe_byte (want, first);

    kc_case_fail (run, "%" G_GSIZE_FORMAT " bytes changed that are no sample, "
        "the first %s: expected 0x%02x, got 0x%02x", n, where,
        want->data[first], got->data[first]);
    g_free (where);
  }
  return FALSE;
}

KcFrame *
kc_frame_new (KcRun * run, const KcPicture * picture)
{
  const GstVideoInfo *info = &picture->info;
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];
  GstMgpuMemory *memory = kc_memory_new (run, picture->data, picture->size);
  KcFrame *frame;

  if (memory == NULL)
    return NULL;

  frame = g_new0 (KcFrame, 1);
  frame->buffer = gst_buffer_new ();
  gst_buffer_append_memory (frame->buffer, GST_MEMORY_CAST (memory));
  memcpy (offset, info->offset, sizeof (offset));
  memcpy (stride, info->stride, sizeof (stride));
  gst_buffer_add_video_meta_full (frame->buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info), offset,
      stride);
  if (!mgpu_image_from_buffer (&frame->image, frame->buffer, info)) {
    kc_case_fail (run, "mgpu_image_from_buffer() refuses the frame");
    kc_frame_free (frame);
    return NULL;
  }
  return frame;
}

void
kc_frame_free (KcFrame * frame)
{
  if (frame == NULL)
    return;
  gst_buffer_unref (frame->buffer);
  g_free (frame);
}

gboolean
kc_frame_read (KcRun * run, KcFrame * frame, KcPicture * picture)
{
  return kc_memory_read (run, frame->image.memory, picture->data);
}

GstMgpuMemory *
kc_memory_new (KcRun * run, gconstpointer data, gsize size)
{
  GError *error = NULL;
  GstMapInfo map;
  GstMemory *memory =
      gst_mgpu_memory_new (run->queue, size, run->stats, &error);

  if (memory == NULL) {
    kc_case_fail_error (run, error);
    return NULL;
  }
  if (!gst_memory_map (memory, &map, GST_MAP_WRITE)) {
    kc_case_fail (run, "mapping for writing failed");
    gst_memory_unref (memory);
    return NULL;
  }
  memcpy (map.data, data, size);
  gst_memory_unmap (memory, &map);

  /* Uploads the poison (bytes that must not change) explicitly, because a job that only writes
   * need not upload the memory first. */
  if (!gst_memory_map (memory, &map, GST_MAP_READ | GST_MAP_MGPU)) {
    kc_case_fail (run, "mapping for the device failed");
    gst_memory_unref (memory);
    return NULL;
  }
  gst_memory_unmap (memory, &map);
  return (GstMgpuMemory *) memory;
}

void
kc_memory_free (GstMgpuMemory * memory)
{
  if (memory != NULL)
    gst_memory_unref (GST_MEMORY_CAST (memory));
}

gboolean
kc_memory_read (KcRun * run, GstMgpuMemory * memory, gpointer data)
{
  GstMapInfo map;

  if (!gst_memory_map (GST_MEMORY_CAST (memory), &map, GST_MAP_READ)) {
    kc_case_fail (run, "mapping for reading failed");
    return FALSE;
  }
  memcpy (data, map.data, map.size);
  gst_memory_unmap (GST_MEMORY_CAST (memory), &map);
  return TRUE;
}
