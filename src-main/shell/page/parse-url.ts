/** Parses an absolute address, or one relative to `base`; undefined when it is none. (`URL.parse` is not in every Electron we run on.) */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
