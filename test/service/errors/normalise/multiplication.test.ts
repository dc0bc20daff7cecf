import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boundedJson } from '../../../../src-main/service/errors/normalise/bounded-json.ts';
import { fillTemplate } from '../../../../src-main/service/errors/normalise/fill-template.ts';
import { groupingKey } from '../../../../src-main/service/errors/grouping/grouping-key.ts';
import { Normaliser } from '../../../../src-main/service/errors/normalise/normalise-values.ts';
import { readSessionCounts } from '../../../../src-main/service/errors/normalise/read-session.ts';
import { startIngestChild, type IngestChild } from '../ingest-child.ts';
import { normalise } from './normalised.ts';

const mebibyte = 1024 * 1024;
const gzipped = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
const packed = (value: unknown): Buffer =>
  zlib.gzipSync(typeof value === 'string' ? value : JSON.stringify(value), { level: 9 });
const event = (changes: Readonly<Record<string, unknown>>) =>
  packed({ event_id: randomBytes(16).toString('hex'), ...changes });
const template = '{0}'.repeat(5461);

/** A list that counts how often one of its values is read. */
function counting(values: readonly unknown[]) {
  const reads = { count: 0 };
  const list = new Proxy([...values], {
    get: (target, name, receiver) => {
      if (typeof name === 'string' && /^\d+$/.test(name)) reads.count += 1;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  return { list, reads };
}

describe('a service under small requests that multiply', () => {
  let child: IngestChild;
  beforeAll(async () => {
    child = await startIngestChild();
  });
  afterAll(async () => child.end());

  it('C1: keeps running and answers others meanwhile', async () => {
    const large = () => event({ logentry: { message: template, params: ['\u0436'.repeat(60_000)] } });
    expect(large().length).toBeLessThan(400);
    const onThisThread = () =>
      event({ logentry: { message: template, params: [Array.from({ length: 900 }, () => [[[[]]]])] } });
    const named = () => event({ message: { message: '%(a)s'.repeat(3000), params: { a: { b: 'x'.repeat(60_000) } } } });
    const defaults = () => {
      const frames = Array.from({ length: 250 }, (_, at) => ({
        function: `${'f'.repeat(350)}${at}`,
        module: `m${at}`,
      }));
      return event({
        fingerprint: Array.from({ length: 100 }, () => '{{default}}'),
        exception: [{ type: 'A', stacktrace: { frames } }],
      });
    };
    expect(await child.event(large(), gzipped)).toBe(200);
    const answers = Promise.all(
      Array.from({ length: 10 }, () => [large, onThisThread, named, defaults])
        .flat()
        .map(async (make) => child.event(make(), gzipped)),
    );
    const running = { over: false };
    void answers.then(() => (running.over = true));
    const healthy: number[] = [];
    do {
      healthy.push(await child.send('GET', '/-/health'), await child.event(Buffer.from('{"message":"small"}')));
      await wait(5);
    } while (!running.over);
    expect([...new Set(await answers)]).toEqual([200]);
    expect([...new Set(healthy)]).toEqual([200]);
    expect(child.ended()).toBeNull();
    expect(
      child.database.prepare("SELECT count(*) FROM errors WHERE value <> '' OR type <> ''").pluck().get(),
    ).toBeGreaterThanOrEqual(4);
    // Almost two gigabytes without a bound.
    expect(Number(await child.peakMemory())).toBeLessThan(600 * mebibyte);
  });
});

describe('C1: work and output are bounded by the input', () => {
  it('a parameter is read once, however often a template names it, and no further than the maximum length of a message', () => {
    const { list, reads } = counting(Array.from({ length: 100_000 }, () => 1));
    const filled = fillTemplate(template, [list], 16 * 1024);
    expect(filled).toHaveLength(16 * 1024);
    expect(filled?.slice(0, 7)).toBe('[1,1,1,');
    expect(reads.count).toBeLessThan(20_000);
  });
  it('of a large object no more is converted to text than is kept', () => {
    const { list, reads } = counting(Array.from({ length: 100_000 }, () => 'text'));
    expect(boundedJson({ a: list }, 50)).toBe(JSON.stringify({ a: list }).slice(0, 50));
    reads.count = 0;
    boundedJson({ a: list }, 50);
    expect(reads.count).toBeLessThan(50);
  });
  it.each([[{ a: [1, null, 'x"\u0001', { b: true }], c: {} }], [[]], [['\ud83d\ude00', -1.5]], ['text'], [7]])(
    '%j is the same as of JSON.stringify',
    (value) => {
      const whole = JSON.stringify(value);
      for (let length = 0; length <= whole.length + 2; length += 1)
        expect(boundedJson(value, length)).toBe(whole.slice(0, length));
    },
  );
  it('a truncated message says so', () => {
    const { message, shortened } = normalise({ logentry: { message: template, params: ['\u{1f321}'.repeat(3000)] } });
    expect(message?.formatted).toHaveLength(16 * 1024);
    expect(shortened).toBe(true);
    expect(normalise({ logentry: { message: '{0} and {0}, {1}', params: ['a', { b: [1] }] } })).toMatchObject({
      message: { formatted: 'a and a, {"b":[1]}' },
      shortened: false,
    });
  });
  it('a fingerprint repeats the grouping of the event a few times, not a hundred', () => {
    const frames = Array.from({ length: 250 }, (_, at) => ({ function: `${'f'.repeat(350)}${at}`, module: `m${at}` }));
    const sent = {
      fingerprint: Array.from({ length: 99 }, () => '{{ default }}').concat('own'),
      exception: [{ type: 'A', stacktrace: { frames } }],
    };
    const { parts } = groupingKey(normalise(sent));
    expect(parts.join('').length).toBeLessThan(400_000);
    expect(parts.filter((part) => part === 'default').length).toBeGreaterThan(90);
    expect(parts.at(-1)).toBe('part own');
  });
  it('all texts of an event share one budget', () => {
    const normaliser = new Normaliser(false, 10);
    expect(normaliser.values({ a: 'xxxx', b: 'yyyyyyyy', c: 'z', d: 7 })).toEqual({ a: 'xxxx', b: 'yyyy', '': 7 });
    expect(normaliser.name('later', 100)).toBeNull();
    expect(normaliser.shortened).toBe(true);
  });
  it('the release of a thousand session counts is read once', () => {
    const list = `[${Array.from({ length: 1000 }, () => '{"a":""}').join(',')}]`;
    const release = Array.from({ length: 8 }, () => list).join(',');
    const body = Buffer.from(
      `{"attrs":{"release":[${release}]},"aggregates":[${Array.from({ length: 1000 }, () => '{"exited":1}').join(',')}]}`,
    );
    const before = process.threadCpuUsage().user;
    for (let item = 0; item < 10; item += 1)
      expect(readSessionCounts(body, { receivedAt: Date.now(), sentAt: null }, 1000).counts).toHaveLength(1000);
    // Microseconds of this thread's own time; reading it for each count takes three seconds.
    expect(process.threadCpuUsage().user - before).toBeLessThan(1_000_000);
  });
});
