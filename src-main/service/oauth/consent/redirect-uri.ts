import { loopbackUri, uriCharacters, webUri } from '../../contract/redirect-uri-fault.ts';

/**
 * Whether a redirect URI is registered: as exactly equal text (RFC 9700 section 2.1), or on the
 * loopback with any port (RFC 8252 section 7.3). Texts are compared unparsed: a comparison that
 * parses and reassembles could accept an address that a browser reads differently.
 */
export function isRegisteredRedirect(registered: readonly string[], sent: string): boolean {
  return registered.some((one) => one === sent || equalExceptPort(one, sent));
}

function equalExceptPort(registered: string, sent: string): boolean {
  const [ours, theirs] = [loopbackUri.exec(registered), loopbackUri.exec(sent)];
  if (!ours || !theirs || !uriCharacters.test(sent) || Number(theirs[2] ?? 0) > 65_535) return false;
  return ours[1] === theirs[1] && (ours[3] ?? '') === (theirs[3] ?? '');
}

/** The scheme of a registered redirect URI, with its colon. */
export function schemeOf(uri: string): string {
  return uri.slice(0, uri.indexOf(':') + 1).toLowerCase();
}

/** Whether a redirect URI leads to a program on the user's machine. */
export function leadsToDevice(uri: string): boolean {
  return loopbackUri.test(uri) || !webUri.test(uri);
}

/**
 * The destination of a redirect URI for display: host and port, or the scheme of a local program.
 */
export function destinationOf(uri: string): string {
  return webUri.exec(uri)?.[1] ?? schemeOf(uri);
}

/** Whether a redirect URI is http or https, so that a browser can post a form to it. */
export function isWebUri(uri: string): boolean {
  return webUri.test(uri);
}
