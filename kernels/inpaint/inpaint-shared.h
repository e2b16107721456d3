/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Constants that the host code and the kernels of inpainting share. */
#ifndef INPAINT_SHARED_H
#define INPAINT_SHARED_H

/* Largest width and height of a patch, in pixels */
#define MAX_PATCH 33
#define MAX_PATCH_AREA (MAX_PATCH * MAX_PATCH)

/* Largest number of targets (patches to fill next) of a lane for which source patches are
 * searched for in one round. A lane is a part of the hole that one work-group fills. Larger
 * numbers gain very little: 350 steps take 206 rounds with 4 targets, and 201 with 16. */
#define MAX_SLOTS 4

/* Size of the state of a slot, in uints. A slot contains a target patch while its source patch
 * is searched for. */
#define STATE 16

/* Number of pixels of a segment. A segment is a part of a row; the pixel with the highest
 * priority in it is stored. */
#define SEGMENT 16

/* Limits for the cost of a patch of n pixels. Above NEAR_LIMIT, a better source patch is
 * searched for near the current one; above FAR_LIMIT, in the whole search window. @cost is the
 * cost of the patch when the hole was filled. */
#define NEAR_LIMIT(cost, n) (2 * (cost) + 48u * (n))
#define FAR_LIMIT(cost, n) (4 * (cost) + 192u * (n))

/* Width and height of a patch in the coarse-to-fine method, and its radius, in pixels */
#define MATCH_SIZE 7
#define MATCH_RADIUS 3

/* Flags of a pixel of a level: whether it is the center of a source patch or of a target patch.
 * The lower bits contain its distance from the nearest known pixel, in steps to one of 8
 * neighbors, at most MATCH_DEPTH */
#define FLAG_SOURCE 128
#define FLAG_TARGET 64
#define MATCH_DEPTH 63

/* Largest distance of an unknown pixel from the nearest known pixel on the coarsest level, if
 * this level has enough source patches */
#define MATCH_TOP 10

/* Minimum and maximum number of source patches that are tried for the initial color of an
 * unknown pixel of the coarsest level, and maximum number of trials for all these pixels
 * together */
#define MATCH_MIN_TRIALS 128
#define MATCH_MAX_TRIALS 4096
#define MATCH_ALL_TRIALS (1 << 20)

/* MATCH_TEXTURE is the weight of the texture (mean gradient) in costs, relative to the colors.
 * MATCH_SOFT is added to all costs before these are used as weights of patches. */
#define MATCH_TEXTURE 4
#define MATCH_SOFT (MATCH_SIZE * MATCH_SIZE * 8)

/* Number of relaxation sweeps of the solver that removes seams, on each level of a cycle, before
 * the coarser levels and again after them */
#define SEAM_SWEEPS 2

/* A shade is a polynomial in x and y of one of SHADE_DEGREES degrees (1, 2, 4 and 6). It is
 * fitted to the means of the cells of a domain, which is a rectangle around wide holes. A row or
 * column of the domain has at most SHADE_GRID cells. A row or column of a cell has at most
 * SHADE_SIDE samples. SHADE_TERMS is the number of coefficients of all degrees together. */
#define SHADE_DEGREES 4
#define SHADE_MAX_DEGREE 6
#define SHADE_MAX_TERMS 28
#define SHADE_TERMS (3 + 6 + 15 + SHADE_MAX_TERMS)
#define SHADE_GRID 32
#define SHADE_MAX_CELLS (SHADE_GRID * SHADE_GRID)
#define SHADE_SIDE 16

/* Number of elements (such as cells) that a row of work-items processes */
#define SHADE_ROW 64

/* Fixed-point numbers of shades:
 * SHADE_BITS: number of fraction bits of coordinates and matrices
 * SHADE_FRACTION: number of fraction bits of means and coefficients, in UNITS() (seam.h)
 * SHADE_LIMIT: largest absolute value of a coefficient
 * SHADE_FACTOR_BITS: number of fraction bits of the factors that convert residuals to
 *   leave-one-out residuals */
#define SHADE_BITS 24
#define SHADE_ONE (1 << SHADE_BITS)
#define SHADE_FRACTION 4
#define SHADE_LIMIT (1 << 29)
#define SHADE_FACTOR_BITS 8

/* Layout of the plan of a domain, an array of ints that the host writes:
 * - x0, y0, x1, y1 of the domain's box
 * - SHADE_ALLOWED: a bit for each degree that may be chosen
 * - SHADE_CELLS: for each cell, column and row of its first pixel
 * - SHADE_FACTORS: a factor for each degree and cell
 * - SHADE_MATRIX: a matrix element for each coefficient and cell
 * shade.h describes the state, which the device writes. */
#define SHADE_ALLOWED 4
#define SHADE_CELLS 5
#define SHADE_FACTORS(cells) (SHADE_CELLS + 2 * (cells))
#define SHADE_MATRIX(cells) (SHADE_FACTORS (cells) + SHADE_DEGREES * (cells))
#define SHADE_COEFFICIENTS ((2 + SHADE_DEGREES) * SHADE_MAX_CELLS)
#define SHADE_CHOSEN (SHADE_COEFFICIENTS + SHADE_TERMS)
#define SHADE_STATE (SHADE_CHOSEN + 12)

/* Bits for the sides on which the box around the hole touches the edge of the frame */
#define LEFT 1
#define TOP 2
#define RIGHT 4
#define BOTTOM 8

#endif
