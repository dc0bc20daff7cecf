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
  /** SHA-256 of the certificate it speaks TLS with, hexadecimal; null is http. */
  readonly certificateSha256: string | null;
}

/** A name on the network, as long as it is told. */
export interface Announcement {
  readonly name: string;
  /** Takes it back, so that nobody goes on listing it. */
  end(): Promise<void>;
}

// Long enough for everybody on the network to say which names they have (RFC 6762 section 6: answers are delayed by up to 120 ms).
const probeMs = 800;
const withdrawTimeoutMs = 1000;
// A label of DNS holds 63 bytes (RFC 6763 section 4.1.1).
const maxNameLength = 63;

/**
 * Tells the network by multicast DNS that a Benchport is here (DNS-SD, RFC 6763): as `_benchport._tcp` for other Benchports and as `_http._tcp`,
 * or `_https._tcp`, for browsers of services. A name that somebody else has is given a number.
 *
 * @throws when the network takes no multicast, or `signal` is aborted meanwhile.
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
    // Answered from now on, and told twice, a second apart (RFC 6762 section 8.3).
    server.register(records);
    server.mdns.respond(records);
    const again = setTimeout(() => server.mdns.respond(records), 1000);
    return {
      name,
      end: async () => {
        clearTimeout(again);
        await takeBack(mdns, records);
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

/** @param wanted in the wording that is wanted. @param taken in lower case. */
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

// What the library would start and stop by itself.
const neverCalled = (): void => {};

/** What is told of one service. The addresses are left out: the library would name all that this machine has. */
function recordsOf(
  { port, version }: Announced,
  name: string,
  type: string,
  txt: Readonly<Record<string, string>>,
): readonly ServiceRecord[] {
  const service = new Service(
    { name, type, port, host: machineNames()[2], txt: { ...txt, version } },
    neverCalled,
    neverCalled,
  );
  return service.records().filter((record) => record.type !== 'A' && record.type !== 'AAAA');
}

function addressRecord({ at }: Announced): ServiceRecord {
  return { name: machineNames()[2], type: at.family === 'IPv4' ? 'A' : 'AAAA', ttl: 120, data: at.address };
}

/** Says goodbye (RFC 6762 section 10.1): records that live for no time. The address stays: it is the machine's, and others may tell it too. */
async function takeBack(mdns: Bonjour, records: readonly ServiceRecord[]): Promise<void> {
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
