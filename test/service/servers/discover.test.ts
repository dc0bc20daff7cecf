import fc from 'fast-check';
import multicastDns from 'multicast-dns';
import { EventEmitter } from 'node:events';
import { isIP } from 'node:net';
import { expect, test } from 'vitest';
import { createLogger } from '../../../src-main/service/logging/logging.ts';
import { answerQueries, type DnsRecord } from '../../../src-main/service/network/answer-queries.ts';
import { dropOversizedPackets } from '../../../src-main/service/network/multicast.ts';
import { discoveredAddress, nearAddresses } from '../../../src-main/service/servers/discovered-address.ts';
import { discovery } from '../../../src-main/service/servers/discover.ts';
import { asWindow } from '../as-window.ts';
import { until } from '../until.ts';
import { startTestService } from '../start.ts';
import { loopback, mayMulticast } from '../network/may-multicast.ts';

const onError = (error: unknown): never => expect.unreachable(String(error));

const near = nearAddresses();
const heard = (change: object): Parameters<typeof discoveredAddress>[0] => ({
  name: 'Lab',
  port: 7420,
  addresses: ['192.168.1.5'],
  txt: {},
  ...change,
});

test.each([
  [{}, 'http://192.168.1.5:7420'],
  [{ txt: { path: '/', version: '0.1.0' } }, 'http://192.168.1.5:7420'],
  [{ txt: { path: '/prefix/', tls: '1' } }, 'https://192.168.1.5:7420/prefix'],
  [{ txt: { tls: '0' } }, 'http://192.168.1.5:7420'],
  [{ port: 80 }, 'http://192.168.1.5'],
  [{ addresses: ['8.8.8.8', 'fe80::1', '2606:4700::1', 'fd00::5'] }, 'http://[fd00::5]:7420'],
  [{ addresses: ['169.254.3.4'] }, 'http://169.254.3.4:7420'],
  [{ addresses: ['::ffff:8.8.8.8'] }, null],
  [{ addresses: ['8.8.8.8'] }, null],
  [{ addresses: ['lab.local'] }, null],
  [{ addresses: [] }, null],
  [{ addresses: undefined }, null],
  [{ addresses: [...Array.from({ length: 8 }, () => '8.8.8.8'), '10.0.0.1'] }, null],
  [{ port: 0 }, null],
  [{ port: 65_536 }, null],
  [{ txt: { path: '//evil.example' } }, null],
  [{ txt: { path: '/a/../b' } }, null],
  [{ txt: { path: '/a?b' } }, null],
  [{ txt: { path: 'x' } }, null],
  [{ txt: { path: `/${'a'.repeat(100)}` } }, null],
  [{ txt: { path: '/\u202e' } }, null],
])('announced: %j', (change, expected) => {
  expect(discoveredAddress(heard(change), near)?.base_url ?? null).toBe(expected);
});

test('texts of strangers are truncated and made visible', () => {
  expect(discoveredAddress(heard({ name: 'a\u202eb\n', txt: { version: 'v'.repeat(100) } }), near)).toMatchObject({
    name: 'a\\u202eb\\u000a',
    version: 'v'.repeat(40),
  });
  expect(discoveredAddress(heard({ txt: null }), near)).toMatchObject({ version: null });
  expect(discoveredAddress(heard({ txt: { version: true, path: 5 } }), near)).toMatchObject({ version: null });
});

test('packets with an implausible number of records or questions are ignored', () => {
  const socket = new EventEmitter();
  const taken: unknown[] = [];
  for (const name of ['query', 'response', 'warning']) socket.on(name, (packet) => taken.push(packet));
  dropOversizedPackets(socket);
  const packet = (questions: number, answers: number, additionals: number) => {
    const some = (count: number) => Array.from({ length: count }, () => ({}));
    return { questions: some(questions), answers: some(answers), additionals: some(additionals) };
  };
  const [usual, asking, telling] = [packet(1, 8, 3), packet(10_000, 0, 0), packet(0, 60, 60)];
  for (const one of [usual, asking, telling]) for (const name of ['query', 'response']) socket.emit(name, one);
  socket.emit('warning', asking);
  expect(taken).toEqual([usual, usual, asking]);
});

const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
test.each([
  [{ tls: '1', sha256 }, sha256],
  [{ tls: '0', sha256 }, null],
  [{ sha256 }, null],
  [{ tls: '1' }, null],
  [{ tls: '1', sha256: sha256.toUpperCase() }, null],
  [{ tls: '1', sha256: `${sha256}00` }, null],
  [{ tls: '1', sha256: true }, null],
])('announced certificate: %j', (txt, expected) => {
  expect(discoveredAddress(heard({ txt }), near)?.certificate_sha256).toBe(expected);
});

test('whatever is announced, the address is a local one', () => {
  const anything = fc.record({
    name: fc.string(),
    port: fc.oneof(fc.integer(), fc.double()),
    addresses: fc.array(
      fc.oneof(
        fc.ipV4(),
        fc.constantFrom('10.0.0.1', 'fd00::1', '::1', '2001:db8::1', '::ffff:10.0.0.1', 'fe80::1%eth0'),
        fc.string(),
      ),
    ),
    txt: fc.oneof(
      fc.constant(null),
      fc.dictionary(
        fc.constantFrom('path', 'version', 'tls', 'sha256'),
        fc.oneof(fc.string(), fc.constantFrom('/a', '/../b', '//c.example', '/a@b', '/%2e%2e/x'), fc.boolean()),
      ),
    ),
  });
  fc.assert(
    fc.property(anything, (said) => {
      const found = discoveredAddress(said, near);
      if (found === null) return;
      const url = new URL(found.base_url);
      const host = url.hostname.replace(/^\[|\]$/g, '');
      expect(near.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4')).toBe(true);
      expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '', '']);
      expect(found.base_url.endsWith('/')).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test.skipIf(!mayMulticast)(
  'a server that tells its name is found, is in the list or not, and vanishes when it says goodbye',
  async () => {
    const service = await startTestService();
    const network = multicastDns({ bind: '0.0.0.0', interface: loopback });
    const name = `Benchport of the test ${process.pid}`;
    const port = 10_000 + (process.pid % 20_000);
    const records = (at: number, ttl: number): DnsRecord[] => [
      { name: '_benchport._tcp.local', type: 'PTR', ttl, data: `${name}._benchport._tcp.local` },
      { name: `${name}._benchport._tcp.local`, type: 'SRV', ttl, data: { target: 'test.local', port: at } },
      { name: `${name}._benchport._tcp.local`, type: 'TXT', ttl, data: ['path=/', 'version=9.9.9'] },
      { name: 'test.local', type: 'A', ttl, data: loopback },
    ];
    const find = async () => {
      const { body } = await asWindow(service, 'GET', '/api/v4/local/discovered-servers');
      return (body as { name: string }[]).find((one) => one.name === name);
    };
    try {
      await service.user('alice', true);
      let end = answerQueries(network, records(port, 120), onError);
      await until(async () => (await find()) !== undefined, 'it is found');
      expect(await find()).toEqual({
        name,
        base_url: `http://127.0.0.1:${port}`,
        version: '9.9.9',
        certificate_sha256: null,
        added: false,
      });
      await asWindow(service, 'POST', '/api/v4/local/servers', { base_url: `http://127.0.0.1:${port}/` });
      expect(await find()).toMatchObject({ added: true });
      end();
      network.respond(records(port, 0));
      await until(async () => (await find()) === undefined, 'it is gone');
      end = answerQueries(network, records(port + 1, 120), onError);
      await until(async () => (await find()) !== undefined, 'it is back, at another port');
      expect(await find()).toMatchObject({ base_url: `http://127.0.0.1:${port + 1}` });
    } finally {
      network.destroy();
      await service.end();
    }
  },
);

test.skipIf(!mayMulticast)('a flood of names is cut off, and discovery listens only on demand', async () => {
  const found = discovery(createLogger('silent'), { stopAfter: 30_000, firstAnswers: 50 });
  const brief = discovery(createLogger('silent'), { stopAfter: 1, firstAnswers: 50 });
  const network = multicastDns({ bind: '0.0.0.0', interface: loopback });
  // Others may run this test on the same machine.
  const word = `flood${process.pid}-`;
  const firstPort = 1000 + (process.pid % 100) * 600;
  const say = (from: number): void =>
    network.respond([
      { name: 'test.local', type: 'A', ttl: 120, data: loopback },
      ...Array.from({ length: 40 }, (_, at): DnsRecord[] => [
        { name: '_benchport._tcp.local', type: 'PTR', ttl: 120, data: `${word}${from + at}._benchport._tcp.local` },
        {
          name: `${word}${from + at}._benchport._tcp.local`,
          type: 'SRV',
          ttl: 120,
          data: { target: 'test.local', port: firstPort + from + at },
        },
      ]).flat(),
    ]);
  const shown = async (by = found) => (await by.servers()).filter(({ name }) => name.startsWith(word)).length;
  try {
    expect(await shown()).toBe(0);
    for (let from = 0; from < 400; from += 40) say(from);
    await until(async () => (await shown()) >= 90, 'only so many are shown');
    expect(await found.servers()).toHaveLength(100);
    for (let from = 400; from < 800; from += 40) say(from);
    await until(async () => (await shown()) === 0, 'it begins anew');
    // Listening has long ended when the names are announced again.
    expect(await shown(brief)).toBe(0);
    for (let from = 0; from < 80; from += 40) say(from);
    await until(async () => (await shown()) === 80, 'the other one hears them');
    expect(await shown(brief)).toBe(0);
  } finally {
    found.close();
    brief.close();
    network.destroy();
  }
});
