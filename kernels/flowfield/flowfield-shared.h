/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Layout of the table of the color wheel, in words of 4 bytes, which kernels and host share. */
#ifndef FLOWFIELD_SHARED_H
#define FLOWFIELD_SHARED_H

/* Number of sectors of the wheel. Sector i is between the directions i and i + 1, and its colors
 * are between the colors i and i + 1. The last color is not the first one. */
#define WHEEL_SECTORS 54

/* Length of the vectors of directions */
#define WHEEL_UNIT 16384

/* Words of the table: the vectors of the directions, two words each, then for each component of a
 * frame the values of the colors of the wheel, of white and of black. */
#define WHEEL_COLOURS (WHEEL_SECTORS + 3)
#define WHEEL_WHITE (WHEEL_SECTORS + 1)
#define WHEEL_BLACK (WHEEL_SECTORS + 2)
#define WHEEL_OF(component) (2 * WHEEL_SECTORS + (component) * WHEEL_COLOURS)

#endif
