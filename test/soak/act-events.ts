import { randomBytes, randomInt } from 'node:crypto';
import { sendOnce } from './ask.ts';
import { oneOf, pause, type World } from './world.ts';

const types = ['DetectorTimeout', 'ValveStuck', 'FileNotFoundError', 'TypeError'];

/** Sends events of SDKs: usually a few, at times a burst. Confirmed ones are recorded. */
export async function sendEvents(world: World): Promise<void> {
  const storm = randomInt(20) === 0;
  await Promise.all(Array.from({ length: storm ? 60 : randomInt(1, 5) }, async () => sendOne(world)));
  await pause(storm ? 500 : 30, storm ? 1500 : 200);
}

async function sendOne(world: World): Promise<void> {
  const { project, record, main, acceptedEvents } = world;
  const id = randomBytes(16).toString('hex');
  const event = JSON.stringify({
    event_id: id,
    platform: 'python',
    level: 'error',
    release: `qmr@1.4.${randomInt(5)}`,
    user: { id: String(randomInt(500)) },
    tags: { bench: String(randomInt(8)) },
    exception: {
      values: [
        {
          type: oneOf(types),
          value: `after ${randomInt(1000)} ms`,
          stacktrace: {
            frames: [{ function: `step_${randomInt(20)}`, filename: 'bench/acquire.py', lineno: 42, in_app: true }],
          },
        },
      ],
    },
  });
  const from = performance.now();
  await record.attempt('event', async () => {
    const envelope = randomInt(2) === 0;
    const body = envelope
      ? `${JSON.stringify({ event_id: id })}\n${JSON.stringify({ type: 'event', length: Buffer.byteLength(event) })}\n${event}\n`
      : event;
    const reply = await sendOnce(
      main,
      `/api/v4/error_tracking/collector/api/${project.id}/${envelope ? 'envelope' : 'store'}/?sentry_key=${project.key}`,
      {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/octet-stream' },
      },
    );
    record.expect(reply, from, 200, 429);
    if (reply.status === 200) acceptedEvents.push(id);
    else record.count(record.wasFull(from) ? 'event refused while the disk was full' : 'event refused for now');
  });
}
