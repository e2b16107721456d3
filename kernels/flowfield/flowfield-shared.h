/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Layout of the table with the color wheel, an array of 4-byte words that the host writes and the
 * kernels read. */
#ifndef FLOWFIELD_SHARED_H
#define FLOWFIELD_SHARED_H

/* Number of sectors of the wheel. Sector i lies between the directions i and i + 1, and its
 * colors are interpolated between the colors i and i + 1. There is one more color than
 * directions: the last color differs from the first color. */
#define WHEEL_SECTORS 54

/* Length of the vectors that describe the directions */
#define WHEEL_UNIT 16384

/* The table has two words for the vector of each direction. Then it has WHEEL_COLOURS words for
 * each component of a frame, starting at index WHEEL_OF (component): the values of the colors of
 * the wheel, of white and of black. */
#define WHEEL_COLOURS (WHEEL_SECTORS + 3)
#define WHEEL_WHITE (WHEEL_SECTORS + 1)
#define WHEEL_BLACK (WHEEL_SECTORS + 2)
#define WHEEL_OF(component) (2 * WHEEL_SECTORS + (component) * WHEEL_COLOURS)

#endif
