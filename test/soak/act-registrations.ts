import { randomInt } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { sendOnce } from './ask.ts';
import { oneOf, pause, register, someFiles, type World } from './world.ts';

const maxRegistered = 12;
let number = 0;

/** Registers measurements, and removes old ones. */
export async function registerAndRemove(world: World): Promise<void> {
  const { main, record, registered, removed } = world;
  number += 1;
  const made = await register(
    world,
    `soak-new-${number}`,
    someFiles(randomInt(3, 20), 100, 60_000),
    randomInt(2) === 0,
  );
  if (made) registered.push(made);
  if (registered.length > maxRegistered) {
    const old = registered.shift();
    if (!old) return;
    const from = performance.now();
    await record.attempt('removal', async () => {
      // From now on its presence is not expected, whatever the outcome of the request.
      removed.add(old.id);
      const reply = await sendOnce(main, `/api/v4/measurements/${old.id}`, { method: 'DELETE', window: true });
      record.expect(reply, from, 204);
      await rm(path.join(world.dir, 'instrument', old.id), { recursive: true });
    });
  }
  await pause(500, 2500);
}

const maxFetchMs = 240_000;

/**
 * The other service fetches from the first, over every kill of either, and has the right bytes in
 * the end.
 */
export function fetchFromMain(serverId: number): (world: World) => Promise<void> {
  return async (world) => {
    const { other, record, dir } = world;
    const measurement = oneOf(world.measurements);
    number += 1;
    const target = path.join(dir, 'fetched', String(number));
    const { mkdir } = await import('node:fs/promises');
    await mkdir(target, { recursive: true });
    const begun = await record.attempt('fetch begun', async () => {
      const body = JSON.stringify({ server_id: serverId, measurement_id: measurement.id, what: 'files', target });
      const reply = await sendOnce(other, '/api/v4/local/fetches', { method: 'POST', window: true, body });
      if (reply.status !== 202)
        throw new Error(`a fetch was answered with ${reply.status}: ${reply.body.toString().slice(0, 200)}`);
      return JSON.parse(reply.body.toString()) as { readonly id: number };
    });
    if (begun) {
      const state = await fetchEnds(world, begun.id);
      record.promise(
        'What was answered 2xx is on disk',
        state === 'done',
        `fetch ${begun.id} was answered with 202 and is ${state}`,
      );
      if (state === 'done') {
        for (const file of measurement.files) {
          const bytes = await readFile(path.join(target, measurement.id, file.path)).catch(() => null);
          record.promise(
            'What is fetched is proven',
            bytes?.equals(file.bytes) ?? false,
            `${measurement.id}/${file.path} was fetched wrongly`,
          );
        }
        record.count('fetch done');
        await record.attempt('fetch forgotten', async () =>
          sendOnce(other, '/api/v4/local/fetches/actions', {
            method: 'POST',
            window: true,
            body: JSON.stringify({ action: 'remove', ids: [begun.id] }),
          }),
        );
      }
    }
    await rm(target, { recursive: true, force: true });
    await pause(500, 2000);
  };
}

async function fetchEnds({ other, record }: World, id: number): Promise<string> {
  const end = performance.now() + maxFetchMs;
  let state = 'unknown';
  while (performance.now() < end) {
    const reply = await record.attempt('fetch looked at', async () =>
      sendOnce(other, `/api/v4/local/fetches/${id}`, { window: true }),
    );
    if (reply?.status === 200) ({ state } = JSON.parse(reply.body.toString()) as { readonly state: string });
    if (['done', 'failed', 'cancelled'].includes(state)) return state;
    // Retried as its user would, instead of waiting for the automatic retry.
    if (state === 'waiting' || state === 'asking')
      await record.attempt('fetch resumed', async () =>
        sendOnce(other, '/api/v4/local/fetches/actions', {
          method: 'POST',
          window: true,
          body: JSON.stringify({ action: 'resume', ids: [id] }),
        }),
      );
    await pause(200, 600);
  }
  return state;
}
