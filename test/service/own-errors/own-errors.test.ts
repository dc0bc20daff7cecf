import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ErrorDetail, ErrorEventPage, ErrorPage } from '../../../src-main/service/contract/errors.ts';
import type { OwnErrorsState } from '../../../src-main/service/contract/own-errors.ts';
import { ownError } from '../../../src-main/service/own-errors/error-payload.ts';
import { stackFrames } from '../../../src-main/service/diagnostics/stack-frames.ts';
import { commandLine } from '../../cli/command-line.ts';
import { asWindow } from '../as-window.ts';
import { startTestService } from '../start.ts';
import { useTestService } from '../use-service.ts';

const secret = 'bppat-7Yk2mQ9xV4cTz8WfR1nLb6HsJ3pDg5Ae0uK7iX';
const lines: string[] = [];
const service = useTestService({ logLevel: 'error', log: { write: (line) => void lines.push(line) } });
let admin: string;

beforeAll(async () => {
  admin = await service.token(await service.user('alice', true), ['api']);
});

async function api<T>(url: string, init: RequestInit = {}): Promise<T> {
  const answer = await fetch(service.url + url, {
    ...init,
    headers: { 'private-token': admin, 'content-type': 'application/json' },
  });
  if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}`);
  return (await answer.json()) as T;
}

const change = async (on: boolean) =>
  api<OwnErrorsState>('/api/v4/application/own_errors', { method: 'PUT', body: JSON.stringify({ on }) });
const errorsOf = async (project: number) => (await api<ErrorPage>(`/api/v4/projects/${project}/errors?query=`)).errors;
const counted = (outcome: string) =>
  service.services.counters
    .families()
    .find(({ name }) => name === 'benchport_own_errors_total')
    ?.samples.find(({ labels }) => labels['outcome'] === outcome)?.value ?? 0;

/** A request that fails as a program error would make it fail. */
async function fail(message = `cannot read ${service.dir}/alice/raw.bin with ${secret}`): Promise<Response> {
  const { measurements } = service.services;
  const before = measurements.byId.bind(measurements);
  measurements.byId = async () => {
    throw new TypeError(message, { cause: new RangeError('too far') });
  };
  try {
    return await fetch(`${service.url}/api/v4/measurements/qmr-1`, { headers: { 'private-token': admin } });
  } finally {
    measurements.byId = before;
  }
}

describe('while it is off', () => {
  test('errors are logged and not recorded', async () => {
    expect(await api<OwnErrorsState>('/api/v4/application/own_errors')).toEqual({ on: false, project: null });
    expect((await fail()).status).toBe(500);
    await expect.poll(() => counted('off'), { timeout: 20_000 }).toBeGreaterThan(0);
    expect(await service.services.projects.byPath('benchport')).toBeNull();
    expect(lines.some((line) => line.includes('unexpected failure'))).toBe(true);
  });

  test('only an administrator switches it on', async () => {
    const bob = await service.token(await service.user('bob'), ['api']);
    const answer = await fetch(`${service.url}/api/v4/application/own_errors`, {
      method: 'PUT',
      headers: { 'private-token': bob, 'content-type': 'application/json' },
      body: '{"on":true}',
    });
    expect(answer.status).toBe(403);
  });
});

describe('switched on', () => {
  let project: number;
  beforeAll(async () => {
    // The name is taken by another user's project.
    await service.services.projects.create('benchport', 'Somebody’s');
    const state = await change(true);
    expect(state).toMatchObject({ on: true, project: { path: 'benchport-2' } });
    project = state.project?.id ?? 0;
  });

  test('a failing request is one error, however often it fails, with its frames and without secrets or paths', async () => {
    for (let time = 0; time < 3; time += 1) expect((await fail()).status).toBe(500);
    await expect.poll(async () => (await errorsOf(project))[0]?.events, { timeout: 20_000 }).toBe(3);
    const [error, ...others] = await errorsOf(project);
    expect(others).toEqual([]);
    expect(error).toMatchObject({ type: 'TypeError', level: 'error' });
    const detail = await api<ErrorDetail>(`/api/v4/projects/${project}/errors/${error?.id}`);
    expect(JSON.stringify(detail)).toContain('benchport@0.0.0-test');
    const { event } = await api<ErrorEventPage>(`/api/v4/projects/${project}/errors/${error?.id}/events/latest`);
    const text = JSON.stringify(event);
    expect(event.exceptions.map(({ type }) => type)).toEqual(['RangeError', 'TypeError']);
    expect(event.exceptions[1]?.value).toBe('cannot read [path] with [removed]');
    expect(text).toContain('own-errors.test.ts');
    for (const held of [secret, service.dir, process.cwd(), 'alice']) expect(text).not.toContain(held);
    expect(event.user).toBeNull();
  });

  test('only administrators see the errors', async () => {
    const carol = await service.token(await service.user('carol'), ['api']);
    expect(
      (await fetch(`${service.url}/api/v4/projects/${project}/errors`, { headers: { 'private-token': carol } })).status,
    ).toBe(404);
  });

  test('the window reports over the private listener, and nobody else can report', async () => {
    const body = {
      part: 'page',
      level: 'error',
      type: 'TypeError',
      message: 'x is undefined',
      stack: `TypeError: x\n    at show (app://local/assets/index-1.js:3:7)`,
      during: 'a page',
    };
    expect((await asWindow(service, 'POST', '/api/v4/local/own-errors', body)).status).toBe(202);
    expect(
      (
        await fetch(`${service.url}/api/v4/local/own-errors`, {
          method: 'POST',
          headers: { 'private-token': admin, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).status,
    ).toBe(404);
    await expect
      .poll(async () => (await errorsOf(project)).map(({ value }) => value), { timeout: 20_000 })
      .toContain('x is undefined');
  });

  test('a failed job is one error, named by its kind only', async () => {
    const folder = path.join(service.dir, 'alice');
    await mkdir(folder);
    for (const name of ['raw.bin', 'RAW.bin']) await writeFile(path.join(folder, name), name);
    expect((await asWindow(service, 'POST', '/api/v4/local/registrations', { path: folder, id: 'qmr-9' })).status).toBe(
      202,
    );
    await expect
      .poll(async () => (await errorsOf(project)).map(({ value }) => value), { timeout: 20_000 })
      .toContain('A job failed: register');
    const text = JSON.stringify(await errorsOf(project));
    for (const name of ['raw.bin', 'qmr-9', 'alice']) expect(text).not.toContain(name);
  });

  test('an error while recording is only logged', async () => {
    const { errorEvents } = service.services;
    const before = errorEvents.add.bind(errorEvents);
    let tries = 0;
    errorEvents.add = async () => {
      tries += 1;
      throw new Error('disk full');
    };
    try {
      expect((await fail('another fault')).status).toBe(500);
      await expect.poll(() => counted('failed'), { timeout: 20_000 }).toBe(1);
      // By then any consequence of the failure has run.
      expect((await fail('another fault')).status).toBe(500);
      await expect.poll(() => counted('failed'), { timeout: 20_000 }).toBe(2);
      expect(tries).toBe(2);
    } finally {
      errorEvents.add = before;
    }
  });

  test('of an endless loop of errors the first thirty are recorded', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, async () =>
        service.services.ownErrors.record(
          ownError(new Error('loop'), { source: 'service', during: 'a loop', level: 'error' }),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'recorded').length).toBeLessThanOrEqual(31);
    expect(outcomes.at(-1)).toBe('limited');
  });

  test('switched off again, recording stops, and recorded errors stay', async () => {
    expect(await change(false)).toEqual({ on: false, project: null });
    const before = await errorsOf(project);
    expect(
      await service.services.ownErrors.record(
        ownError(new Error('later'), { source: 'service', during: 'x', level: 'error' }),
      ),
    ).toBe('off');
    expect(await errorsOf(project)).toEqual(before);
  });
});

test('a crash is saved by the ending process, and recorded by the next one', async () => {
  const cli = await commandLine();
  const startHere = async () => startTestService({ dataDir: cli.dataDir });
  let here = await startHere();
  try {
    const headers = {
      'private-token': await here.token(await here.user('alice', true), ['api']),
      'content-type': 'application/json',
    };
    const switched = await fetch(`${here.url}/api/v4/application/own_errors`, {
      method: 'PUT',
      headers,
      body: '{"on":true}',
    });
    const { project } = (await switched.json()) as OwnErrorsState;
    await here.end();
    const crash = `process.on('SIGUSR2', () => { throw new TypeError('broken with ${secret}') })`;
    const other = await cli.serve([], { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(crash)}` });
    other.kill('SIGUSR2');
    expect((await other.ended).code).not.toBe(0);
    expect(await readFile(path.join(cli.dataDir, 'logs', 'service.log'), 'utf8')).toContain(
      'the service ends unexpectedly',
    );
    here = await startHere();
    await expect
      .poll(async () => (await fetch(`${here.url}/api/v4/projects/${project?.id}/errors?query=`, { headers })).text(), {
        timeout: 20_000,
      })
      .toContain('"value":"broken with [removed]"');
  } finally {
    await here.end();
    await cli.end();
  }
});

test('frames are read from every format of stack', () => {
  const stack = [
    'TypeError: no',
    '    at show (/home/alice/benchport/out/service/service.js:12:34)',
    '    at async Promise.all (index 0)',
    '    at node:internal/process/task_queues:103:5',
    '    at file:///opt/b/src-main/x.ts:1:2',
    '    at C:\\Users\\alice\\b\\out\\main\\index.js:5:6',
    'render@app://local/assets/index-9.js:7:8',
  ].join('\n');
  expect(
    stackFrames(stack)
      .toReversed()
      .map(({ function: name, filename, lineno, in_app: own }) => [name, filename, lineno, own]),
  ).toEqual([
    ['show', 'out/service/service.js', 12, true],
    ['<anonymous>', 'node:internal/process/task_queues', 103, false],
    ['<anonymous>', 'src-main/x.ts', 1, true],
    ['<anonymous>', 'out/main/index.js', 5, true],
    ['render', 'assets/index-9.js', 7, true],
  ]);
});
