import net from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { RequestBatches } from '../../../../src-main/service/errors/events/request-batches.ts';
import { startIngestWorld } from '../ingest-world.ts';
import { envelopeOf, sentEvent } from '../sent-event.ts';

describe('batches of requests', () => {
  /** @returns the requests that have taken a step, after each turn of the event loop. */
  async function stepsOf(sizes: readonly number[]): Promise<string[][]> {
    const batches = new RequestBatches();
    const steps: string[] = [];
    const done = sizes.map(async (bytes, at) => {
      await batches.turn(bytes);
      steps.push(`first ${at}`);
      await Promise.resolve();
      steps.push(`second ${at}`);
    });
    const turns: string[][] = [];
    while (turns.flat().length < 2 * sizes.length) {
      await turn();
      turns.push(steps.splice(0));
    }
    await Promise.all(done);
    return turns;
  }
  const both = (from: number, to: number) =>
    ['first', 'second'].flatMap((step) => Array.from({ length: to - from }, (_, index) => `${step} ${from + index}`));

  it('take each step one after the other, in order of arrival', async () => {
    expect(await stepsOf([10, 10, 10])).toEqual([both(0, 3)]);
  });
  it('have at most sixteen requests; the others run in later turns', async () => {
    expect(await stepsOf(Array.from({ length: 40 }, () => 10))).toEqual([both(0, 16), both(16, 32), both(32, 40)]);
  });
  it('have at most 128 KiB together; a larger request runs alone', async () => {
    const kibibyte = 1024;
    const sizes = [60, 68, 1, 128, 200, 40].map((size) => size * kibibyte);
    expect(await stepsOf(sizes)).toEqual([both(0, 2), both(2, 3), both(3, 4), both(4, 5), both(5, 6)]);
  });
});

it('simultaneous events each get their own response; one that fails or breaks off does not affect the others', async () => {
  const world = await startIngestWorld();
  try {
    const path = `/api/v4/error_tracking/collector/api/${world.projectId}/envelope/?sentry_key=${world.publicKey}`;
    const port = Number(new URL(world.service.url).port);
    const send = async (body: Buffer, breaksOff: boolean) => {
      const socket = net.connect(port, '127.0.0.1');
      const answer = socket.setEncoding('latin1').toArray();
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`,
      );
      if (breaksOff) socket.end(body.subarray(0, -5));
      else socket.write(body);
      return (await answer).join('');
    };
    const events = Array.from({ length: 40 }, () => sentEvent());
    const broken = new Map([
      [3, Buffer.from('no gzip at all')],
      [17, zlib.gzipSync('{}\n{"type":"event"}\nno JSON\n')],
      [30, zlib.gzipSync('no envelope')],
    ]);
    const cut = 21;
    const answers = await Promise.all(
      events.map(async (one, at) =>
        send(
          broken.get(at) ?? zlib.gzipSync(envelopeOf({ event_id: one.event_id }, [{ type: 'event' }, one])),
          at === cut,
        ),
      ),
    );
    for (const [at, answer] of answers.entries()) {
      const id = events[at]?.event_id ?? '';
      const fails = broken.has(at) || at === cut;
      // A client that is gone may get a response or none.
      expect(answer).toMatch(fails ? (at === cut ? /^$|^HTTP\/1\.1 400 / : /^HTTP\/1\.1 400 /) : /^HTTP\/1\.1 200 /);
      if (!fails) expect(answer).toContain(`{"id":"${id}"}`);
      expect(world.event(id)?.message?.formatted).toBe(fails ? undefined : events[at]?.message);
    }
  } finally {
    await world.end();
  }
});
