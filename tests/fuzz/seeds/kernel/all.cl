//! param gain float 0.5 -1 8 control=3 Gain
//! formats RGBA GRAY8
//! output GRAY8
//! feedback
//! reach 7
//! group 16 2 b
//! size WIDTH/3 HEIGHT c
//! pass b a
#include "mgpu-kernel.h"
#include "other.h"
PIXEL (a) { return FEEDBACK_LOAD (x, y); } /*
//! nothing */ SAMPLE (b) { return 'a' + "b\""[0]; }
WORK (c) { OUT_DATA[0] = 0; }
