//! boxes bright 3276
#define MARK(list) BOX (list, 0, 0, 1, 1, 1)
WORK (a) { MARK (bright); BOX (bright, 0, 0, 1, 1, 1); BOX }
