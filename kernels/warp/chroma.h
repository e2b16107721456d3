/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Prepares the headers that interpolate pixels to be included again, for chroma whose memory layout
 * differs from that of luma (NV12, YUY2). Their functions and macros then get other names. */
#ifndef WARP_CHROMA_H
#define WARP_CHROMA_H

#undef BASE_MIX_PIXEL_H
#undef BASE_MIX_H
#undef WARP_SEGMENT_MIX_H
#undef WARP_REMAP_PART_H
#undef WARP_WARP_PART_H
#undef SAMPLES
#undef PIXEL_STRIDE
#undef AT1
#undef AT2
#undef AT3
#undef MAKE
#undef SPLIT
#undef FIRST
#undef SECOND
#undef BLOCK
#undef HAS_BLOCKS
#undef CHOOSE
#undef NAMED
#undef loose_pair
#undef loose_quad
#undef loose_run
#undef convert_run
#undef USE_SEGMENT

#define SAMPLES CHROMA_SAMPLES
#define PIXEL_STRIDE CHROMA_STRIDE
#define AT1 CHROMA_AT1
#define AT2 0
#define AT3 0

#define NAMED(name) name ## _chroma
#define values_of NAMED (values_of)
#define load NAMED (load)
#define load_pixel NAMED (load_pixel)
#define store_pixel NAMED (store_pixel)
#define choose_black NAMED (choose_black)
#define add_row NAMED (add_row)
#define mix_rows NAMED (mix_rows)
#define mix_inside NAMED (mix_inside)
#define mix_anywhere NAMED (mix_anywhere)
#define find_weights NAMED (find_weights)
#define mix_taps NAMED (mix_taps)
#define mix_cubic NAMED (mix_cubic)
#define mix_lanczos NAMED (mix_lanczos)
#define multiply_halves NAMED (multiply_halves)
#define add_samples NAMED (add_samples)
#define order_weights NAMED (order_weights)
#define blocks_of NAMED (blocks_of)
#define char32 NAMED (char32)
#define find_blocks NAMED (find_blocks)
#define load_blocks NAMED (load_blocks)
#define load_rows NAMED (load_rows)
#define mix_samples NAMED (mix_samples)
#define limit_samples NAMED (limit_samples)
#define find_weights_segment NAMED (find_weights_segment)
#define store_segment NAMED (store_segment)
#define gather_pairs NAMED (gather_pairs)
#define gather_quads NAMED (gather_quads)
#define find_segment_taps NAMED (find_segment_taps)
#define mix_segment NAMED (mix_segment)
#define is_segment_outside NAMED (is_segment_outside)
#define find_bilinear_segment NAMED (find_bilinear_segment)
#define find_cubic_segment NAMED (find_cubic_segment)
#define find_lanczos_segment NAMED (find_lanczos_segment)
#define mix_bilinear_segment NAMED (mix_bilinear_segment)
#define pair_weights NAMED (pair_weights)
#define mix_cubic_segment NAMED (mix_cubic_segment)
#define mix_lanczos_segment NAMED (mix_lanczos_segment)
#define take_bilinear_segment NAMED (take_bilinear_segment)
#define take_cubic_segment NAMED (take_cubic_segment)
#define take_lanczos_segment NAMED (take_lanczos_segment)
#define take_bilinear NAMED (take_bilinear)
#define take_cubic NAMED (take_cubic)
#define take_lanczos NAMED (take_lanczos)
#define pair_of NAMED (pair_of)
#define quad_of NAMED (quad_of)
#define mix_run NAMED (mix_run)
#define find_weights_run NAMED (find_weights_run)
#define mix_samples_run NAMED (mix_samples_run)
#define limit_samples_run NAMED (limit_samples_run)
#define mix_cubic_run NAMED (mix_cubic_run)
#define mix_lanczos_run NAMED (mix_lanczos_run)

#endif
