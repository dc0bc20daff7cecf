import { expect, it } from 'vitest';
import { startIngestWorld } from '../ingest-world.ts';
import { useWorld } from '../../use-service.ts';

const world = useWorld(startIngestWorld);

let next = 0;
const newId = () => {
  next += 1;
  return `00000000-0000-4000-8000-${String(next).padStart(12, '0')}`;
};
async function send(type: 'session' | 'sessions', ...items: readonly Record<string, unknown>[]): Promise<void> {
  const body = `{}\n${items.map((item) => `{"type":"${type}"}\n${JSON.stringify(item)}\n`).join('')}`;
  expect((await world.send('envelope', body)).status).toBe(200);
}
const health = (release: string) =>
  world.rows(
    'SELECT sum(sessions) AS sessions, sum(crashed) AS crashed, sum(abnormal) AS abnormal, sum(errored) AS errored FROM release_days WHERE release = ?',
    release,
  )[0];
const users = (release: string) =>
  world.rows('SELECT crashed FROM release_users WHERE release = ? ORDER BY crashed', release);
const time = (seconds: number) => new Date(Date.now() - 60_000 + seconds * 1000).toISOString();
const session = (release: string, changes: Record<string, unknown>) => ({
  sid: newId(),
  started: time(0),
  timestamp: time(1),
  status: 'ok',
  errors: 0,
  did: 'u1',
  attrs: { release, environment: 'lab' },
  ...changes,
});

it('a session counts once, however many updates it has and however often they are sent', async () => {
  const one = session('a', { init: true });
  const updates = [
    one,
    { ...one, init: false, errors: 1, timestamp: time(2) },
    { ...one, init: false, errors: 1, status: 'exited', timestamp: time(3) },
  ];
  await send('session', ...updates);
  await send('session', ...updates);
  expect(health('a')).toEqual({ sessions: 1, crashed: 0, abnormal: 0, errored: 1 });
  expect(users('a')).toEqual([{ crashed: 0 }]);
});

it.each([
  ['exited', { sessions: 1, crashed: 0, abnormal: 0, errored: 0 }],
  ['crashed', { sessions: 1, crashed: 1, abnormal: 0, errored: 0 }],
  ['abnormal', { sessions: 1, crashed: 0, abnormal: 1, errored: 0 }],
  ['made-up', { sessions: 1, crashed: 0, abnormal: 0, errored: 0 }],
])('a session that %s', async (status, expected) => {
  const one = session(`ends ${status}`, { init: true, errors: 0 });
  await send('session', one, { ...one, init: false, status, timestamp: time(5) });
  expect(health(`ends ${status}`)).toEqual(expected);
});

it('an error that becomes a crash counts as a crash only, and for its user', async () => {
  const one = session('b', { init: true, errors: 1 });
  await send('session', one);
  expect(health('b')).toEqual({ sessions: 1, crashed: 0, abnormal: 0, errored: 1 });
  await send('session', { ...one, init: false, status: 'crashed', timestamp: time(2) });
  expect(health('b')).toEqual({ sessions: 1, crashed: 1, abnormal: 0, errored: 0 });
  expect(users('b')).toEqual([{ crashed: 1 }]);
});

it('updates in the wrong order change nothing, by sequence number or by time', async () => {
  const one = session('c', { init: true });
  await send('session', { ...one, init: false, status: 'crashed', seq: Date.now() }, one, {
    ...one,
    init: false,
    status: 'exited',
    seq: Date.now() - 1000,
  });
  expect(health('c')).toEqual({ sessions: 1, crashed: 1, abnormal: 0, errored: 0 });
});

it('counts aggregated by the sender are added', async () => {
  const attrs = { release: 'd', environment: 'lab' };
  await send('sessions', {
    attrs,
    aggregates: [
      { started: time(0), exited: 3, errored: 2 },
      { started: time(1), crashed: 1, did: 'u1' },
      { abnormal: -5, exited: 'x', crashed: 1e30 },
      null,
      7,
    ],
  });
  expect(health('d')).toEqual({ sessions: 6, crashed: 1, abnormal: 0, errored: 2 });
  expect(users('d')).toEqual([{ crashed: 1 }]);
});

it('sessions without a release are ignored, and unreadable ones are refused', async () => {
  const before = world.rows('SELECT 1 FROM release_sessions').length;
  await send('session', session('', {}), { ...session('x', {}), attrs: null });
  expect(world.rows('SELECT 1 FROM release_sessions')).toHaveLength(before);
  for (const body of ['{"sid":"nonsense","attrs":{"release":"x"}}', '[]', '{']) {
    expect((await world.send('envelope', `{}\n{"type":"session"}\n${body}\n`)).status).toBe(400);
  }
});

it('an unreadable session beside an event does not refuse the event', async () => {
  const id = newId().replaceAll('-', '');
  const { status, body } = await world.send(
    'envelope',
    `{"event_id":"${id}"}\n{"type":"session"}\n{\n{"type":"event"}\n{"message":"kept"}\n`,
  );
  expect({ status, body }).toEqual({ status: 200, body: { id } });
});

it('a clock that is years off does not add days of its own', async () => {
  await send(
    'session',
    session('e', { started: '2001-01-01T00:00:00Z' }),
    session('e', { started: '2099-01-01T00:00:00Z' }),
  );
  expect(world.rows('SELECT DISTINCT day FROM release_days WHERE release = ?', 'e')).toEqual([
    { day: Math.floor(Date.now() / 86_400_000) },
  ]);
});

it('a user has one digest in events and sessions, and it is keyed', async () => {
  await send('session', session('f', { did: 'alice' }));
  await world.send('store', JSON.stringify({ message: 'm', user: { id: 'alice' } }));
  const [row] = world.rows<{ same: number }>(
    'SELECT count(*) AS same FROM release_users JOIN error_users USING (user_hash) WHERE release = ?',
    'f',
  );
  expect(row?.same).toBe(1);
});
