/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Loads and stores 16 pixels of 1 to 4 bytes at any address. Each pixel is converted to one
 * uint: the first byte in memory becomes the lowest byte. */
#ifndef PIXELS_H
#define PIXELS_H

/* LOOSE defines a packed struct that holds one unaligned vector. PoCL splits vload and vstore
 * of bytes into one access for each byte, but it loads or stores a member of a packed struct
 * with one access. */
#define LOOSE(type, name) \
    typedef struct __attribute__ ((packed)) { type v; } name
#define LOAD_LOOSE(name, p) (((global const name *) (p))->v)
#define STORE_LOOSE(name, p, value) (((global name *) (p))->v = (value))

LOOSE (uchar4, loose_uchar4);
LOOSE (uchar8, loose_uchar8);
LOOSE (uchar16, loose_uchar16);
LOOSE (ushort16, loose_ushort16);
LOOSE (uint16, loose_uint16);

/* Loads 16 adjacent pixels at the address @p, one into each uint. If a pixel has less than 4
 * bytes, the upper bytes of its uint are undefined. */
static uint16
load_pixels (global const uchar * p, int pixel_stride)
{
  if (pixel_stride == 1)
    return convert_uint16 (LOAD_LOOSE (loose_uchar16, p));
  if (pixel_stride == 2)
    return convert_uint16 (LOAD_LOOSE (loose_ushort16, p));
  if (pixel_stride == 4)
    return LOAD_LOOSE (loose_uint16, p);

#define FOUR(at) as_uint4 (LOAD_LOOSE (loose_uchar16, p + (at)).s0123345667899abc)
  return (uint16) (FOUR (0), FOUR (12), FOUR (24),
      as_uint4 (LOAD_LOOSE (loose_uchar16, p + 32).s4567789aabcddeff));
#undef FOUR
}

static void
store_pixels (global uchar * p, int pixel_stride, uint16 pixels)
{
  if (pixel_stride == 1)
    STORE_LOOSE (loose_uchar16, p, convert_uchar16 (pixels));
  else if (pixel_stride == 2)
    STORE_LOOSE (loose_ushort16, p, convert_ushort16 (pixels));
  else if (pixel_stride == 4)
    STORE_LOOSE (loose_uint16, p, pixels);
  else {
    uchar16 last = as_uchar16 (pixels.scdef);

    /* Stores 16 bytes for every 4 pixels of 3 bytes. The last 4 of the 16 bytes do not belong
     * to these pixels; the next store overwrites them. */
#define FOUR(v) as_uchar16 (v).s01245689acdeffff
    STORE_LOOSE (loose_uchar16, p, FOUR (pixels.s0123));
    STORE_LOOSE (loose_uchar16, p + 12, FOUR (pixels.s4567));
    STORE_LOOSE (loose_uchar16, p + 24, FOUR (pixels.s89ab));
    STORE_LOOSE (loose_uchar8, p + 36, last.s01245689);
    STORE_LOOSE (loose_uchar4, p + 44, last.sacde);
#undef FOUR
  }
}

#endif
