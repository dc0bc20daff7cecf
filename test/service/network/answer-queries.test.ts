import multicastDns, { type MulticastDNS } from 'multicast-dns';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerQueries, type DnsRecord } from '../../../src-main/service/network/answer-queries.ts';
import { loopback, mayMulticast } from './may-multicast.ts';

// Others may run this test on the same machine.
const host = `lab-${process.pid}.local`;
const type = `_bench${process.pid}._tcp.local`;
const instance = `Lab.${type}`;
const ttl = 120;
const pointer: DnsRecord = { name: type, type: 'PTR', ttl, data: instance };
const server: DnsRecord = { name: instance, type: 'SRV', ttl, data: { port: 7420, target: host } };
const text: DnsRecord = { name: instance, type: 'TXT', ttl, data: ['path=/'] };
const address: DnsRecord = { name: host, type: 'A', ttl, data: loopback };

let answering: MulticastDNS;
let asking: MulticastDNS;
let end: () => void;
beforeAll(() => {
  [answering, asking] = [multicast(), multicast()];
  end = answerQueries(answering, [pointer, server, text, address], (error) => expect.unreachable(String(error)));
});
afterAll(() => {
  answering.destroy();
  asking.destroy();
});

function multicast(): MulticastDNS {
  return multicastDns({ bind: '0.0.0.0', interface: loopback });
}

interface Heard {
  readonly answers: readonly string[];
  readonly additionals: readonly string[];
}

/** Types of the records that come back; null when nothing does. */
async function ask(name: string, wanted: 'PTR' | 'SRV' | 'TXT' | 'A' | 'AAAA' | 'ANY'): Promise<Heard | null> {
  return new Promise((resolve) => {
    const types = (records: readonly DnsRecord[]) => records.map((record) => record.type);
    const timer = setTimeout(() => done(null), 500);
    const hear = (packet: { answers: DnsRecord[]; additionals: DnsRecord[] }): void => {
      if (packet.answers.some((record) => record.name.includes(String(process.pid))))
        done({ answers: types(packet.answers), additionals: types(packet.additionals) });
    };
    function done(heard: Heard | null): void {
      clearTimeout(timer);
      asking.removeListener('response', hear);
      resolve(heard);
    }
    asking.on('response', hear);
    asking.query({ questions: [{ name, type: wanted as 'A' }] });
  });
}

test.skipIf(!mayMulticast)('a query is answered with what is asked next, and for no other name or type', async () => {
  expect(await ask(type, 'PTR')).toEqual({ answers: ['PTR'], additionals: ['SRV', 'TXT', 'A'] });
  expect(await ask(instance.toUpperCase(), 'SRV')).toEqual({ answers: ['SRV'], additionals: ['A'] });
  expect(await ask(instance, 'TXT')).toEqual({ answers: ['TXT'], additionals: [] });
  expect(await ask(instance, 'ANY')).toEqual({ answers: ['SRV', 'TXT'], additionals: ['A'] });
  expect(await ask(host, 'A')).toEqual({ answers: ['A'], additionals: [] });
  expect(await ask(host, 'AAAA')).toBeNull();
  expect(await ask(`other.${type}`, 'SRV')).toBeNull();
  end();
  expect(await ask(type, 'PTR')).toBeNull();
});
