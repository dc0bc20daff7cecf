import { isIP } from 'node:net';

/**
 * Which values of the Host header are answered: the base URL's, loopback names and addresses, and the address listened on.
 * Everything else is a DNS-rebinding attempt or a mistake (421, RFC 9110 section 15.5.20).
 */
export function allowedHosts(baseUrl: () => string, listenHost: string): (host: string | undefined) => boolean {
  return (host) => {
    if (host === undefined) return false;
    const name = hostName(host);
    return name !== null && (isLoopback(name) || name === new URL(baseUrl()).hostname || name === listenHost);
  };
}

/** The name of a Host header without its port, lower case, IPv6 without brackets; null when it is none. */
function hostName(host: string): string | null {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::\d{1,5})?$/.exec(host);
  return (match?.[1] ?? match?.[2])?.toLowerCase() ?? null;
}

/** Whether a host name or address is this machine's loopback. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}
