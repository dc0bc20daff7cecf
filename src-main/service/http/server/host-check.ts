import { isIP } from 'node:net';
import { lanAddresses, machineNames } from './lan-addresses.ts';

/**
 * Which values of the Host header are answered: the base URL's, loopback names and addresses, and the address listened on;
 * when that is every address (0.0.0.0 or ::), the addresses and the names of this machine; and what sharing on the local network adds.
 * Everything else is a DNS-rebinding attempt or a mistake (421, RFC 9110 section 15.5.20).
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

/** The name of a Host header without its port, lower case, IPv6 without brackets; null when it is none. */
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

/** The addresses under which others may reach this machine, IPv4 first. */
export function machineAddresses(): readonly string[] {
  return lanAddresses().map(({ address }) => address);
}

// A name that an attacker's DNS could point here is never in this list: addresses are no names, and the host name is this machine's own.
function isThisMachine(name: string): boolean {
  return machineNames().includes(name) || machineAddresses().includes(name);
}
