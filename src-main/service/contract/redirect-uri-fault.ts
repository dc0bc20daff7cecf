// Without schemas, because the screen where applications are registered checks with this module
// while the user types.

// The characters that RFC 3986 allows in a URI, without "#": a redirect URI has no fragment (RFC
// 6749 section 3.1.2). Browsers would read a backslash, a tab or a letter beyond ASCII differently
// from the comparison.
export const uriCharacters = /^(?:[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;
const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/;
export const webUri = /^https?:\/\/([^/?]+)/i;
export const loopbackUri =
  /^(https?:\/\/(?:[^/?@]*@)?(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost))(?::([1-9]\d{0,4}))?([/?].*)?$/;
// A global in Node and browsers; the contract is type-checked without the declarations of either.
declare const URL: { canParse(text: string): boolean };

const refusedSchemes = new Set(['javascript', 'data', 'vbscript', 'file', 'blob', 'about']);
const maxLength = 2000;

/**
 * Why a redirect URI cannot be registered (RFC 6749 section 3.1.2, RFC 8252 section 7), in words
 * for the user who registers it; null when it can.
 *
 * @param development whether the installation accepts plain HTTP beyond the loopback.
 */
export function redirectUriFault(uri: string, development: boolean): string | null {
  const name = uri.length > 80 ? `${uri.slice(0, 80)}...` : uri;
  if (uri.includes('#')) return `The redirect URI ${name} has a fragment. Leave out what begins with "#".`;
  if (uri.length > maxLength || !uriCharacters.test(uri)) {
    return `The redirect URI ${name} is not usable: write it in full, percent-encoded, with at most ${maxLength} characters.`;
  }
  const kind = scheme.exec(uri)?.[1]?.toLowerCase();
  if (kind === undefined)
    return `The redirect URI ${name} has no scheme. Write it in full, such as https://app.example/callback.`;
  if (kind === 'http' || kind === 'https') return webFault(uri, name, kind, development);
  if (refusedSchemes.has(kind) || !kind.includes('.')) {
    return `The scheme of ${name} cannot be used. Use https, or a scheme of your own made of a domain name, such as com.example.app:/callback.`;
  }
  return uri.startsWith(':/', kind.length)
    ? null
    : `The redirect URI ${name} needs a path after its scheme, such as ${kind}:/callback.`;
}

function webFault(uri: string, name: string, kind: 'http' | 'https', development: boolean): string | null {
  const authority = webUri.exec(uri)?.[1];
  if (authority === undefined || !URL.canParse(uri))
    return `The redirect URI ${name} has no host. Write it in full, such as https://app.example/callback.`;
  // "https://bench.example@elsewhere.example" leads to elsewhere.example.
  if (authority.includes('@'))
    return `The redirect URI ${name} has a user name in it. Leave out what stands before "@".`;
  if (kind === 'https' || development || loopbackUri.test(uri)) return null;
  return `The redirect URI ${name} must use https. Plain http is for the loopback only: 127.0.0.1, [::1] and localhost.`;
}
