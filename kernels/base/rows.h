/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tells which rows of a frame a work-item processes: for (y = FIRST_ROW
 * (height); y < END_ROW (height); y += ROW_STEP). */
#ifndef ROWS_H
#define ROWS_H

/* Number of work-items that divide a row among them. */
#ifndef COLUMNS
#define COLUMNS 1
#endif

#if COLUMNS == 1
/* Gives each work-item adjacent rows where a row has one work-item (on a CPU),
 * because the prefetcher of the CPU follows adjacent rows and would restart for
 * rows that are far apart, which doubles the time to read. */
#define PART_BEGIN(height, i) ((int) ((size_t) (height) * (i) / get_global_size (1)))
#define FIRST_ROW(height) PART_BEGIN (height, get_global_id (1))
#define END_ROW(height) PART_BEGIN (height, get_global_id (1) + 1)
#define ROW_STEP 1
#else
#define FIRST_ROW(height) ((int) get_global_id (1))
#define END_ROW(height) (height)
#define ROW_STEP ((int) get_global_size (1))
#endif

#endif
