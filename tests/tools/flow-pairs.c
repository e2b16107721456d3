/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Computes optical flow with the reference, for flow.py:
 *
 * flow-pairs PRESET CHANGES TEMPORAL WIDTH HEIGHT < FRAMES > FLOW
 *
 * PRESET is a number from 0, ultrafast, to 3, fine. FRAMES are frames of a video, one byte per
 * pixel. For each frame except the first, FLOW gets two int32 per pixel, its position in the
 * previous frame relative to its own, in units of 1/32 pixel to the right and down, and then one
 * byte per pixel, the confidence of its flow sample. CHANGES and TEMPORAL are 0 or 1. Prints the
 * processor time per frame in ms. */
#include "../reference/flow.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void *
allocate (size_t size)
{
  void *data = malloc (size);

  if (data == NULL)
    abort ();
  return data;
}

static void
write_field (const RefFlow * field, int width, int height)
{
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      int flow[2];

      ref_flow_at (field, x, y, &flow[0], &flow[1]);
      fwrite (flow, sizeof (int), 2, stdout);
    }
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      putchar (field->confidence[(size_t) (y >> field->shift) * field->width
              + (x >> field->shift)]);
}

int
main (int argc, char **argv)
{
  int width = argc == 6 ? atoi (argv[4]) : 0;
  int height = argc == 6 ? atoi (argv[5]) : 0, n = 0;
  size_t size = (size_t) width * height;
  RefFlowParams params;
  RefPlane frames[2];
  RefFlow fields[2];
  clock_t spent = 0;

  if (width < 16 || height < 16) {
    fprintf (stderr, "usage: flow-pairs PRESET CHANGES TEMPORAL WIDTH HEIGHT"
        " < FRAMES > FLOW\n");
    return 1;
  }
  params.preset = atoi (argv[1]);
  params.lighting_changes = atoi (argv[2]);
  for (int i = 0; i < 2; i++) {
    frames[i] = (RefPlane) {
    .data = allocate (size),.stride = width,.pixel_stride = 1,.width =
          width,.height = height,.bytes = 1,.max = 255,.hi = 255};
    ref_flow_size (&params, width, height, &fields[i]);
    fields[i].flow = allocate (4 * size);
    fields[i].confidence = allocate (size);
  }
  for (; fread (frames[n & 1].data, 1, size, stdin) == size; n++) {
    int with_before = n > 1 && atoi (argv[3]);
    clock_t begin = clock ();

    if (n == 0)
      continue;
    if (!ref_flow (&params, &frames[n & 1], &frames[~n & 1], with_before
            ? &fields[~n & 1] : NULL, &fields[n & 1]))
      return 1;
    spent += clock () - begin;
    write_field (&fields[n & 1], width, height);
  }
  if (n > 1)
    fprintf (stderr, "%.1f\n", spent * 1e3 / CLOCKS_PER_SEC / (n - 1));
  for (int i = 0; i < 2; i++) {
    free (frames[i].data);
    free (fields[i].flow);
    free (fields[i].confidence);
  }
  return n > 1 ? 0 : 1;
}
