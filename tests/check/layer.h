/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* A program that links with this library has its functions before those of OpenCL: PoCL then
 * seems to be a GPU that imports dma-bufs. It takes every file that can be mapped, such as
 * those of memfd_create(). */
#pragma once

typedef enum
{
  LAYER_ROUTE_NONE,
  LAYER_ROUTE_MAP,              /* the device is a processor */
  LAYER_ROUTE_KHR,              /* cl_khr_external_memory */
  LAYER_ROUTE_ARM,              /* cl_arm_import_memory */
  LAYER_ROUTE_CUDA              /* cl_khr_external_memory, of files of CUDA alone */
} LayerRoute;

/* Number of the PCI bus of the GPU of LAYER_ROUTE_CUDA and of the driver in cuda.c. */
#define LAYER_PCI_BUS 23

/* Sets what devices say of themselves, from the next context on. Begins anew: what the
 * functions below set is undone, and imports are counted from 0. */
void layer_set_device (LayerRoute route, int unified);

typedef enum
{
  LAYER_NODES_NONE,
  LAYER_NODES_REAL,             /* those of the system */
  LAYER_NODES_HEAP,             /* /dev/dma_heap/system */
  LAYER_NODES_UDMABUF           /* /dev/udmabuf */
} LayerNodes;

/* Sets which device node there is that makes dma-bufs. It makes files in memory, unless it
 * is real. */
void layer_set_nodes (LayerNodes nodes);

/* Sets the number of the PCI bus of the GPU; LAYER_PCI_BUS at first. */
void layer_set_bus (unsigned bus);

/* Makes all later calls of the function @name fail; NULL: no function. If "?" precedes the name of
 * a function of an extension, the driver lacks that function. */
void layer_fail (const char *name);

/* Sets whether the device is lost, as after a reset by its driver: commands in its queues complete;
 * later commands and new buffers fail with CL_DEVICE_NOT_AVAILABLE. */
void layer_lose (int lost);

/* Whether imports show zeros instead of the bytes of the file. */
void layer_lie (int lies);

/* Makes poll() say that the file is being written; no file if fd is -1. */
void layer_block (int fd);

/* How many imports there were, and how many are left. */
unsigned layer_count_made (void);
unsigned layer_count_left (void);

/* How many calls were wrong: a command on an import other than a launch, a kernel's argument
 * that was not acquired, an import acquired twice or released without, or freed before. */
unsigned layer_count_wrong (void);

/* How many buffers that are no imports the program has made, and how many times it has mapped
 * one. */
unsigned layer_count_buffers (void);
unsigned layer_count_maps (void);
