// After the sign-in, a request for authorization returns with all parameters of its client.
const maxPathLength = 12_000;

/**
 * A path of this site from an untrusted parameter, or null: no scheme, no other host, no backslash
 * that a browser reads as a slash, no control characters that it drops.
 */
export function localPath(text: unknown): string | null {
  if (typeof text !== 'string' || text.length > maxPathLength || !/^\/(?![/\\])[!-[\]-~\u0080-\uFFFF]*$/.test(text))
    return null;
  if (!URL.canParse(text, 'http://here.invalid')) return null;
  const url = new URL(text, 'http://here.invalid');
  // "/.//elsewhere" is normalised to "//elsewhere".
  if (url.host !== 'here.invalid' || url.pathname.startsWith('//')) return null;
  // Letters beyond ASCII are longer when encoded.
  const path = `${url.pathname}${url.search}${url.hash}`;
  return path.length > maxPathLength ? null : path;
}
