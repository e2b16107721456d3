/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <kernels/tags/tags-shared.h>

#include "dictionary.h"

G_BEGIN_DECLS

/* Returns: how unlikely it is, in bits, that a square that is not a tag is read as a tag of @family
 * with up to @hamming wrong bits and up to @ring_errors wrong cells of both rings along the border.
 * The square is compared with the codes of @n_families families. The evidence takes into account
 * that squares with more than a fifth of wrong cells are not read */
gdouble mgpu_tag_evidence (const MgpuTagDictionary * family, guint n_families, guint hamming,
    guint ring_errors);

/* Returns: the number of bits by which the evidence of the tag @id of @family is reduced because
 * objects such as windows and signs look like it; 0 unless its code has few edges between cells */
gdouble mgpu_tag_evidence_loss (const MgpuTagDictionary * family, guint id);

/* Sets @most_errors as in TagsFamily, for tags with up to @max_hamming wrong bits, but fewer than
 * half of the distance of the family, and with an evidence of at least @least bits. Tags without a
 * wrong bit and with at most one wrong cell always count. Returns: whether a tag without any error
 * has that evidence */
gboolean mgpu_tag_evidence_limit (const MgpuTagDictionary * family, guint n_families, guint max_hamming,
    gdouble least, gint most_errors[TAGS_MAX_HAMMING + 1]);

G_END_DECLS
