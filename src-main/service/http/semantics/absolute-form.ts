import type { IncomingMessage } from 'node:http';

/**
 * The address of a request without what stands before its path. RFC 9112 section 3.2.2: a request may name the whole address in its first line, as proxies
 * are asked; then the host there counts, and what the Host header says does not. It takes that header's place here, where all that judge the host look.
 */
export function withoutHost(request: IncomingMessage): string {
  const address = request.url ?? '/';
  if (address.startsWith('/')) return address;
  const [, host, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(address) ?? [];
  if (host === undefined) return address;
  request.headers.host = host;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
