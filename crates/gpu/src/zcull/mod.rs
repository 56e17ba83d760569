//! ZCULL: early depth rejection and clip ids.
