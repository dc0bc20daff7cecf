// What RFC 3986 allows in a URI, without "#": a redirect URI has no fragment (RFC 6749 section 3.1.2). A backslash, a tab or a letter beyond
// ASCII would be read by browsers as something else than what was compared.
const uriCharacters = /^(?:[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;
const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/;
const web = /^https?:\/\/([^/?]+)/i;
const loopback = /^(https?:\/\/(?:[^/?@]*@)?(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost))(?::([1-9]\d{0,4}))?([/?].*)?$/;
const refusedSchemes = new Set(['javascript', 'data', 'vbscript', 'file', 'blob', 'about']);
const maxLength = 2000;

/**
 * Why a redirect URI cannot be registered (RFC 6749 section 3.1.2, RFC 8252 section 7), in words for who registers it; null when it can.
 *
 * @param development whether the installation takes plain http beyond the loopback.
 */
export function redirectUriFault(uri: string, development: boolean): string | null {
  const name = uri.length > 80 ? `${uri.slice(0, 80)}...` : uri;
  if (uri.includes('#')) return `The redirect URI ${name} has a fragment. Leave out what begins with "#".`;
  if (uri.length > maxLength || !uriCharacters.test(uri)) {
    return `The redirect URI ${name} is not usable: write it in full, percent-encoded, with at most ${maxLength} characters.`;
  }
  const kind = scheme.exec(uri)?.[1]?.toLowerCase();
  if (kind === undefined) return `The redirect URI ${name} has no scheme. Write it in full, such as https://app.example/callback.`;
  if (kind === 'http' || kind === 'https') return webFault(uri, name, kind, development);
  if (refusedSchemes.has(kind) || !kind.includes('.')) {
    return `The scheme of ${name} cannot be used. Use https, or a scheme of your own made of a domain name, such as com.example.app:/callback.`;
  }
  return uri.startsWith(':/', kind.length) ? null : `The redirect URI ${name} needs a path after its scheme, such as ${kind}:/callback.`;
}

function webFault(uri: string, name: string, kind: 'http' | 'https', development: boolean): string | null {
  const authority = web.exec(uri)?.[1];
  if (authority === undefined || !URL.canParse(uri)) return `The redirect URI ${name} has no host. Write it in full, such as https://app.example/callback.`;
  // "https://bench.example@elsewhere.example" leads elsewhere.
  if (authority.includes('@')) return `The redirect URI ${name} has a user name in it. Leave out what stands before "@".`;
  if (kind === 'https' || development || loopback.test(uri)) return null;
  return `The redirect URI ${name} must use https. Plain http is for the loopback only: 127.0.0.1, [::1] and localhost.`;
}

/**
 * Whether a request's redirect URI is one of the registered ones: the same text (RFC 9700 section 2.1), or on the loopback the same but for
 * the port (RFC 8252 section 7.3). Texts are compared as they stand: whatever parses and puts together again can be made to agree with what
 * a browser reads otherwise.
 */
export function isRegisteredRedirect(registered: readonly string[], sent: string): boolean {
  return registered.some((one) => one === sent || sameButForPort(one, sent));
}

function sameButForPort(registered: string, sent: string): boolean {
  const [ours, theirs] = [loopback.exec(registered), loopback.exec(sent)];
  if (!ours || !theirs || !uriCharacters.test(sent) || Number(theirs[2] ?? 0) > 65_535) return false;
  return ours[1] === theirs[1] && (ours[3] ?? '') === (theirs[3] ?? '');
}

/** The scheme of a registered redirect URI, with its colon. */
export function schemeOf(uri: string): string {
  return uri.slice(0, uri.indexOf(':') + 1).toLowerCase();
}

/** Whether a redirect URI leads to a program on the user's own machine. */
export function leadsToDevice(uri: string): boolean {
  return loopback.test(uri) || !web.test(uri);
}

/** Where a redirect URI leads, for people: host and port, or the scheme of a program on this device. */
export function destinationOf(uri: string): string {
  return web.exec(uri)?.[1] ?? schemeOf(uri);
}
