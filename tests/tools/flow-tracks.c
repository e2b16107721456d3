/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tracks points with the reference, for flow.py:
 *
 * flow-tracks CELL WIDTH HEIGHT < FRAMES > TRACKS
 *
 * FRAMES are frames of a video, one byte per pixel. For each frame, TRACKS gets the number of
 * tracks as int32, and for each track its id as uint32 and, as floats, x, y and its position in the
 * previous frame. Prints the processor time per frame in ms. */
#include "../reference/tracks.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MAX_TRACKS 4096

static void *
allocate (size_t size)
{
  void *data = malloc (size);

  if (data == NULL)
    abort ();
  return data;
}

int
main (int argc, char **argv)
{
  int cell = argc == 4 ? atoi (argv[1]) : 0, n = 0;
  int width = argc == 4 ? atoi (argv[2]) : 0;
  int height = argc == 4 ? atoi (argv[3]) : 0;
  size_t size = (size_t) width * height;
  RefTracks tracks = { 0 };
  RefPlane frames[2];
  clock_t spent = 0;

  if (cell < 8 || width < 16 || height < 16) {
    fprintf (stderr,
        "usage: flow-tracks CELL WIDTH HEIGHT < FRAMES > TRACKS\n");
    return 1;
  }
  tracks.tracks = allocate (MAX_TRACKS * sizeof (RefTrack));
  for (int i = 0; i < 2; i++)
    frames[i] = (RefPlane) {
    .data = allocate (size),.stride = width,.pixel_stride = 1,.width =
        width,.height = height,.bytes = 1,.max = 255,.hi = 255};
  for (; fread (frames[n & 1].data, 1, size, stdin) == size; n++) {
    clock_t begin = clock ();
    int32_t count;

    if (!ref_tracks (n > 0 ? &frames[~n & 1] : NULL, &frames[n & 1], cell,
            MAX_TRACKS, &tracks))
      return 1;
    spent += clock () - begin;
    count = tracks.n;
    fwrite (&count, sizeof (count), 1, stdout);
    for (int i = 0; i < tracks.n; i++) {
      const RefTrack *t = &tracks.tracks[i];
      const float numbers[4] = { t->x, t->y, t->old_x, t->old_y };

      fwrite (&t->id, sizeof (t->id), 1, stdout);
      fwrite (numbers, sizeof (numbers), 1, stdout);
    }
  }
  if (n > 0)
    fprintf (stderr, "%.1f\n", spent * 1e3 / CLOCKS_PER_SEC / n);
  for (int i = 0; i < 2; i++)
    free (frames[i].data);
  free (tracks.tracks);
  return n > 0 ? 0 : 1;
}
