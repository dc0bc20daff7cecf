const tag = /(?:^|,)[ \t]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?=,|$)/g;

/** The validator of an ETag header, for an opaque text without quotes. */
export function strongTag(opaque: string): string {
  return `"${opaque}"`;
}

/**
 * If-Match: strong comparison (RFC 9110 section 8.8.3.2) of a list with our strong tag; `*` matches
 * anything that exists.
 */
export function matchesStrongly(header: string, etag: string): boolean {
  return matches(header, etag, false);
}

/**
 * If-None-Match: weak comparison of a list with our strong tag; `*` matches anything that exists.
 */
export function matchesWeakly(header: string, etag: string): boolean {
  return matches(header, etag, true);
}

function matches(header: string, etag: string, weak: boolean): boolean {
  if (header.trim() === '*') return true;
  for (const [, prefix, opaque] of header.matchAll(tag))
    if ((weak || prefix === undefined) && `"${opaque ?? ''}"` === etag) return true;
  return false;
}
