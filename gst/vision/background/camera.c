/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Follows a camera that moves: finds how far it has moved, shifts the remembered background by
 * this distance, and remembers the pixels that patches filled. See docs/algorithms/inpaint.md. */
#include "background-private.h"

#include <string.h>

/* Maximum number of times that the two compared pictures are scaled to half their size, and
 * minimum width and height of a scaled picture */
#define MAX_HALVES 3
#define MIN_SIZE 24

/* Largest shifts that the search tries, in columns and rows. At the smallest scale it tries
 * shifts of up to FIRST_RANGE. At each larger scale it doubles the shift found at the scale
 * before, and tries shifts that differ from the result by up to NEXT_RANGE. */
#define FIRST_RANGE 8
#define NEXT_RANGE 2

/* Largest number of pixels that are compared to find the cost of a shift */
#define MAX_COMPARED 16384

/* Largest difference of two pixels that counts; a larger one counts as this value. Objects that
 * move by themselves therefore have little weight */
#define MAX_DIFFERENCE 32

/* A frame and an earlier picture of the same size. @pairs has two bytes for each pixel: the
 * pixel of the frame, then the pixel of the picture. @is_void has a byte for each pixel: bit 0
 * is set if the pixel of the frame is not to be compared, bit 1 if the pixel of the picture is
 * not */
typedef struct
{
  gint width, height;
  guint8 *pairs, *is_void;
} Pair;

static Pair
pair_new (gint width, gint height)
{
  gsize n = (gsize) width * height;

  return (Pair) {
  width, height, g_malloc (2 * n), g_malloc (n)};
}

static void
pair_clear (Pair * pair)
{
  g_free (pair->pairs);
  g_free (pair->is_void);
}

/* Scales the frame and the picture of @from to half their width and height. A pixel of the
 * result is the mean of four pixels; it is not to be compared if any of the four is not.
 * Returns: the scaled frame and picture */
static Pair
halve (const Pair * from)
{
  Pair to = pair_new (from->width / 2, from->height / 2);

  for (gint y = 0; y < to.height; y++) {
    for (gint x = 0; x < to.width; x++) {
      gsize i = (gsize) y * to.width + x;
      gsize at = (gsize) 2 * y * from->width + 2 * x;
      const guint8 *above = from->pairs + 2 * at;
      const guint8 *below = above + 2 * from->width;
      const guint8 *is_void = from->is_void + at;

      for (gint k = 0; k < 2; k++)
        to.pairs[2 * i + k] = (above[k] + above[2 + k] + below[k]
            + below[2 + k] + 2) / 4;
      to.is_void[i] = is_void[0] | is_void[1] | is_void[from->width]
          | is_void[from->width + 1];
    }
  }
  return to;
}

/* Computes the cost of the shift by @dx columns and @dy rows. This is the mean difference
 * between the pixel (x, y) of the frame and the pixel (x + @dx, y + @dy) of the picture.
 * Returns: the cost in 1/1024 of a gray level; G_MAXINT when less than a quarter of the pixels
 * can be compared */
static gint
get_cost (const Pair * pair, gint dx, gint dy)
{
  gint step = 1, n = 0, sum = 0, all;
  gint x0 = MAX (-dx, 0), x1 = MIN (pair->width - dx, pair->width);
  gint y0 = MAX (-dy, 0), y1 = MIN (pair->height - dy, pair->height);

  while (((pair->width + step - 1) / step) * ((pair->height + step - 1) / step)
      > MAX_COMPARED)
    step++;
  all = ((pair->width + step - 1) / step) * ((pair->height + step - 1) / step);
  for (gint y = (y0 + step - 1) / step * step; y < y1; y += step) {
    for (gint x = (x0 + step - 1) / step * step; x < x1; x += step) {
      gsize i = (gsize) y * pair->width + x;
      gsize at = i + (gssize) dy * pair->width + dx;
      gint d = ABS (pair->pairs[2 * i] - pair->pairs[2 * at + 1]);

      if ((pair->is_void[i] & 1) || (pair->is_void[at] & 2))
        continue;
      n++;
      sum += MIN (d, MAX_DIFFERENCE);
    }
  }
  return n == 0 || 4 * n < all ? G_MAXINT : (gint) ((gint64) 1024 * sum / n);
}

/* Tries the shifts that are at most @range columns and rows away from the given *dx and *dy.
 * Sets *dx and *dy to the shift with the least cost; of shifts with equal costs, to the
 * shortest one. Returns: the cost of that shift */
static gint
search (const Pair * pair, gint range, gint * dx, gint * dy)
{
  gint middle_x = *dx, middle_y = *dy, best = G_MAXINT, least = G_MAXINT;

  for (gint v = middle_y - range; v <= middle_y + range; v++) {
    for (gint u = middle_x - range; u <= middle_x + range; u++) {
      gint cost = get_cost (pair, u, v), size = u * u + v * v;

      if (cost > best || (cost == best && size >= least))
        continue;
      best = cost;
      least = size;
      *dx = u;
      *dy = v;
    }
  }
  return best;
}

/* Finds how far the camera has moved between an earlier picture and a frame. Both have @width x
 * @height pixels of 8 bits. Sets *dx and *dy in such a way that the pixel (x, y) of the frame
 * shows what the pixel (x + *dx, y + *dy) of the picture shows.
 * @pairs: two bytes for each pixel, the pixel of the frame and that of the picture.
 * @is_void: a byte for each pixel. Bit 0: the pixel of the frame is not compared. Bit 1: the
 * pixel of the picture is not compared.
 * See docs/algorithms/inpaint.md. */
static void
choose_shift (const guint8 * pairs, const guint8 * is_void, gint width,
    gint height, gint * dx, gint * dy)
{
  Pair levels[MAX_HALVES + 1] = { {width, height, (guint8 *) pairs,
          (guint8 *) is_void}
  };
  gint n = 0, cost;

  for (; n < MAX_HALVES && levels[n].width / 2 >= MIN_SIZE
      && levels[n].height / 2 >= MIN_SIZE; n++)
    levels[n + 1] = halve (&levels[n]);
  *dx = *dy = 0;
  cost = search (&levels[n], FIRST_RANGE, dx, dy);
  for (gint i = n - 1; i >= 0; i--) {
    *dx *= 2;
    *dy *= 2;
    cost = search (&levels[i], NEXT_RANGE, dx, dy);
  }
  /* Treats the camera as still unless the cost of the shift is at most 7/8 of the cost without
   * a shift. */
  if (cost == G_MAXINT
      || (gint64) 8 * cost > (gint64) 7 * get_cost (&levels[0], 0, 0))
    *dx = *dy = 0;
  for (gint i = 1; i <= n; i++)
    pair_clear (&levels[i]);
}

/* ---- The remembered background ---------------------------------------------------- */

/* Moves the elements of a mask of @width x @height bytes by @dx columns to the left and @dy
 * rows up. Elements that get no value in this manner become 0. */
static void
move_mask (guint8 * bytes, gint width, gint height, gint dx, gint dy)
{
  g_autofree guint8 *from = g_memdup2 (bytes, (gsize) width * height);

  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      bytes[(gsize) y * width + x] = x + dx >= 0 && x + dx < width
          && y + dy >= 0 && y + dy < height
          ? from[(gsize) (y + dy) * width + x + dx] : 0;
}

/* Finds how far the camera has moved: compares the first component of the frame @in with that
 * of the remembered background, both reduced to 8 bits. Sets *dx and *dy to the movement in
 * columns and rows.
 * Returns: FALSE after an error, which is in @job */
static gboolean
find_shift (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in, gint * dx, gint * dy)
{
  gsize n = mgpu_background_count_pixels (self);
  cl_kernel kernel = self->object.kernels[PAIR];
  MgpuComponent c = mgpu_get_component (&in->info, 0);
  GstMemory *memory;
  GstMgpuJob part;
  GstMapInfo map;

  gst_mgpu_job_begin_part (&part, job);
  if (mgpu_background_prepare (self, &part, LEAVING)) {
    gst_mgpu_job_set_args (&part, kernel, MGPU_PLANE "iiiimmmiim",
        MGPU_READ (&part, in, c), c.pixel_stride, c.bytes, c.shift, c.max,
        mgpu_slot_read (self, SAMPLES, &part), mgpu_slot_read (self,
            MASK + LEAVING, &part), mgpu_slot_read (self, SEEN, &part), c.width,
        c.height, mgpu_slot_write (self, PAIRS, &part, 3 * n));
    mgpu_launch (&part, kernel, 1, c.height, 1, 1, self->row);
  }
  if (!mgpu_end_part (job, &part))
    return FALSE;
  memory = self->object.slots[PAIRS];
  if (!mgpu_map_in_job (job, memory, &map, GST_MAP_READ))
    return FALSE;
  choose_shift (map.data, map.data + 2 * n, c.width, c.height, dx, dy);
  gst_memory_unmap (memory, &map);
  return TRUE;
}

/* Exchanges the scratch buffer @slot with the scratch buffer @moved, to which a kernel has
 * written the new content. */
static void
exchange (MgpuInpaintBackground * self, guint slot, guint moved)
{
  GstMemory **slots = self->object.slots, *memory = slots[moved];

  slots[moved] = slots[slot];
  slots[slot] = memory;
}

/* Enqueues kernels that shift the remembered samples by @dx columns and @dy rows, to follow the
 * camera. (self->x, self->y) is the position of the camera before the shift.
 * Returns: FALSE after an error, which is in @job */
static gboolean
move_samples (MgpuInpaintBackground * self, GstMgpuJob * job, gint dx, gint dy)
{
  cl_kernel kernel = self->object.kernels[MOVE];

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&self->info); i++) {
    gint sub_x = self->info.finfo->w_sub[i], sub_y = self->info.finfo->h_sub[i];
    MgpuComponent c = mgpu_get_component (&self->info, i);

    if (!mgpu_slot_ensure (self, SPARE + i, job,
            sizeof (cl_ushort4) * (gsize) c.width * c.height))
      return FALSE;
    gst_mgpu_job_set_args (job, kernel, "mmiiii",
        mgpu_slot_read (self, SAMPLES + i, job),
        mgpu_slot_write (self, SPARE + i, job, 0), c.width, c.height,
        ((self->x + dx) >> sub_x) - (self->x >> sub_x),
        ((self->y + dy) >> sub_y) - (self->y >> sub_y));
    mgpu_launch (job, kernel, 1, c.height, 1, 1, self->row);
    exchange (self, SAMPLES + i, SPARE + i);
  }
  return TRUE;
}

/* Enqueues a kernel that moves the bytes of the scratch buffer @slot by @dx columns to the left
 * and @dy rows up. Its size is @columns x @rows bytes. The kernel writes to the scratch buffer
 * @moved, which has the same size and is then exchanged with @slot. */
static void
move_bytes (MgpuInpaintBackground * self, GstMgpuJob * job, guint slot,
    guint moved, gint columns, gint rows, gint dx, gint dy)
{
  cl_kernel kernel = self->object.kernels[SHIFT];

  if (!mgpu_slot_ensure (self, moved, job, mgpu_background_count_pixels (self)))
    return;
  gst_mgpu_job_set_args (job, kernel, "mmiiii",
      mgpu_slot_read (self, slot, job), mgpu_slot_write (self, moved, job, 0),
      columns, rows, dx, dy);
  mgpu_launch (job, kernel, 1, rows, 1, 1, self->row);
  exchange (self, slot, moved);
}

gboolean
mgpu_background_follow_camera (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * in)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&self->info);
  gint columns, rows, dx, dy, x = self->x, y = self->y;

  if (!find_shift (self, job, in, &dx, &dy))
    return FALSE;
  if (dx == 0 && dy == 0)
    return TRUE;
  if (!move_samples (self, job, dx, dy))
    return FALSE;
  mgpu_background_get_smallest (self, &columns, &rows);
  move_bytes (self, job, SEEN, SEEN_MOVED, width, height, dx, dy);
  move_bytes (self, job, WAS, WAS_MOVED, width, height, dx, dy);
  move_mask (self->was, width, height, dx, dy);
  self->was_serial = 0;
  self->x += dx;
  self->y += dy;
  move_bytes (self, job, WHOLE, WHOLE_MOVED, columns, rows,
      (self->x >> self->sub_x) - (x >> self->sub_x),
      (self->y >> self->sub_y) - (y >> self->sub_y));
  self->is_planned = FALSE;
  mgpu_background_forget_passing (self);
  return job->error == NULL;
}

void
mgpu_background_adopt (MgpuInpaintBackground * self, GstMgpuJob * job,
    const MgpuImage * filled)
{
  gint width = GST_VIDEO_INFO_WIDTH (&self->info);
  cl_kernel kernel = self->object.kernels[ADOPT];

  for (guint i = 0; i < GST_VIDEO_INFO_N_COMPONENTS (&self->info); i++) {
    MgpuComponent c = mgpu_get_component (&filled->info, i);

    gst_mgpu_job_set_args (job, kernel, MGPU_SAMPLES "mmii",
        MGPU_READ_SAMPLES (job, filled, i, c),
        mgpu_slot_read (self, HIDDEN, job),
        mgpu_slot_write (self, SAMPLES + i, job, 0), c.width, width);
    mgpu_launch (job, kernel, 1, c.height, 1, 1, self->row);
  }
  kernel = self->object.kernels[ADOPT_PIXELS];
  gst_mgpu_job_set_args (job, kernel, "miiimm",
      mgpu_slot_read (self, HIDDEN, job), (gint) self->sub_x,
      (gint) self->sub_y, width, mgpu_slot_write (self, SEEN, job, 0),
      mgpu_slot_write (self, WHOLE, job, 0));
  mgpu_launch (job, kernel, 1, GST_VIDEO_INFO_HEIGHT (&self->info), 1, 1,
      self->row);
  self->is_planned = FALSE;
}
