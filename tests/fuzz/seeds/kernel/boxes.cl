//! results int 3 counts
//! boxes bright 40
//! boxes dark
//! boxes 5 other
PIXEL (a) { if (x > 3) BOX (bright, x - 1, y, 3, 2, 0.5f); BOX (dark, 0, 0, 1, 1, LOAD (x, y).s0); return LOAD (x, y); }
