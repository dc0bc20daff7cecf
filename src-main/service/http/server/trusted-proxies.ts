import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, SocketAddress } from 'node:net';
import { StartError } from '../../common/start-error.ts';

/** The origin of requests, read from headers of trusted proxies. */
export interface TrustedProxies {
  /** Whether a request was received directly from a trusted proxy. */
  readonly sent: (request: IncomingMessage) => boolean;
  /** Whether an address is a trusted proxy's. */
  readonly has: (address: string) => boolean;
  /**
   * The address of the original client; undefined on the private socket, or when the connection is
   * gone.
   */
  readonly clientOf: (request: IncomingMessage) => string | undefined;
  /** The protocol between the client and this service, or the trusted proxy before it. */
  readonly protocolOf: (request: IncomingMessage) => 'http' | 'https';
}

const mapped = '::ffff:';
const withPort = /^(?:\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/;

/**
 * Parses the list of trusted proxies. Of `X-Forwarded-For` only the entries of trusted hops count,
 * from the right, because any client can forge those further left; of `X-Forwarded-Proto` the last,
 * from the nearest hop. `Forwarded` and `X-Forwarded-Host` are never read.
 *
 * @param texts addresses and networks, such as `10.0.0.2` or `fd00::/8`.
 * @throws StartError for one that is neither.
 */
export function trustedProxies(texts: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const text of texts) add(list, text);
  const has = (address: string): boolean => texts.length > 0 && list.check(address, family(address));

  function sent(request: IncomingMessage): boolean {
    const peer = request.viaPrivateSocket === true ? undefined : request.socket.remoteAddress;
    return peer !== undefined && has(plainAddress(peer));
  }

  return {
    sent,
    has,
    clientOf: (request) => {
      const peer = request.socket.remoteAddress;
      if (peer === undefined || request.viaPrivateSocket === true) return undefined;
      let client = plainAddress(peer);
      if (!has(client)) return client;
      const claims = String(request.headers['x-forwarded-for'] ?? '');
      for (let end = claims.length; end > 0 && has(client);) {
        const comma = claims.lastIndexOf(',', end - 1);
        const entry = readEntry(claims.slice(comma + 1, end).trim());
        // The hop that added this wrote no address, so the entries before it cannot be trusted
        // either.
        if (entry === null) return client;
        client = entry;
        end = comma;
      }
      return client;
    },
    protocolOf: (request) => {
      const claimed = sent(request) ? String(request.headers['x-forwarded-proto'] ?? '') : '';
      const last = claimed
        .slice(claimed.lastIndexOf(',') + 1)
        .trim()
        .toLowerCase();
      if (last === 'https' || last === 'http') return last;
      return 'encrypted' in request.socket ? 'https' : 'http';
    },
  };
}

function add(list: BlockList, text: string): void {
  const [address = '', bits, ...more] = text.split('/');
  const maxBits = isIP(address) === 6 ? 128 : 32;
  const known = isIP(address) !== 0 && !address.includes('%') && more.length === 0;
  if (known && bits === undefined) list.addAddress(address, family(address));
  else if (known && /^\d{1,3}$/.test(bits ?? '') && Number(bits) <= maxBits)
    list.addSubnet(address, Number(bits), family(address));
  else
    throw new StartError(
      'unexpected',
      `${text} is neither an address nor a network. Give one like 10.0.0.2, 10.0.0.0/24 or fd00::/8.`,
    );
}

/** An address as a hop writes it, with or without a port; null when it is malformed. */
function readEntry(text: string): string | null {
  const match = withPort.exec(text);
  const address = match?.[1] ?? match?.[2] ?? text;
  if (isIP(address) === 0) return null;
  // One text for one address: limits and lists count by it.
  return plainAddress(new SocketAddress({ address, family: family(address) }).address);
}

/**
 * An address without the IPv4-mapped IPv6 form of dual-stack sockets (RFC 4291 section 2.5.5.2).
 */
export function plainAddress(address: string): string {
  return address.startsWith(mapped) && isIP(address.slice(mapped.length)) === 4
    ? address.slice(mapped.length)
    : address;
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
