import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import type { TestCluster } from './cluster.ts';

const small = randomBytes(40_000);
export const large = randomBytes(60_000_000);

export interface Prepared {
  readonly token: string;
  /** Path and query of the intake of events. */
  readonly intake: string;
}

/** Registers a measurement `run` of two files, and makes a token and a project that accepts events. */
export async function prepare(cluster: TestCluster): Promise<Prepared> {
  const folder = path.join(cluster.dir, 'measured');
  await mkdir(folder);
  await writeFile(path.join(folder, 'a.bin'), small);
  await writeFile(path.join(folder, 'b.bin'), large);
  await cluster.command(['measurement', 'register', folder, '--id', 'run', '--copy', '--owner', 'alice']);
  const scopes = ['--scopes', 'api,read_measurement'];
  const token = (await cluster.command(['token', 'create', '--user', 'alice', '--name', 'bench', ...scopes])).trim();
  const project = JSON.parse(await cluster.command(['project', 'create', 'scope', '--owner', 'alice', '--json'])) as {
    readonly id: number;
  };
  const changed = await fetch(`${cluster.url}/api/v4/projects/${project.id}/error_tracking/settings`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ active: true, integrated: true }),
  });
  expect(await changed.json()).toMatchObject({ active: true, integrated: true });
  const key = JSON.parse(await cluster.command(['key', 'create', '--project', 'scope'])) as {
    readonly sentry_dsn: string;
  };
  const dsn = new URL(key.sentry_dsn);
  const cut = dsn.pathname.lastIndexOf('/');
  const intake = `${dsn.pathname.slice(0, cut)}/api${dsn.pathname.slice(cut)}/envelope/?sentry_key=${dsn.username}`;
  return { token, intake };
}

/** An event with its id. @param noise random characters in it. */
export function envelope(noise = 0): { readonly id: string; readonly body: string } {
  const id = randomUUID().replaceAll('-', '');
  const extra = { noise: randomBytes(noise / 2).toString('hex') };
  const event = { event_id: id, level: 'error', message: 'The detector is blind', platform: 'other', extra };
  return { id, body: `${JSON.stringify({ event_id: id })}\n{"type":"event"}\n${JSON.stringify(event)}\n` };
}

/** Sends an event. @returns whether it was answered as stored. */
export async function sendEvent(
  base: string,
  { intake }: Prepared,
  signal?: AbortSignal,
): Promise<{ readonly id: string; readonly accepted: boolean }> {
  const { id, body } = envelope();
  const sent = await fetch(`${base}${intake}`, { method: 'POST', body, signal: signal ?? null }).catch(() => null);
  await sent?.arrayBuffer().catch(() => undefined);
  return { id, accepted: sent?.status === 200 };
}

/** Repeats requests in some lanes until told to stop. */
export function load(cluster: TestCluster, { token, intake }: Prepared) {
  const failed: string[] = [];
  const accepted: string[] = [];
  let done = 0;
  const stopping = new AbortController();
  const expectStatus = async (what: string, send: () => Promise<Response>, check: (body: Buffer) => boolean) => {
    try {
      const answer = await send();
      const body = Buffer.from(await answer.arrayBuffer());
      if (answer.status !== 200 || !check(body))
        failed.push(`${what}: ${answer.status} ${answer.ok ? '' : body.toString()}`);
      else done += 1;
      return answer.status === 200;
    } catch (error) {
      failed.push(`${what}: ${String(error instanceof Error ? (error.cause ?? error) : error)}`);
      return false;
    }
  };
  const headers = { authorization: `Bearer ${token}` };
  const get = async (method: 'GET' | 'HEAD') =>
    expectStatus(
      method,
      async () => fetch(`${cluster.url}/measurements/run/files/0`, { method, headers }),
      (body) => (method === 'HEAD' ? body.length === 0 : body.equals(small)),
    );
  const event = async () => {
    const { id, body } = envelope();
    const sent = await expectStatus(
      'event',
      async () => fetch(`${cluster.url}${intake}`, { method: 'POST', body }),
      () => true,
    );
    if (sent) accepted.push(id);
    // Without it a quick machine uses up the rate of a key.
    await setTimeout(40);
  };
  const lane = async (work: () => Promise<unknown>) => {
    while (!stopping.signal.aborted) await work();
  };
  const lanes = [...Array.from({ length: 4 }, async () => lane(async () => get('GET'))), lane(async () => get('HEAD'))];
  const running = Promise.all([...lanes, ...Array.from({ length: 3 }, async () => lane(event))]);
  return {
    accepted,
    done: () => done,
    stop: async () => {
      stopping.abort();
      await running;
      return { failed, done };
    },
  };
}

/** Ends a load of which no request may have failed, and no accepted event may be missing. */
export async function expectNoLoss(cluster: TestCluster, running: ReturnType<typeof load>): Promise<void> {
  // A busy machine needs longer for a load that says something.
  await expect.poll(running.done, { timeout: 60_000 }).toBeGreaterThan(50);
  const { failed } = await running.stop();
  // As text, of which the report shows each line.
  expect(failed.join('\n')).toBe('');
  expect(await lostEvents(cluster, running.accepted)).toEqual([]);
}

/** Of these events, those that are not stored. */
export async function lostEvents(cluster: TestCluster, accepted: readonly string[]): Promise<readonly string[]> {
  const stored = await cluster.database.query<{ id: string | Buffer }>('SELECT event_id AS id FROM error_events');
  const ids = new Set(stored.map(({ id }) => (Buffer.isBuffer(id) ? id.toString('hex') : id)));
  return accepted.filter((id) => !ids.has(id));
}
