import { BlockList, isIP } from 'node:net';
import { judgeAddress } from './address-kind.ts';
import { portOf } from './server-url.ts';

/** A host name, an IP address or an IP network that may be private, with one port or all. */
export interface AllowedHost {
  /** The one form in which it is stored, shown and compared. */
  readonly text: string;
  readonly port: number | null;
  /** @param host as the URL parser writes it. @param address of IPv4 where it leads to one. */
  readonly matches: (host: string, address: string) => boolean;
}

/** An entry that cannot be read, or that can never be allowed. Its message says which and why. */
export class AllowedHostError extends Error {}

const maxLength = 255;
const hostName = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Reads `sentry.lab`, `sentry.lab:9000`, `10.1.2.3`, `10.1.0.0/16`, `10.1.0.0/16:9000`, `fd00::/8` or
 * `[fd12::7]:9000`. Names are compared exactly, without wildcards.
 *
 * @throws AllowedHostError
 */
export function parseAllowedHost(entered: string): AllowedHost {
  const text = entered.trim().toLowerCase();
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? text;
  if (text.length > maxLength || host === '') throw unreadable(entered);
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    throw new AllowedHostError(`“${shown(entered)}” has no usable port: it is between 1 and 65535.`);
  const number = port === undefined ? null : Number(port);
  if (isIP(host) === 6 || isIP(host.replace(/\/.*$/, '')) !== 0) return networkEntry(entered, host, number);
  const name = nameOf(host);
  if (name === null) throw unreadable(entered);
  if (isIP(name) === 4) return networkEntry(entered, name, number);
  return { text: withPort(name, number), port: number, matches: (asked) => asked === name };
}

/** The host of a URL as a name to compare: without brackets, and without the dot at its end. */
export function hostOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** The entry that allows exactly the host and port of a URL. */
export function entryOf(url: URL): string {
  return withPort(hostOf(url), portOf(url));
}

function networkEntry(entered: string, host: string, port: number | null): AllowedHost {
  const [address = '', bits, ...more] = host.split('/');
  const version = isIP(address);
  const maxBits = version === 6 ? 128 : 32;
  const length = bits === undefined ? maxBits : /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity;
  if (address.includes('%') || more.length > 0 || length > maxBits)
    throw new AllowedHostError(
      `“${shown(entered)}” is not a network: write an address and the number of its fixed bits, such as 10.1.0.0/16.`,
    );
  const { kind, address: within } = judgeAddress(address);
  if (kind !== 'public' && kind !== 'private')
    throw new AllowedHostError(
      `“${shown(entered)}” can never be allowed: it is a reserved address, one of the local link or one of a metadata service.`,
    );
  if (within !== address && version === 6)
    throw new AllowedHostError(`“${shown(entered)}” leads to ${within}. Enter that address instead.`);
  const network = new BlockList();
  network.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
  return {
    text: withPort(bits === undefined ? address : `${address}/${length}`, port),
    port,
    matches: (_host, asked) => network.check(asked, isIP(asked) === 6 ? 'ipv6' : 'ipv4'),
  };
}

/** A name as the URL parser reads it; null for what is not the name of a host. */
function nameOf(text: string): string | null {
  if (/[/?#@\\\s]/.test(text) || !URL.canParse(`http://${text}`)) return null;
  const name = hostOf(new URL(`http://${text}`));
  return hostName.test(name) ? name : null;
}

function withPort(host: string, port: number | null): string {
  if (port === null) return host;
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function unreadable(entered: string): AllowedHostError {
  return new AllowedHostError(
    `“${shown(entered)}” is neither a host name nor a network. Write sentry.lab, sentry.lab:9000, 10.1.0.0/16 or [fd12::7]:9000, without a scheme or a path.`,
  );
}

function shown(entered: string): string {
  return entered.trim().slice(0, 60);
}
