import { afterAll, beforeAll, expect, test } from 'vitest';
import { content, partCount, putInProcess } from './put-in-process.ts';
import { startStandIn, type StandIn } from './stand-in.ts';

let standIn: StandIn;
beforeAll(async () => void (standIn = await startStandIn()));
afterAll(async () => standIn.close());

// List of uploads, beginning, parts, completion, length.
const steps = Array.from({ length: partCount + 4 }, (_, at) => at + 1);

test.each(steps.flatMap((step) => [false, true].map((done) => [step, done] as const)))(
  'a put that is killed at request %i goes on (done by the storage: %s)',
  async (step, done) => {
    const key = `measurements/ab/${step}-${String(done)}.zip`;
    standIn.requests.length = 0;
    const killed = putInProcess(standIn.settings, key);
    let count = 0;
    standIn.fault = () => {
      count += 1;
      if (count < step) return null;
      killed.kill();
      return done ? 'lost-answer' : 'reset';
    };
    expect(await killed.ended).toBe(false);
    standIn.fault = () => null;
    expect(await putInProcess(standIn.settings, key).ended).toBe(true);
    expect(standIn.objects.get(`/bench/${key}`)?.equals(content)).toBe(true);
    expect(standIn.uploads.size).toBe(0);
    const sent = standIn.requests.filter((line) => line.startsWith('PUT')).length;
    // One part may be sent twice, and all of them when the object was complete already.
    if (step < steps.length - 1) expect(sent).toBeLessThanOrEqual(partCount + 1);
  },
);
