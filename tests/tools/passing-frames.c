/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Fills the frames of its standard input with the reference of mgpuinpaint mode=video, and writes
 * them to its standard output. An input frame consists of its mask of WIDTH x HEIGHT bytes (not 0:
 * filled), followed by as many bytes each of Y, U and V; an output frame consists of Y, U and V.
 * Used by passing.py. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../reference/inpaint-video.h"

static void *
allocate (size_t size)
{
  void *data = calloc (1, size);

  if (data == NULL)
    abort ();
  return data;
}

static RefPlane
make_plane (uint8_t * data, int width, int height)
{
  return (RefPlane) {
  .data = data,.stride = width,.pixel_stride = 1,.width = width,.height =
        height,.bytes = 1,.max = 255,.hi = 255};
}

static RefFlow
make_field (const RefFlowParams * params, int width, int height)
{
  RefFlow field;

  ref_flow_size (params, width, height, &field);
  field.flow = allocate ((size_t) 4 * width * height);
  field.confidence = allocate ((size_t) width * height);
  return field;
}

/* Buffers for the frames that wait for later frames */
typedef struct
{
  int width, height, later;
  uint8_t *masks, *bytes, *luma[2];
  int32_t *values;              /* values of the newest frame, and of the last 1 + later frames */
  RefFlow flow, back;
} Frames;

static Frames
make_frames (int width, int height, int later, const RefFlowParams * params)
{
  size_t size = (size_t) width * height;

  return (Frames) {
    .width = width,.height = height,.later = later,.masks =
        allocate (size * (1 + later)),.bytes = allocate (3 * size),.luma = {
      allocate (size), allocate (size)
  },.values =
        allocate (3 * size * sizeof (int32_t) * (1 + later)),.flow =
        make_field (params, width, height),.back =
        make_field (params, width, height)};
}

static void
free_frames (Frames * frames)
{
  free (frames->masks);
  free (frames->bytes);
  free (frames->luma[0]);
  free (frames->luma[1]);
  free (frames->values);
  free (frames->flow.flow);
  free (frames->flow.confidence);
  free (frames->back.flow);
  free (frames->back.confidence);
}

/* Reads frame number @t and adds it. Returns 0 at the end of the input. */
static int
add_frame (RefVideo * video, Frames * f, const RefFlowParams * params, int t)
{
  size_t size = (size_t) f->width * f->height;
  uint8_t *mask = f->masks + size * (t % (1 + f->later));
  int32_t *values = f->values + 3 * size * (t % (1 + f->later));
  RefPlane now = make_plane (f->luma[t & 1], f->width, f->height);
  RefPlane before = make_plane (f->luma[~t & 1], f->width, f->height);

  if (fread (mask, 1, size, stdin) != size
      || fread (f->bytes, 1, 3 * size, stdin) != 3 * size)
    return 0;
  for (size_t i = 0; i < 3 * size; i++)
    values[i] = f->bytes[i];
  ref_video_luma (values, 3, 0, 8, mask, f->width, f->height, now.data);
  if (t == 0)
    return ref_video_add (video, values, mask, NULL, NULL);
  if (!ref_flow (params, &now, &before, NULL, &f->flow)
      || !ref_flow (params, &before, &now, NULL, &f->back))
    abort ();
  if (f->later > 0)
    ref_flow_compare (&f->flow, &f->back);
  return ref_video_add (video, values, mask, &f->flow, &f->back);
}

static void
write_frame (RefVideo * video, Frames * f, int t)
{
  size_t size = (size_t) f->width * f->height;
  int32_t *values = f->values + 3 * size * (t % (1 + f->later));

  ref_video_fill (video, t, f->masks + size * (t % (1 + f->later)), values);
  for (size_t i = 0; i < 3 * size; i++)
    f->bytes[i] = values[i];
  fwrite (f->bytes, 1, 3 * size, stdout);
}

int
main (int argc, char **argv)
{
  int width = argc == 4 ? atoi (argv[1]) : 0;
  int height = argc == 4 ? atoi (argv[2]) : 0;
  int later = argc == 4 ? atoi (argv[3]) : 0, t = 0;
  RefFlowParams params = { REF_FLOW_MEDIUM, 0 };
  RefVideo *video;
  Frames frames;

  if (width < 16 || height < 16 || later < 0) {
    fprintf (stderr, "usage: passing-frames WIDTH HEIGHT LOOK-AHEAD\n");
    return 1;
  }
  frames = make_frames (width, height, later, &params);
  video = ref_video_new (width, height, 3, 0, 8, REF_VIDEO_KEEP, later);
  if (video == NULL)
    return 1;
  for (; add_frame (video, &frames, &params, t); t++)
    if (t >= later)
      write_frame (video, &frames, t - later);
  for (int i = t > later ? t - later : 0; i < t; i++)
    write_frame (video, &frames, i);
  ref_video_free (video);
  free_frames (&frames);
  return 0;
}
