import { spawn, type ChildProcess } from 'node:child_process';
import Database from 'better-sqlite3';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { webhookReceiver, type ReceivedMessage } from './receivers.ts';
import { ruleTo } from './rule-to.ts';

/** More kills than in every run, such as 100. */
const long = Number(process.env['LONG_NOTIFY_TEST'] ?? 0);
const kills = long > 0 ? long : 5;
const subjects = 12;
vi.setConfig({ testTimeout: long > 0 ? 3_600_000 : 240_000 });

let dir: string;
let child: ChildProcess;
let hook: Awaited<ReturnType<typeof webhookReceiver>>;

async function start(): Promise<void> {
  const script = path.join(import.meta.dirname, '../service-child.ts');
  const options = [path.join(dir, 'data'), path.join(dir, 'run/window.sock'), 'a-secret-of-this-test-launch'];
  child = spawn(process.execPath, [script, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout) await once(child.stdout, 'data');
}

async function kill(): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-notify-'));
  hook = await webhookReceiver();
  await start();
});
afterAll(async () => {
  await kill();
  await hook.end();
  await rm(dir, { recursive: true, force: true });
});

test(`through ${kills} kills each happening is told at least once, and those of a subject in their order`, async () => {
  await addRule();
  const database = new Database(path.join(dir, 'data/benchport.db'), { timeout: 10_000 });
  const happen = database.prepare(
    `INSERT INTO outbox (at, kind, subject, measurement_id, title) VALUES (?, 'degraded', ?, ?, ?)`,
  );
  let told = 0;
  // A receiver that is slow, so that kills find messages on their way.
  for (let round = 0; round < kills; round += 1) {
    // More than twenty at once, those included that a kill has repeated, would be told in one message that names twenty.
    for (let waited = 0; waited < 600 && told - seen().size > 6; waited += 1) await pause(100);
    for (let at = 0; at < 8; at += 1) {
      const subject = `s-${told % subjects}`;
      happen.run(Date.now(), subject, subject, `title ${told}`);
      told += 1;
      await pause(60);
    }
    await pause(300 + (round % 5) * 250);
    await kill();
    await start();
  }
  for (let waited = 0; waited < 600 && seen().size < told; waited += 1) await pause(100);
  database.close();
  expect(hook.received.filter(({ body }) => body.includes('"summary"'))).toEqual([]);
  const numbers = [...seen()].toSorted((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: told }, (_, at) => at));
  for (let subject = 0; subject < subjects; subject += 1) {
    const order = firsts().filter((number) => number % subjects === subject);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  }
  const delays = hook.received.flatMap(delaysOf).toSorted((a, b) => a - b);
  console.info(
    `${told} happenings through ${kills} kills in ${hook.received.length} messages; ms until they came: median ${delays[Math.floor(delays.length / 2)]}, p95 ${delays[Math.floor(delays.length * 0.95)]}, longest ${delays.at(-1)}`,
  );
});

/** Milliseconds from when something happened until its message came. */
function delaysOf({ body, at }: ReceivedMessage): readonly number[] {
  const { data } = JSON.parse(body) as { data: { at?: string } };
  return data.at === undefined ? [] : [at - Date.parse(data.at)];
}

/** The secret is sealed by the key file of the service, so the service makes the rule. */
async function addRule(): Promise<void> {
  const { asWindow } = await import('../as-window.ts');
  const window = { socketPath: path.join(dir, 'run/window.sock'), launchSecret: 'a-secret-of-this-test-launch' };
  const rule = ruleTo(hook.url, { everybody: true });
  expect(await asWindow(window, 'POST', '/api/v4/user/notifications', rule)).toMatchObject({ status: 201 });
}

function numbersIn({ body }: ReceivedMessage): readonly number[] {
  const { data } = JSON.parse(body) as { data: { title?: string; first?: readonly { title: string }[] } };
  return [...(data.first ?? []), data].flatMap(({ title }) =>
    title === undefined ? [] : [Number(title.replace('title ', ''))],
  );
}

/** Happenings in the order in which they came first. */
function firsts(): readonly number[] {
  return [...new Set(hook.received.flatMap(numbersIn))];
}

function seen(): ReadonlySet<number> {
  return new Set(firsts());
}
