import { describe, expect, it } from 'vitest';
import type { ServiceEvents } from '../../../../src-main/service/contract/events.ts';
import { sentEvent } from '../sent-event.ts';
import { useIngest } from './stored-scene.ts';

const scene = useIngest();
const { counted } = scene;

const errorOf = (id: string) =>
  scene.world.rows<{
    id: number;
    events: number;
    users: number;
    status: string;
    regressed_at: number | null;
    group_id: number;
  }>(
    `SELECT errors.*, group_id FROM errors JOIN error_groups ON error_id = errors.id JOIN error_events ON group_id = error_groups.id WHERE event_id = unhex(?)`,
    id,
  )[0];

describe('what is stored', () => {
  it('an id once in a project, however often and at once it comes', async () => {
    const one = sentEvent();
    const before = counted('duplicate') ?? 0;
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => scene.world.send('store', JSON.stringify(one))),
    );
    expect(answers.map((answer) => [answer.status, answer.body])).toEqual(
      answers.map(() => [200, { id: one.event_id }]),
    );
    expect(errorOf(one.event_id)?.events).toBe(1);
    expect(counted('duplicate')).toBe(before + 19);
  });

  it('a burst of one new error makes one error', async () => {
    const many = Array.from({ length: 30 }, () => sentEvent({ message: 'the same for all' }));
    await Promise.all(many.map(async (one) => scene.world.send('store', JSON.stringify(one))));
    expect(new Set(many.map((one) => errorOf(one.event_id)?.id)).size).toBe(1);
    expect(errorOf(many[0]?.event_id ?? '')?.events).toBe(30);
  });

  it('each user once: by id, else name, e-mail, address', async () => {
    const users = [
      { id: 1 },
      { id: '1', email: 'a@b' },
      { id: 2 },
      { username: 'alice' },
      { username: 'alice', email: 'x@y' },
      { email: 'x@y' },
      { ip_address: '192.0.2.1' },
      {},
      null,
    ];
    const ids = [];
    for (const user of users) {
      const one = sentEvent({ message: 'whom it hit', user });
      ids.push(one.event_id);
      await scene.world.send('store', JSON.stringify(one));
    }
    expect(errorOf(ids[0] ?? '')).toMatchObject({ events: users.length, users: 5 });
  });

  it('hours, tags, releases and the title of the newest', async () => {
    const exception = (value: string) => ({
      values: [
        { type: 'LabError', value, stacktrace: { frames: [{ function: 'measure', module: 'bench', in_app: true }] } },
      ],
    });
    const older = sentEvent({
      message: undefined,
      exception: exception('first'),
      release: '1',
      environment: 'lab',
      tags: { bench: 'A' },
    });
    const newer = sentEvent({
      message: undefined,
      exception: exception('second'),
      release: '2',
      environment: 'lab',
      tags: { bench: 'B' },
      level: 'fatal',
    });
    for (const one of [older, newer]) await scene.world.send('store', JSON.stringify(one));
    const error = errorOf(newer.event_id);
    expect(error).toMatchObject({
      type: 'LabError',
      value: 'second',
      culprit: 'measure(bench)',
      level: 'fatal',
      first_release: '1',
      last_release: '2',
      events: 2,
    });
    expect(scene.world.rows('SELECT sum(events) AS n FROM error_hours WHERE group_id = ?', error?.group_id)).toEqual([
      { n: 2 },
    ]);
    expect(
      scene.world.rows(
        "SELECT tag, value, events FROM error_tags WHERE group_id = ? AND tag IN ('bench', 'environment') ORDER BY tag, value",
        error?.group_id,
      ),
    ).toEqual([
      { tag: 'bench', value: 'A', events: 1 },
      { tag: 'bench', value: 'B', events: 1 },
      { tag: 'environment', value: 'lab', events: 2 },
    ]);
    expect(
      scene.world.rows(
        'SELECT hex(event_id) AS id FROM error_groups JOIN error_events ON error_events.id = first_event_id WHERE error_groups.id = ?',
        error?.group_id,
      ),
    ).toEqual([{ id: older.event_id.toUpperCase() }]);
  });

  it('no more than a thousand values of a tag in a group; known ones are counted on', async () => {
    const ids = Array.from({ length: 1010 }, () => sentEvent({ message: 'many values' }));
    for (let at = 0; at < ids.length; at += 101) {
      await Promise.all(
        ids
          .slice(at, at + 101)
          .map(async (one, index) =>
            scene.world.send('store', JSON.stringify({ ...one, tags: { request: at + index, bench: 'A' } })),
          ),
      );
    }
    const group = errorOf(ids[0]?.event_id ?? '')?.group_id;
    expect(
      scene.world.rows(
        'SELECT tag, count(*) AS n, max(events) AS events FROM error_tags WHERE group_id = ? AND tag IN (?, ?) GROUP BY tag ORDER BY tag',
        group,
        'bench',
        'request',
      ),
    ).toEqual([
      { tag: 'bench', n: 1, events: 1010 },
      { tag: 'request', n: 1000, events: 1 },
    ]);
  });

  it('a resolved error comes back with a younger event, not with an older one; an ignored one does not', async () => {
    const heard: ServiceEvents['new-error'][] = [];
    const stop = scene.world.service.services.events.subscribe((name, what) => {
      if (name === 'new-error') heard.push(what as ServiceEvents['new-error']);
    });
    const again = async (timestamp: number) => {
      const one = sentEvent({ message: 'it comes back', timestamp });
      await scene.world.send('store', JSON.stringify(one));
      return errorOf(one.event_id);
    };
    const error = await again(Date.now() / 1000);
    const set = (status: string, at: number | null) =>
      scene.world.database
        .prepare('UPDATE errors SET status = ?, resolved_at = ?, regressed_at = NULL WHERE id = ?')
        .run(status, at, error?.id);
    const resolvedAt = Date.now() - 60_000;
    set('resolved', resolvedAt);
    expect(await again((resolvedAt - 5000) / 1000)).toMatchObject({
      status: 'resolved',
      regressed_at: null,
      events: 2,
    });
    expect(await again((resolvedAt + 5000) / 1000)).toMatchObject({
      status: 'unresolved',
      regressed_at: expect.any(Number),
      events: 3,
    });
    set('ignored', null);
    expect(await again(Date.now() / 1000)).toMatchObject({ status: 'ignored', regressed_at: null, events: 4 });
    stop();
    expect(heard.map((one) => [one.kind, one.error_id, one.title])).toEqual([
      ['new', String(error?.id), 'it comes back'],
      ['regressed', String(error?.id), 'it comes back'],
    ]);
  });

  it('those who listen hear of many events twice a second at most', async () => {
    let heard = 0;
    const stop = scene.world.service.services.events.subscribe((name, what) => {
      if (name === 'changed' && 'topic' in what && what.topic === 'errors') heard += 1;
    });
    const started = performance.now();
    for (let count = 0; count < 40; count += 1)
      await scene.world.send('store', JSON.stringify(sentEvent({ message: 'loop' })));
    // A fast machine has sent them all before it is told of the first.
    await expect.poll(() => heard).toBeGreaterThan(0);
    const seconds = (performance.now() - started) / 1000;
    stop();
    expect(heard).toBeLessThanOrEqual(2 + Math.ceil(seconds * 2));
  });
});

it('a large event is stored like any other, from its own thread', async () => {
  const extra = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`k${index}`, { text: 'x'.repeat(900) }]));
  const one = sentEvent({ extra });
  expect((await scene.world.send('store', JSON.stringify(one))).status).toBe(200);
  expect(scene.world.event(one.event_id)?.extra).toEqual(extra);
  expect((await scene.world.send('store', `${' '.repeat(200_000)}[]`)).status).toBe(400);
});
