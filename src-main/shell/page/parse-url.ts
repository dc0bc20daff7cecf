/**
 * Parses an absolute address, or one relative to `base`; undefined if it is invalid. (`URL.parse`
 * is missing in some supported Electron versions.)
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
