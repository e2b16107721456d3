/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tells which rows of a frame a work-item processes. A kernel loops over these rows: for (y =
 * FIRST_ROW (height); y < END_ROW (height); y += ROW_STEP). */
#ifndef ROWS_H
#define ROWS_H

/* Number of work-items that share the pixels of one row. */
#ifndef COLUMNS
#define COLUMNS 1
#endif

#if COLUMNS == 1
/* Used if one work-item processes whole rows (on a CPU): gives each work-item a band of
 * adjacent rows. The prefetcher of a CPU follows adjacent rows; for rows that are far apart it
 * would start again for each row, which doubles the time to read a frame. */
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
