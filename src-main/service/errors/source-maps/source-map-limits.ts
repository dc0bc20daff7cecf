/** Maximum size of a source map that is accepted or read, in bytes. */
export const maxMapBytes = 64 * 1024 * 1024;
