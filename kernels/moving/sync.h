/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The barrier for kernels that run as a single work-group. */
#ifndef SYNC_H
#define SYNC_H

/* Number of work-items of the only work-group */
#ifndef WIDE
#define WIDE 256
#endif

/* A barrier of a work-group with WIDE work-items. With one work-item it expands to nothing, because
 * PoCL 6 miscompiled a loop between two barriers. */
#if WIDE == 1
#define SYNC(flags)
#else
#define SYNC(flags) barrier (flags)
#endif

#endif
