/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Describes the nearest train descriptor of a query descriptor. */
typedef struct
{
  uint32_t train;               /* index of the nearest train descriptor; if several are equally
                                 * near, the lowest index */
  uint32_t distance;            /* squared distance to the nearest train descriptor */
  uint32_t second;              /* squared distance to the second nearest train descriptor;
                                 * UINT32_MAX if there is none */
} RefMatch;

/* Finds the nearest of @m train descriptors for each of @n query descriptors. @m is at least 1.
 * Descriptors have 128 bytes. */
void ref_match (const uint8_t * queries, uint32_t n, const uint8_t * trains, uint32_t m, RefMatch * matches);

/* Selects those of @n query descriptors that match. @ratio is rounded to a multiple of 2^-20. @back
 * contains the nearest query of each train descriptor, or is NULL. Writes the indices of the
 * queries to @matching, and returns their number. */
uint32_t ref_match_select (const RefMatch * matches, uint32_t n, const RefMatch * back, double ratio,
    uint32_t * matching);
