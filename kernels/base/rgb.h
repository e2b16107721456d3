/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Describes the pixels of an RGB frame with 8 bits for each sample. */

/* Number of bytes of a pixel: 3 or 4. */
#ifndef SAMPLES
#define SAMPLES 3
#endif

/* Bytes of a pixel that hold red, green and blue, counted from 0. */
#ifndef RED
#define RED 0
#endif
#ifndef GREEN
#define GREEN 1
#endif
#ifndef BLUE
#define BLUE 2
#endif
