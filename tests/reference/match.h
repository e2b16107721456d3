/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* Describes the nearest train of a query */
typedef struct
{
  uint32_t train;               /* number of the nearest train, the lowest one of several */
  uint32_t distance;            /* squared distance of the nearest train */
  uint32_t second;              /* squared distance of the second nearest train; UINT32_MAX if there
                                 * is none */
} RefMatch;

/* Finds the nearest train of each of n queries, among m trains, at least 1. Descriptors have
 * 128 bytes. */
void ref_match (const uint8_t * queries, uint32_t n, const uint8_t * trains, uint32_t m, RefMatch * matches);

/* Chooses which of n queries match. The parameter @ratio is rounded to a multiple of 2^-20;
 * @back has the nearest query of each train, or is NULL. Writes the numbers of the queries to
 * @matching, and returns how many there are. */
uint32_t ref_match_select (const RefMatch * matches, uint32_t n, const RefMatch * back, double ratio,
    uint32_t * matching);
