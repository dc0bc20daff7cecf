/** About what a stored event takes beside its payload: its row, and its part of indexes and counts. */
export const eventRowBytes = 300;
