import { Service, type Bonjour } from 'bonjour-service';
import type { ServiceRecord } from 'bonjour-service/dist/lib/service.js';
import type { Logger } from 'pino';
import { isIPv4 } from 'node:net';
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
  const mdns = openMulticast(isIPv4(address) ? address : null, (error) => log.warn({ err: error }, 'multicast DNS'));
  try {
    const name = freeName(`Benchport on ${machineNames()[1]}`, await namesInUse(mdns));
    signal.throwIfAborted();
    const { certificateSha256: sha256 } = what;
    const records = [
      ...recordsOf(what, name, 'benchport', { path: '/', ...(sha256 === null ? {} : { tls: '1', sha256 }) }),
      ...recordsOf(what, name, sha256 === null ? 'http' : 'https', { path: '/ui/' }),
      addressRecord(what),
    ];
    const server = mdns['server'];
    // Announced twice, one second apart (RFC 6762 section 8.3), and sent in response to queries.
    server.register(records);
    server.mdns.respond(records);
    const repeat = setTimeout(() => server.mdns.respond(records), 1000);
    return {
      name,
      end: async () => {
        clearTimeout(repeat);
        await withdraw(mdns, records);
      },
    };
  } catch (error) {
    mdns.destroy();
    throw error;
  }
}

async function namesInUse(mdns: Bonjour): Promise<ReadonlySet<string>> {
  const browser = mdns.find({ type: 'benchport' });
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

// The library's start and stop callbacks of a service, which it calls only for services that it
// publishes itself.
const noop = (): void => {};

/**
 * Records of one service, without addresses: the library would include every address of this
 * machine.
 */
function recordsOf(
  { port, version }: Announced,
  name: string,
  type: string,
  txt: Readonly<Record<string, string>>,
): readonly ServiceRecord[] {
  const service = new Service({ name, type, port, host: machineNames()[2], txt: { ...txt, version } }, noop, noop);
  return service.records().filter((record) => record.type !== 'A' && record.type !== 'AAAA');
}

function addressRecord({ at }: Announced): ServiceRecord {
  return { name: machineNames()[2], type: at.family === 'IPv4' ? 'A' : 'AAAA', ttl: 120, data: at.address };
}

/**
 * Sends goodbye records, with a TTL of 0 (RFC 6762 section 10.1). The address record stays valid:
 * it belongs to the machine, and other programs may announce it too.
 */
async function withdraw(mdns: Bonjour, records: readonly ServiceRecord[]): Promise<void> {
  const goodbye = records
    .filter(({ type }) => type !== 'A' && type !== 'AAAA')
    .map((record) => ({ ...record, ttl: 0 }));
  const server = mdns['server'];
  server.unregister([...records]);
  await new Promise<void>((resolve) => {
    const late = setTimeout(resolve, withdrawTimeoutMs);
    server.mdns.respond(goodbye, () => {
      clearTimeout(late);
      resolve();
    });
  });
  mdns.destroy();
}
