const mebibyte = 1024 * 1024;
/** Amazon allows 10,000. */
const maxParts = 9000;

/** Length of each part but the last of an object. @param min at least 5 MiB, the smallest that storages take. */
export function partBytesFor(length: number, min: number): number {
  return Math.max(min, Math.ceil(length / maxParts / mebibyte) * mebibyte);
}
