/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "reference.h"

/* The train that is nearest to a query */
typedef struct
{
  uint32_t train;               /* the lowest of those that are as near */
  uint32_t distance;            /* squared */
  uint32_t second;              /* that of the next; UINT32_MAX: there is none */
} RefMatch;

/* n queries and m trains, from 1 on, of 128 bytes each. */
void ref_match (const uint8_t * queries, uint32_t n, const uint8_t * trains, uint32_t m, RefMatch * matches);

/* Chooses which of n queries match: ratio is rounded to a multiple of 2^-20. back: the
 * query that is nearest to each train, or NULL. Writes the numbers of the queries to
 * matching; returns how many. */
uint32_t ref_match_select (const RefMatch * matches, uint32_t n, const RefMatch * back, double ratio,
    uint32_t * matching);
