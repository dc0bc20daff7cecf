import { Browser } from 'bonjour-service';
import type { MulticastDNS } from 'multicast-dns';
import type { Logger } from 'pino';
import { isIPv4 } from 'node:net';
import { answerQueries, type DnsRecord } from './answer-queries.ts';
import { machineNames, type LanAddress } from '../http/server/lan-addresses.ts';
import { openMulticast } from './multicast.ts';

export interface Announced {
  readonly at: Pick<LanAddress, 'address' | 'family'>;
  readonly port: number;
  readonly version: string;
  /** SHA-256 of its TLS certificate in hexadecimal; null for http. */
  readonly certificateSha256: string | null;
}

/** An active announcement on the network. */
export interface Announcement {
  readonly name: string;
  /** Withdraws the name, so that other machines stop listing it. */
  end(): Promise<void>;
}

// Time to wait for responses with existing names (RFC 6762 section 6: responses are delayed by up
// to 120 ms).
const probeMs = 800;
const withdrawTimeoutMs = 1000;
// Bytes in a DNS label (RFC 6763 section 4.1.1).
const maxNameLength = 63;

/**
 * Announces this Benchport by multicast DNS (DNS-SD, RFC 6763): as `_benchport._tcp` for other
 * Benchports and as `_http._tcp` or `_https._tcp` for service browsers. A number is appended to a
 * name that is in use.
 *
 * @throws when multicast is unavailable, or `signal` is aborted.
 */
export async function announce(what: Announced, log: Logger, signal: AbortSignal): Promise<Announcement> {
  const { address } = what.at;
  const onError = (error: unknown): void => log.warn({ err: error }, 'multicast DNS');
  const socket = openMulticast(isIPv4(address) ? address : null, onError);
  try {
    const name = freeName(`Benchport on ${machineNames()[1]}`, await namesInUse(socket));
    signal.throwIfAborted();
    const { certificateSha256: sha256 } = what;
    const records = [
      ...recordsOf(what, name, 'benchport', { path: '/', ...(sha256 === null ? {} : { tls: '1', sha256 }) }),
      ...recordsOf(what, name, sha256 === null ? 'http' : 'https', { path: '/ui/' }),
      addressRecord(what),
    ];
    // Announced twice, one second apart (RFC 6762 section 8.3), and sent in response to queries.
    const endAnswers = answerQueries(socket, records, onError);
    socket.respond(records);
    const repeat = setTimeout(() => socket.respond(records), 1000);
    return {
      name,
      end: async () => {
        clearTimeout(repeat);
        endAnswers();
        await withdraw(socket, records);
      },
    };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function namesInUse(socket: MulticastDNS): Promise<ReadonlySet<string>> {
  const browser = new Browser(socket, { type: 'benchport' });
  await new Promise((resolve) => setTimeout(resolve, probeMs));
  browser.stop();
  return new Set(browser.services.map((service) => service.name.toLowerCase()));
}

/** @param wanted the preferred name. @param taken names in use, in lower case. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = withEnding(wanted, number === 1 ? '' : ` (${number})`);
    if (!taken.has(name.toLowerCase())) return name;
  }
}

function withEnding(text: string, ending: string): string {
  let start = text.replaceAll('.', '-');
  while (Buffer.byteLength(start + ending) > maxNameLength) start = start.slice(0, -1);
  return start + ending;
}

/** Records of one service, without addresses (RFC 6763 sections 4.1, 5, 6 and 9). */
function recordsOf(
  { port, version }: Announced,
  name: string,
  type: string,
  txt: Readonly<Record<string, string>>,
): readonly DnsRecord[] {
  const service = `_${type}._tcp.local`;
  const instance = `${name}.${service}`;
  return [
    { name: service, type: 'PTR', ttl: 28_800, data: instance },
    { name: instance, type: 'SRV', ttl: 120, data: { port, target: machineNames()[2] } },
    {
      name: instance,
      type: 'TXT',
      ttl: 4500,
      data: Object.entries({ ...txt, version }).map(([key, value]) => `${key}=${value}`),
    },
    { name: '_services._dns-sd._udp.local', type: 'PTR', ttl: 120, data: service },
  ];
}

function addressRecord({ at }: Announced): DnsRecord {
  return { name: machineNames()[2], type: at.family === 'IPv4' ? 'A' : 'AAAA', ttl: 120, data: at.address };
}

/**
 * Sends goodbye records, with a TTL of 0 (RFC 6762 section 10.1). The address record stays valid:
 * it belongs to the machine, and other programs may announce it too.
 */
async function withdraw(socket: MulticastDNS, records: readonly DnsRecord[]): Promise<void> {
  const goodbye = records
    .filter(({ type }) => type !== 'A' && type !== 'AAAA')
    .map((record) => ({ ...record, ttl: 0 }));
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, withdrawTimeoutMs);
    socket.respond(goodbye, () => {
      clearTimeout(late);
      resolve();
    });
  });
  socket.destroy();
}
