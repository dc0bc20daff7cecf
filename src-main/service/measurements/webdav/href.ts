/** The path of the interface, below that of the base URL. */
export const davPath = '/dav';

/** A relative path with each of its names percent-encoded. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
