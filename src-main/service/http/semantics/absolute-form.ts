import type { IncomingMessage } from 'node:http';

/**
 * Converts an absolute-form request target, as proxies receive it, to origin form (RFC 9112 section
 * 3.2.2). Its authority overrides the Host header, for all checks of the host.
 */
export function withoutHost(request: IncomingMessage): string {
  const address = request.url ?? '/';
  if (address.startsWith('/')) return address;
  const [, host, rest = ''] = /^https?:\/\/([^/?#]*)(.*)$/is.exec(address) ?? [];
  if (host === undefined) return address;
  request.headers.host = host;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
