import { fork } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ask } from './ask.ts';
import { SoakRecord } from './record.ts';
import { ServiceProcess } from './service-process.ts';
import { newLedger, register, settle, someFiles } from './world.ts';

export interface AttackReport {
  readonly seconds: number;
  /** Milliseconds until `/-/health` was answered: in the middle, and at most. */
  readonly health: { readonly asked: number; readonly median: number; readonly most: number; readonly failed: number };
  /** MiB of RAM. */
  readonly memory: { readonly before: number; readonly most: number; readonly after: number };
  /** MiB a minute by which the database grew, after the first minute. */
  readonly growth: number;
  readonly troubles: readonly string[];
}

const mebibyte = 1024 * 1024;
const most = { healthMs: 1000, memory: 400, growth: 1 };
const pauseMs = 200;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** An attacker beside a built service: unfinished requests, slow readers, hostile events, tiny ranges. It must answer, stay small, and write little. */
export async function attack({ minutes, entry }: { readonly minutes: number; readonly entry: string }): Promise<AttackReport> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-attack-'));
  const main = new ServiceProcess('main', dir, entry);
  const record = new SoakRecord([main]);
  try {
    const people = await settle(main, newLedger());
    await main.start();
    await register({ main, record, dir }, 'soak-large', someFiles(1, 64_000_000, 64_000_000), false);
    const before = rssOf(main);
    const { pid } = main;
    const attacker = fork(path.resolve(import.meta.dirname, 'attacker.ts'), [main.url, people.token, String(people.project.id), people.project.key]);
    const seen = await watch(main, minutes * 60_000);
    attacker.kill('SIGKILL');
    await wait(15_000);
    const after = rssOf(main);
    const troubles = [
      ...record.troubles.map(({ what, detail }) => `${what}: ${detail}`),
      ...main.errorLines.map(({ text }) => text.slice(0, 300)),
      ...(main.pid === pid && after > 0 ? [] : ['the service ended']),
      ...(seen.health.failed === 0 ? [] : [`${seen.health.failed} of ${seen.health.asked} questions for the health were not answered`]),
      ...(seen.health.most < most.healthMs ? [] : [`the health was answered after ${Math.round(seen.health.most)} ms`]),
      ...(seen.mostMemory < most.memory ? [] : [`${Math.round(seen.mostMemory)} MiB of memory`]),
      ...(seen.growth < most.growth ? [] : [`the database grew by ${seen.growth.toFixed(2)} MiB a minute`]),
    ];
    return { seconds: Math.round(minutes * 60), health: seen.health, memory: { before, most: seen.mostMemory, after }, growth: seen.growth, troubles };
  } finally {
    main.kill();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function watch(main: ServiceProcess, forMs: number) {
  const times: number[] = [];
  const end = performance.now() + forMs;
  const warmBy = performance.now() + Math.min(60_000, forMs / 2);
  let [failed, mostMemory] = [0, 0];
  let first: { readonly at: number; readonly bytes: number } | null = null;
  while (performance.now() < end) {
    const asked = performance.now();
    const status = await ask(main, '/-/health').then(
      (reply) => reply.status,
      () => 0,
    );
    if (status !== 200) failed += 1;
    times.push(performance.now() - asked);
    mostMemory = Math.max(mostMemory, rssOf(main));
    if (first === null && asked >= warmBy) first = { at: asked, bytes: await databaseBytes(main) };
    await wait(pauseMs);
  }
  const minutes = (performance.now() - (first?.at ?? 0)) / 60_000;
  const growth = ((await databaseBytes(main)) - (first?.bytes ?? 0)) / mebibyte / minutes;
  const sorted = times.toSorted((a, b) => a - b);
  return { health: { asked: times.length, median: sorted[Math.floor(sorted.length / 2)] ?? 0, most: sorted.at(-1) ?? 0, failed }, mostMemory, growth };
}

function rssOf(service: ServiceProcess): number {
  return (service.usage()?.rss ?? 0) / mebibyte;
}

// Without the log, which is as long as between two checkpoints and no longer.
async function databaseBytes({ dataDir }: ServiceProcess): Promise<number> {
  return (await stat(path.join(dataDir, 'benchport.db'))).size;
}
