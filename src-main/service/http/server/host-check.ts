import { isIP } from 'node:net';
import { lanAddresses, machineNames } from './lan-addresses.ts';

/**
 * The accepted values of the Host header: the base URL's, loopback names and addresses, and the
 * address listened on; when that is every address (0.0.0.0 or ::), the addresses and names of this
 * machine; and those that sharing on the local network adds. Any other value is a DNS-rebinding
 * attempt or a mistake (421, RFC 9110 section 15.5.20).
 */
export function allowedHosts(
  baseUrl: () => string,
  listenHost: string,
  shared: (name: string) => boolean,
): (host: string | undefined) => boolean {
  return (host) => {
    if (host === undefined) return false;
    const name = hostName(host);
    return (
      name !== null &&
      (isLoopback(name) ||
        shared(name) ||
        name === new URL(baseUrl()).hostname ||
        name === listenHost ||
        (isWildcard(listenHost) && isThisMachine(name)))
    );
  };
}

/**
 * The name of a Host header without its port, lower case, IPv6 without brackets; null when it is
 * malformed.
 */
function hostName(host: string): string | null {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::\d{1,5})?$/.exec(host);
  return (match?.[1] ?? match?.[2])?.toLowerCase() ?? null;
}

/** Whether a host name or address is this machine's loopback. */
export function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

/** Whether an address to listen on means every address of this machine. */
export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** The addresses of this machine beyond the loopback, IPv4 first. */
export function machineAddresses(): readonly string[] {
  return lanAddresses().map(({ address }) => address);
}

// No name that an attacker's DNS could direct here is in this list: only addresses, and this
// machine's own host name.
function isThisMachine(name: string): boolean {
  return machineNames().includes(name) || machineAddresses().includes(name);
}
