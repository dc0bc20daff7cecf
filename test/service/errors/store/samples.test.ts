import { expect, it } from 'vitest';
import { startIngestWorld } from '../ingest-world.ts';
import { useWorld } from '../../use-service.ts';

const world = useWorld(startIngestWorld);
let next = 0;

const text = Array.from({ length: 60 }, (_, place) => `line ${place * 7919} of the source`);
const event = (type: string, step: number) => ({
  platform: 'python',
  exception: {
    values: [
      {
        type,
        value: 'no signal',
        stacktrace: { frames: [{ function: 'f', module: 'station', in_app: true, pre_context: text.slice(0, 40) }] },
      },
    ],
  },
  extra: { step, text: text.slice(40).join() },
});

async function send(body: unknown): Promise<string> {
  next += 1;
  const id = next.toString(16).padStart(32, '0');
  const answer = await world.send('store', JSON.stringify({ ...(body as object), event_id: id }));
  expect(answer.status).toBe(200);
  return id;
}

const stored = (id: string) =>
  world.rows<{ bytes: number; form: string }>(
    'SELECT length(payload) AS bytes, hex(substr(payload, 1, 1)) AS form FROM error_events WHERE event_id = unhex(?)',
    id,
  )[0];
const samples = () =>
  world.rows<{ group_id: number; bytes: number }>(
    'SELECT group_id, length(payload) AS bytes FROM error_samples ORDER BY group_id',
  );

it('events of a group are stored as differences to its first, and each is shown in full', async () => {
  const ids = [await send(event('Alike', 1)), await send(event('Alike', 2)), await send(event('Alike', 3))];
  expect(samples()).toHaveLength(1);
  expect(ids.map(stored)).toEqual([
    { bytes: 1, form: '04' },
    expect.objectContaining({ form: '03' }),
    expect.objectContaining({ form: '03' }),
  ]);
  expect(stored(ids[1] ?? '')?.bytes).toBeLessThan((samples()[0]?.bytes ?? 0) / 4);
  expect(ids.map((id) => world.event(id)?.extra['step'])).toEqual([1, 2, 3]);
  expect(world.event(ids[2] ?? '')?.exceptions[0]?.frames[0]?.pre_context).toEqual(text.slice(0, 40));
});

it('a group older than dictionaries gets one with its next event, and its events stay readable', async () => {
  const old = await send(event('Older', 1));
  // Stored without a dictionary, as then.
  world.database.exec(
    "UPDATE error_events SET payload = (SELECT payload FROM error_samples WHERE error_samples.group_id = error_events.group_id) WHERE payload = x'04'",
  );
  world.database.exec('DELETE FROM error_samples');
  const ids = [await send(event('Older', 2)), await send(event('Older', 3))];
  expect([old, ...ids].map((id) => stored(id)?.form)).toEqual(['02', '04', '03']);
  expect([old, ...ids].map((id) => world.event(id)?.extra['step'])).toEqual([1, 2, 3]);
});

it('a removed error starts over with a new dictionary, and leaves nothing behind', async () => {
  await send(event('Removed', 1));
  await send(event('Removed', 2));
  const [error] = world.rows<{ id: number; group_id: number }>(
    "SELECT errors.id, error_groups.id AS group_id FROM errors JOIN error_groups ON error_id = errors.id WHERE type = 'Removed'",
  );
  while (!(await world.service.services.errorChanges.removeSome(world.projectId, error?.id ?? 0)));
  expect(samples().some(({ group_id }) => group_id === error?.group_id)).toBe(false);
  const ids = [await send(event('Removed', 3)), await send(event('Removed', 4))];
  expect(ids.map((id) => stored(id)?.form)).toEqual(['04', '03']);
  expect(ids.map((id) => world.event(id)?.extra['step'])).toEqual([3, 4]);
});

it('events of a group whose dictionary is damaged are stored', async () => {
  const first = await send(event('Damaged', 1));
  world.database
    .prepare(
      `UPDATE error_samples SET payload = x'02ffff' WHERE group_id = (SELECT group_id FROM error_events WHERE event_id = unhex(?))`,
    )
    .run(first);
  const id = await send(event('Damaged', 2));
  expect(stored(id)?.form).toBe('02');
  expect(world.event(id)?.extra['step']).toBe(2);
});
