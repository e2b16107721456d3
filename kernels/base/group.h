/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Defines names for kernels that run with work-groups of GROUP work-items or, if GROUP is 1,
 * without work-groups, and a prefix sum over such a group. */
#ifndef GROUP_H
#define GROUP_H

/* Size of a work-group. Files whose kernels have larger work-groups set it to one of the tuning
 * parameters (knobs). */
#ifndef GROUP
#define GROUP 1
#endif

/* GROUP_ID is the index of the work-group, LOCAL_ID the index of the work-item in it. SHARED is
 * the address space of what the work-items of a group share. */
#if GROUP == 1
#define GROUP_ID ((int) get_global_id (0))
#define LOCAL_ID 0
#define SYNC
#define SHARED
#else
#define GROUP_ID ((int) get_group_id (0))
#define LOCAL_ID ((int) get_local_id (0))
#define SYNC barrier (CLK_LOCAL_MEM_FENCE);
#define SHARED local
#endif

/* Replaces @sum by the total of @sum in all preceding work-items of the work-group (an exclusive
 * prefix sum). @sums is an array of GROUP numbers of @type; the last one is then the total of
 * all. */
#define SUM_BEFORE(type, sums, sum) do { \
    (sums)[LOCAL_ID] = sum; \
    SYNC \
    for (int step = 1; step < GROUP; step *= 2) { \
      type before = LOCAL_ID >= step ? (sums)[LOCAL_ID - step] : 0; \
\
      SYNC \
      (sums)[LOCAL_ID] += before; \
      SYNC \
    } \
    sum = (sums)[LOCAL_ID] - sum; \
  } while (0)

#endif
