/** Files up to this size are held in memory until they are verified, and then written. */
export const smallBytes = 256 * 1024;
