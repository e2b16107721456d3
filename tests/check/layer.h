/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes PoCL appear to be a GPU that imports dma-bufs: in a program that is linked with this
 * library, the library's functions precede those of OpenCL. Every file that can be mapped is
 * accepted as a dma-buf, such as a file of memfd_create(). */
#pragma once

typedef enum
{
  LAYER_ROUTE_NONE,
  LAYER_ROUTE_MAP,              /* the device is a CPU, which maps files */
  LAYER_ROUTE_KHR,              /* cl_khr_external_memory */
  LAYER_ROUTE_ARM,              /* cl_arm_import_memory */
  LAYER_ROUTE_CUDA              /* imports by cl_khr_external_memory, only of files that CUDA has
                                 * exported */
} LayerRoute;

/* PCI bus number of the GPU, with LAYER_ROUTE_CUDA and in the driver of cuda.c */
#define LAYER_PCI_BUS 23

/* Sets the properties of devices, valid from the next context on. Also resets what the functions
 * below have set, and counts imports from 0. */
void layer_set_device (LayerRoute route, int unified);

typedef enum
{
  LAYER_NODES_NONE,
  LAYER_NODES_REAL,             /* those of the system */
  LAYER_NODES_HEAP,             /* /dev/dma_heap/system */
  LAYER_NODES_UDMABUF           /* /dev/udmabuf */
} LayerNodes;

/* Sets which device node for dma-bufs exists. Unless it is the real node, it makes in-memory
 * files. */
void layer_set_nodes (LayerNodes nodes);

/* Sets the PCI bus number of the GPU; the default is LAYER_PCI_BUS. */
void layer_set_bus (unsigned bus);

/* Makes all later calls of the function @name fail; if it is NULL, no function fails. If "?"
 * precedes the name of an extension's function, the driver lacks that function. */
void layer_fail (const char *name);

/* Sets whether the device is lost, as after a reset by its driver: commands in its queues complete;
 * later commands and new buffers fail with CL_DEVICE_NOT_AVAILABLE. */
void layer_lose (int lost);

/* Sets whether imports contain zeros instead of the bytes of the file. */
void layer_lie (int lies);

/* Makes poll() report that the file @fd is being written; -1: no file. */
void layer_block (int fd);

/* Return the number of imports that were made, and the number that is left. */
unsigned layer_count_made (void);
unsigned layer_count_left (void);

/* Returns the number of invalid calls: a command on an import other than a kernel launch, a kernel
 * argument that was not acquired, an import that was acquired twice, released without acquisition,
 * or freed before its release. */
unsigned layer_count_wrong (void);

/* Return the number of buffers that the program has created, without imports, and the number of
 * times that it has mapped a buffer. */
unsigned layer_count_buffers (void);
unsigned layer_count_maps (void);
