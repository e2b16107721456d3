/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Draws frames of a calibration board in front of a known camera, for the test of
 * gst-mgpu-calibrate.
 *
 *   board-frames BOARD LENS VIEWS FRAMES TILT OUTPUT
 *
 * BOARD: "tags", an AprilGrid of 6x6 tags of tag36h11 with sides of 3 cm and gaps of 9 mm, or
 * "chess", with 9x6 inner corners and squares of 3 cm. LENS: perspective or fisheye. VIEWS: number
 * of positions of the board, each of which is shown in FRAMES frames. TILT: largest tilt, in
 * degrees. OUTPUT: file for the frames of 640x480 pixels, one byte each. Prints the focal lengths
 * and the center of the camera. Pixels are means of 3x3 samples. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gst/vision/remap/lens.h>
#include <gst/vision/tags/dictionary.h>

#define WIDTH 640
#define HEIGHT 480
#define SAMPLES 3
#define NODE 4
#define N_RAYS ((gsize) WIDTH * HEIGHT * SAMPLES * SAMPLES)

/* The board, in meters */
#define TAGS 6
#define SIDE 0.03
#define STEP 0.039
/* Number of cells along a side of a tag, with its border */
#define CELLS 8

/* Squares of the chessboard */
#define COLUMNS 10
#define ROWS 7
#define MARGIN 0.015

/* Gray levels of black, of white, and of the background behind the board */
#define BLACK 30
#define WHITE 220
#define BEHIND 120

static const MgpuCamera cameras[] = {
  {MGPU_LENS_BROWN, {535, 541}, {332, 235}, {-0.27, 0.09, 0.001, -0.002}, 0, 0,
      1, WIDTH, HEIGHT},
  {MGPU_LENS_FISHEYE, {190, 191}, {322, 237}, {-0.03, 0.01, -0.003, 0.0005}, 0,
      0, 1, WIDTH, HEIGHT}
};

/* Gray levels of the cells of all tags, row by row */
static guint8 cells[TAGS * TAGS][CELLS * CELLS];

static void
make_cells (void)
{
  g_autoptr (MgpuTagDictionary) family = mgpu_tag_dictionary_find ("tag36h11");

  memset (cells, BLACK, sizeof (cells));
  for (guint tag = 0; tag < TAGS * TAGS; tag++)
    for (guint i = 0; i < family->n_bits; i++)
      if (family->codes[tag] >> (family->n_bits - 1 - i) & 1)
        cells[tag][family->y[i] * CELLS + family->x[i]] = WHITE;
}

/* Returns: the gray level of the AprilGrid at (@x, @y); y points up */
static guint
get_tags (gdouble x, gdouble y)
{
  const gdouble end = TAGS * STEP - STEP + SIDE + MARGIN;
  gint column, row;

  if (x < -MARGIN || y < -MARGIN || x > end || y > end)
    return BEHIND;
  column = x / STEP;
  row = y / STEP;
  x = (x - column * STEP) / SIDE;
  y = 1 - (y - row * STEP) / SIDE;
  if (x < 0 || x >= 1 || y < 0 || y >= 1 || column >= TAGS || row >= TAGS)
    return WHITE;
  return cells[row * TAGS + column][(gint) (y * CELLS) * CELLS
      + (gint) (x * CELLS)];
}

/* Returns: the gray level of the chessboard at (@x, @y), relative to the first inner corner */
static guint
get_chess (gdouble x, gdouble y)
{
  gint column, row;

  if (x < -SIDE - MARGIN || y < -SIDE - MARGIN || x > SIDE * (COLUMNS - 1)
      + MARGIN || y > SIDE * (ROWS - 1) + MARGIN)
    return BEHIND;
  column = floor (x / SIDE) + 1;
  row = floor (y / SIDE) + 1;
  if (column < 0 || row < 0 || column >= COLUMNS || row >= ROWS)
    return WHITE;
  return (column + row) % 2 == 0 ? BLACK : WHITE;
}

/* Sets @a, the directions of the board's axes x, y and z, and @at, its origin, for a position in
 * which the board's middle is seen near a random pixel. @up: whether y points up on the board */
static void
choose_pose (GRand * rand, const MgpuLensModel * model, gdouble tilt,
    const gdouble middle[2], gboolean up, gdouble a[3][3], gdouble at[3])
{
  gdouble distance = g_rand_double_range (rand, 0.28, 0.6);
  gdouble angle = g_rand_double_range (rand, 0.6, 1) * tilt;
  gdouble round = g_rand_double_range (rand, -G_PI, G_PI);
  gdouble spin = g_rand_double_range (rand, -0.2, 0.2);
  const gdouble place[2] = { g_rand_double_range (rand, 0.1, 0.9) * WIDTH,
    g_rand_double_range (rand, 0.1, 0.9) * HEIGHT
  };
  gdouble ray[3], c = cos (angle), s = sin (angle), axis[2] = { cos (round),
    sin (round)
  };

  mgpu_lens_model_unproject (model, place, ray);
  if (model->camera.lens == MGPU_LENS_FISHEYE)
    distance *= 0.4;
  for (guint i = 0; i < 2; i++) {
    gdouble x = i == 0 ? cos (spin) : -sin (spin);
    gdouble y = i == 0 ? sin (spin) : cos (spin);
    gdouble along = axis[0] * x + axis[1] * y;

    if (i == 1 && up) {
      x = -x;
      y = -y;
      along = -along;
    }
    /* Uses Rodrigues' formula for an axis in the image plane. */
    a[i][0] = x * c + axis[0] * along * (1 - c);
    a[i][1] = y * c + axis[1] * along * (1 - c);
    a[i][2] = (axis[0] * y - axis[1] * x) * s;
  }
  for (guint k = 0; k < 3; k++) {
    a[2][k] = a[0][(k + 1) % 3] * a[1][(k + 2) % 3]
        - a[0][(k + 2) % 3] * a[1][(k + 1) % 3];
    at[k] = distance * ray[k] - middle[0] * a[0][k] - middle[1] * a[1][k];
  }
}

/* Sets the rays of all samples. Rays are interpolated between nodes 4 pixels apart, where they
 * differ by less than 0.01 pixel from a straight line. */
static void
make_rays (const MgpuLensModel * model, gfloat * rays)
{
  const gsize columns = WIDTH / NODE + 2, rows = HEIGHT / NODE + 2;
  g_autofree gdouble *nodes = g_new (gdouble, 3 * columns * rows);

  for (gsize i = 0; i < columns * rows; i++) {
    const gdouble place[2] =
        { i % columns * NODE - 1., i / columns * NODE - 1. };

    mgpu_lens_model_unproject (model, place, nodes + 3 * i);
  }
  for (gsize i = 0; i < N_RAYS; i++) {
    gsize pixel = i / (SAMPLES * SAMPLES), sample = i % (SAMPLES * SAMPLES);
    gdouble x = (pixel % WIDTH + (sample % SAMPLES + 0.5) / SAMPLES + 0.5)
        / NODE;
    gdouble y = (pixel / WIDTH + (sample / SAMPLES + 0.5) / SAMPLES + 0.5)
        / NODE;
    gsize u = x, v = y;
    const gdouble *node = nodes + 3 * (v * columns + u);

    x -= u;
    y -= v;
    for (guint k = 0; k < 3; k++)
      rays[3 * i + k] = (1 - y) * ((1 - x) * node[k] + x * node[3 + k])
          + y * ((1 - x) * node[3 * columns + k]
          + x * node[3 * columns + 3 + k]);
  }
}

int
main (int argc, char **argv)
{
  g_autofree gfloat *rays = g_new (gfloat, 3 * N_RAYS);
  g_autofree guint8 *pixels = g_new (guint8, WIDTH * HEIGHT);
  GRand *rand = g_rand_new_with_seed (7);
  const MgpuCamera *camera;
  MgpuLensModel model;
  gboolean tags;
  FILE *file;

  if (argc != 7 || (file = fopen (argv[6], "wb")) == NULL)
    return 2;
  tags = strcmp (argv[1], "tags") == 0;
  make_cells ();
  camera = &cameras[strcmp (argv[2], "fisheye") == 0];
  mgpu_lens_model_init (&model, camera);
  make_rays (&model, rays);
  for (gint view = 0; view < atoi (argv[3]); view++) {
    const gdouble half = (TAGS * STEP - STEP + SIDE) / 2;
    const gdouble middle[2] = { tags ? half : SIDE * (COLUMNS - 2) / 2,
      tags ? half : SIDE * (ROWS - 2) / 2
    };
    gdouble a[3][3], at[3], height;

    choose_pose (rand, &model, atof (argv[5]) * G_PI / 180, middle, tags, a,
        at);
    height = at[0] * a[2][0] + at[1] * a[2][1] + at[2] * a[2][2];
    for (gsize i = 0, sum = 0; i < N_RAYS; i++) {
      const gfloat *ray = rays + 3 * i;
      gdouble t = height / (ray[0] * a[2][0] + ray[1] * a[2][1]
          + ray[2] * a[2][2]), x = 0, y = 0;

      for (guint k = 0; k < 3; k++) {
        x += a[0][k] * (t * ray[k] - at[k]);
        y += a[1][k] * (t * ray[k] - at[k]);
      }
      sum += !(t > 0) ? BEHIND : tags ? get_tags (x, y)
          : get_chess (x, y);
      if ((i + 1) % (SAMPLES * SAMPLES) == 0) {
        pixels[i / (SAMPLES * SAMPLES)] = (sum + SAMPLES * SAMPLES / 2)
            / (SAMPLES * SAMPLES);
        sum = 0;
      }
    }
    for (gint i = 0; i < atoi (argv[4]); i++)
      fwrite (pixels, WIDTH * HEIGHT, 1, file);
  }
  printf ("%g %g %g %g\n", camera->focal[0], camera->focal[1],
      camera->centre[0], camera->centre[1]);
  g_rand_free (rand);
  return fclose (file) != 0;
}
