import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeBase64 } from '../../../../src-main/service/errors/ingest/inflate-body.ts';
import { RequestBody } from '../../../../src-main/service/errors/ingest/request-body.ts';
import { IngestFailure } from '../../../../src-main/service/errors/normalise/ingest-failure.ts';
import { maxEventBytes } from '../../../../src-main/service/errors/normalise/ingest-sizes.ts';
import { prepareEvent } from '../../../../src-main/service/errors/events/prepare-event.ts';
import { EnvelopeReader } from '../../../../src-main/service/errors/ingest/read-envelope.ts';
import { readSession, readSessionCounts } from '../../../../src-main/service/errors/normalise/read-session.ts';
import { cut, cuts, edited, edits } from './mutations.ts';
import { multiplierVariants, multiplied, multipliers } from './multipliers.ts';
import { plainBody, sdkRequests } from './sdk-requests.ts';
import { checkEvent, context, seconds } from './fuzz-checks.ts';

const settings = { numRuns: 100_000_000, interruptAfterTimeLimit: seconds * 1000, endOnFailure: false } as const;
const timeout = seconds * 1000 + 60_000;
const slot = { hold: () => {}, spend: () => {} };
const requests = sdkRequests();

/** Counts the runs, and finds the longest in seconds of this thread's own time, which does not depend on what else the machine does. */
function stopwatch() {
  let runs = 0;
  let longest = 0;
  let before = process.threadCpuUsage();
  return {
    begin: () => {
      runs += 1;
      before = process.threadCpuUsage();
    },
    end: () => {
      const { user, system } = process.threadCpuUsage(before);
      longest = Math.max(longest, (user + system) / 1e6);
    },
    expectQuick: (what: string) => {
      // On a machine that does twenty other things it was 68.
      expect(runs).toBeGreaterThan(10);
      expect(longest).toBeLessThan(1);
      if (seconds > 3) console.log(`${runs} ${what}, the longest ${longest.toFixed(3)} s`);
    },
  };
}

const payloads = requests.flatMap((request) => {
  const lines = plainBody(request).toString().trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
});

it('no change of what SDKs send makes anything but an event of the contract or a refusal', { timeout }, () => {
  const watch = stopwatch();
  fc.assert(
    fc.property(fc.nat(payloads.length - 1), edits, (index, changes) => {
      const body = Buffer.from(JSON.stringify(edited(payloads[index], changes)));
      watch.begin();
      checkEvent(body);
      watch.end();
    }),
    settings,
  );
  watch.expectQuick('events');
});

it('C1: what repeats and multiplies makes no more than a few times of what was sent', { timeout }, () => {
  const watch = stopwatch();
  fc.assert(
    fc.property(fc.nat(payloads.length - 1), multipliers, (index, multiplier) => {
      const body = multiplied(payloads[index] as object, multiplier, maxEventBytes);
      if (body === null) return;
      watch.begin();
      checkEvent(body);
      watch.end();
    }),
    settings,
  );
  watch.expectQuick('multiplied events');
});

it('C1: what names one part thousands of times makes no more of it than that', () => {
  const bodies = multiplierVariants.flatMap((multiplier) => multiplied({}, [multiplier], maxEventBytes) ?? []);
  expect(bodies.length).toBeGreaterThan(30);
  const before = process.threadCpuUsage();
  for (const body of bodies) prepareEvent(body, context);
  const { user, system } = process.threadCpuUsage(before);
  // Of this thread's own time, in microseconds: five seconds when each parameter is filled in as often as it is named, and half of one when not.
  expect(user + system).toBeLessThan(2_000_000);
  for (const body of bodies) checkEvent(body);
});

it('no change of the bytes of a request does', { timeout }, () => {
  const watch = stopwatch();
  const bodies = requests.map((request) => ({
    isEnvelope: request.url.includes('/envelope'),
    body: plainBody(request),
  }));
  fc.assert(
    fc.property(fc.nat(bodies.length - 1), cuts, fc.integer({ min: 1, max: 3000 }), (index, changes, piece) => {
      const { isEnvelope, body } = bodies[index] ?? { isEnvelope: true, body: Buffer.of() };
      const changed = cut(body, changes);
      watch.begin();
      if (!isEnvelope) {
        checkEvent(changed);
        watch.end();
        return;
      }
      const items: [string, Buffer | null][] = [];
      try {
        const reader = new EnvelopeReader({
          header: () => {},
          wanted: (type) => (type === 'event' ? 100_000 : 500),
          kept: () => {},
          item: (...item) => items.push(item),
        });
        for (let at = 0; at < changed.length; at += piece) reader.write(changed.subarray(at, at + piece));
        reader.end();
      } catch (error) {
        if (!(error instanceof IngestFailure)) throw error;
      }
      for (const [type, payload] of items) {
        if (payload === null) continue;
        if (type === 'event') checkEvent(payload);
        else tolerate(() => [readSession(payload, context), readSessionCounts(payload, context, 1000)]);
      }
      watch.end();
    }),
    settings,
  );
  watch.expectQuick('requests');
});

it('no change of encoded bytes does', { timeout }, async () => {
  const watch = stopwatch();
  const bodies = requests
    .filter((request) => request.bodyEncoding !== 'raw')
    .map((request) => Buffer.from(request.bodyBase64, 'base64'));
  await fc.assert(
    fc.asyncProperty(
      fc.nat(bodies.length - 1),
      cuts,
      fc.constantFrom('gzip', 'deflate', 'br', 'zstd', ''),
      fc.integer({ min: 1, max: 3000 }),
      async (index, changes, encoding, piece) => {
        const changed = cut(bodies[index] ?? Buffer.of(), changes);
        const pieces: Buffer[] = [];
        for (let at = 0; at < changed.length; at += piece) pieces.push(changed.subarray(at, at + piece));
        const chunks: Buffer[] = [];
        watch.begin();
        try {
          const source = Readable.from(pieces, { objectMode: false });
          const body = new RequestBody(source, encoding, { received: 100_000, inflated: 1_000_000 }, slot);
          await body.receive();
          for await (const chunk of body.chunks()) chunks.push(chunk);
        } catch (error) {
          if (!(error instanceof IngestFailure)) throw error;
          return;
        }
        tolerate(() => checkEvent(decodeBase64(Buffer.concat(chunks), 1_000_000)));
        watch.end();
      },
    ),
    settings,
  );
  watch.expectQuick('encoded bodies');
});

function tolerate(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof IngestFailure)) throw error;
  }
}
