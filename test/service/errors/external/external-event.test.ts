import { expect, test } from 'vitest';
import { connectedBackend, externalWorld } from './external-world.ts';
import { sendJson } from './sentry-double.ts';

const world = externalWorld();
const backend = async () => connectedBackend(world);

test('an external backend gives an event in our format, with its neighbours', async () => {
  const frame = (n: number, inApp: boolean) => ({
    filename: 'bench.py',
    absPath: '/opt/bench.py',
    module: 'bench',
    function: `f${n}`,
    lineNo: 10 + n,
    colNo: null,
    inApp,
    context: [
      [9 + n, 'before\n'],
      [10 + n, 'here'],
      [11 + n, null],
    ],
    vars: { volts: 3 },
  });
  const event = {
    id: 'x',
    eventID: '0123456789abcdef0123456789ABCDEF',
    groupID: '7',
    dateCreated: '2026-08-28T12:30:00Z',
    dateReceived: '2026-08-28T12:30:05Z',
    platform: 'python',
    culprit: 'measure',
    entries: [
      {
        type: 'exception',
        data: {
          values: [
            { type: 'KeyError', value: 'k', module: null, mechanism: { handled: true }, stacktrace: null },
            {
              type: 'ValueError',
              value: 'no signal',
              mechanism: { handled: false, synthetic: true },
              stacktrace: { frames: [frame(1, false), frame(2, true)] },
            },
          ],
        },
      },
      {
        type: 'breadcrumbs',
        data: {
          values: [
            {
              timestamp: '2026-08-28T12:29:00Z',
              type: 'default',
              category: 'log',
              level: 'info',
              message: 'on',
              data: null,
            },
          ],
        },
      },
      { type: 'request', data: { url: 'https://bench.example/', method: 'GET' } },
      null,
    ],
    tags: [
      { key: 'environment', value: 'lab' },
      { key: 'level', value: 'fatal' },
      { key: 'server_name', value: 'bench-7' },
    ],
    user: { id: 12, username: null, email: 'alice@bench.example', ip_address: null, data: { desk: 3 } },
    contexts: { os: { name: 'Linux' } },
    context: { run: 114 },
    packages: { numpy: '2.0', odd: 3 },
    sdk: { name: 'sentry.python', version: '1.21.0' },
    release: { version: 'bench@1.0' },
    fingerprints: ['abc'],
    previousEventID: '11111111111111111111111111111111',
    nextEventID: null,
  };
  world.sentry.answer = (_one, response) => sendJson(response, event);
  const page = await (await backend()).event('7', 'latest');
  expect(page).toMatchObject({ previous: '11111111111111111111111111111111', next: null, position: null, of: null });
  expect(page.event).toMatchObject({
    event_id: '0123456789abcdef0123456789abcdef',
    occurred_at: '2026-08-28T12:30:00.000Z',
    received_at: '2026-08-28T12:30:05.000Z',
    level: 'fatal',
    environment: 'lab',
    release: 'bench@1.0',
    server_name: 'bench-7',
    transaction: 'measure',
    message: null,
    request: { url: 'https://bench.example/', method: 'GET' },
    user: { id: '12', username: null, email: 'alice@bench.example', ip_address: null, more: { data: { desk: 3 } } },
    contexts: { os: { name: 'Linux' } },
    extra: { run: 114 },
    modules: { numpy: '2.0' },
    sdk: { name: 'sentry.python', version: '1.21.0' },
    breadcrumbs: [{ timestamp: '2026-08-28T12:29:00.000Z', message: 'on', data: null }],
  });
  expect(
    page.event.exceptions.map(({ type, handled, synthetic, frames }) => [type, handled, synthetic, frames.length]),
  ).toEqual([
    ['KeyError', true, false, 0],
    ['ValueError', false, true, 2],
  ]);
  expect(page.event.exceptions[1]?.frames[1]).toEqual({
    function: 'f2',
    module: 'bench',
    filename: 'bench.py',
    abs_path: '/opt/bench.py',
    line: 12,
    column: null,
    in_app: true,
    pre_context: ['before\n'],
    context_line: 'here',
    post_context: [''],
    vars: { volts: 3 },
  });
  await (await backend()).event('7', 'oldest');
  await (await backend()).event('7', event.eventID.toLowerCase());
  expect(world.sentry.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(
    ['latest', 'oldest', event.eventID.toLowerCase()].map(
      (which) => `GET /api/0/organizations/lab/issues/7/events/${which}/`,
    ),
  );
});
