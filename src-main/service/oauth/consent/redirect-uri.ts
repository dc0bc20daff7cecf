import { loopbackUri, uriCharacters, webUri } from '../../contract/redirect-uri-fault.ts';

/**
 * Whether a request's redirect URI is one of the registered ones: the same text (RFC 9700 section 2.1), or on the loopback the same but for
 * the port (RFC 8252 section 7.3). Texts are compared as they stand: a comparison that parses and reassembles can be made to
 * accept what a browser reads differently.
 */
export function isRegisteredRedirect(registered: readonly string[], sent: string): boolean {
  return registered.some((one) => one === sent || sameButForPort(one, sent));
}

function sameButForPort(registered: string, sent: string): boolean {
  const [ours, theirs] = [loopbackUri.exec(registered), loopbackUri.exec(sent)];
  if (!ours || !theirs || !uriCharacters.test(sent) || Number(theirs[2] ?? 0) > 65_535) return false;
  return ours[1] === theirs[1] && (ours[3] ?? '') === (theirs[3] ?? '');
}

/** The scheme of a registered redirect URI, with its colon. */
export function schemeOf(uri: string): string {
  return uri.slice(0, uri.indexOf(':') + 1).toLowerCase();
}

/** Whether a redirect URI leads to a program on the user's own machine. */
export function leadsToDevice(uri: string): boolean {
  return loopbackUri.test(uri) || !webUri.test(uri);
}

/** Where a redirect URI leads, for people: host and port, or the scheme of a program on this device. */
export function destinationOf(uri: string): string {
  return webUri.exec(uri)?.[1] ?? schemeOf(uri);
}

/** Whether a redirect URI is http or https: a browser can post a form to it. */
export function isWebUri(uri: string): boolean {
  return webUri.test(uri);
}
