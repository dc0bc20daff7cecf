/**
 * The header that makes a client save a body under a name (RFC 6266): an ASCII form for curl, which
 * reads nothing else, and the exact name for clients that read `filename*` (RFC 8187). The ASCII
 * form has no quotes, backslashes or percent signs, because clients disagree about them.
 */
export function attachment(fileName: string): string {
  // A lone surrogate becomes U+FFFD; encodeURIComponent would throw.
  const name = Buffer.from(fileName).toString();
  const ascii = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^\x20-\x7e]|["\\%/]/gu, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtended(name)}`;
}

// attr-char of RFC 8187 section 3.2.1 is a little narrower than the set that encodeURIComponent
// leaves as it is.
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
