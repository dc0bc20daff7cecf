/**
 * Approximate bytes of a stored event besides its payload: its row, and its share of indexes and
 * counts.
 */
export const eventRowBytes = 300;
