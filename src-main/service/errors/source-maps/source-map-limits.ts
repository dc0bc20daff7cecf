/** The largest source map that is taken, and that is read. */
export const maxMapBytes = 64 * 1024 * 1024;
