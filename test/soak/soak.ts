import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  downloadArchive,
  downloadFile,
  downloadRange,
  leaveAndResume,
  readSlowly,
  revokeWhileSending,
} from './act-downloads.ts';
import { sendEvents } from './act-events.ts';
import { sendNonsense, signInAndOut, softwareSignsIn } from './act-people.ts';
import { fetchFromMain, registerAndRemove } from './act-registrations.ts';
import { sendOnce } from './ask.ts';
import { Attack, type AttackReport } from './attack.ts';
import { damageable, damageLibrary, fillDisk, killOne, smallDisk } from './faults.ts';
import { explainLines, judgePromises, judgeSecrets } from './judge.ts';
import { MemoryWatch, type MemoryVerdict } from './memory.ts';
import { SoakRecord, type Trouble } from './record.ts';
import { ServiceProcess } from './service-process.ts';
import { newLedger, pause, register, settle, someFiles, type KnownMeasurement, type World } from './world.ts';

export interface SoakReport {
  readonly seconds: number;
  readonly done: ReadonlyMap<string, number>;
  readonly interrupted: number;
  readonly promises: ReadonlyMap<string, { readonly kept: number; readonly broken: number }>;
  readonly troubles: readonly Trouble[];
  readonly errorLines: readonly { readonly service: string; readonly line: string; readonly why: string | null }[];
  readonly memory: readonly MemoryVerdict[];
  readonly diskWasFull: boolean;
  /** Null without an attacker. */
  readonly attack: AttackReport | null;
  readonly good: boolean;
}

export interface SoakOptions {
  readonly minutes: number;
  /** The built service. */
  readonly entry: string;
  /** With an attacker beside the load, which attacks alone for the first minute and a half. */
  readonly attack?: boolean;
  readonly say: (line: string) => void;
}

/**
 * Mixed load on a built service with faults, and checks of every promise. In the first and the last
 * sixth the services are killed; in between they run on with all other faults, so that their memory
 * can be judged.
 */
export async function soak({ minutes, entry, attack: withAttack = false, say }: SoakOptions): Promise<SoakReport> {
  const began = performance.now();
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-soak-'));
  const [main, other] = [new ServiceProcess('main', dir, entry), new ServiceProcess('other', dir, entry)];
  const unmount = smallDisk(main.dataDir);
  const memory = new MemoryWatch([main, other]);
  let attack: Attack | null = null;
  try {
    const { world, end, serverId, victim } = await build(dir, main, other, minutes);
    say(`${main.url} and ${other.url}, ${minutes} minutes${unmount ? ', data on a small disk' : ''}`);
    if (withAttack) {
      attack = new Attack(world);
      await attack.measureGrowth();
    }
    const total = minutes * 60_000;
    const start = performance.now();
    const phases = { calmFrom: start + total / 6, calmTo: start + (total * 5) / 6, over: start + total };
    await Promise.all([
      ...actors(serverId, minutes).map(async (act) => repeat(world, act)),
      faults(world, phases, victim, unmount !== null),
      timer(end, phases.over),
      tell(world, say),
    ]);
    await attack?.end();
    const verdicts = memory.judge(phases.calmFrom, phases.calmTo);
    await main.killAndStart();
    await judgePromises(world);
    for (const service of [main, other]) {
      const status = await service.stop();
      world.record.promise('The service ends when it is told to', status === 0, `${service.name} ended with ${status}`);
    }
    await judgeSecrets(world);
    const errorLines = explainLines(world);
    const { record } = world;
    const attackReport = attack?.report() ?? null;
    const good =
      record.troubles.length === 0 &&
      (attackReport?.faults.length ?? 0) === 0 &&
      errorLines.every(({ why }) => why !== null) &&
      verdicts.every(({ flat }) => flat);
    return {
      seconds: Math.round((performance.now() - began) / 1000),
      done: record.done,
      interrupted: record.interrupted,
      promises: record.promises,
      troubles: record.troubles,
      errorLines,
      memory: verdicts,
      diskWasFull: record.pressures.length > 0,
      attack: attackReport,
      good,
    };
  } finally {
    attack?.stop();
    memory.stop();
    main.kill();
    other.kill();
    unmount?.();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function build(dir: string, main: ServiceProcess, other: ServiceProcess, minutes: number) {
  const secrets = newLedger();
  const record = new SoakRecord([main, other]);
  const people = await settle(main, secrets);
  await settle(other, newLedger());
  await Promise.all([main.start(), other.start()]);
  const needs = { main, record, dir };
  const large = minutes < shortRun ? 12_000_000 : 32_000_000;
  const made = [
    await register(needs, 'soak-large', someFiles(1, large, large), false),
    await register(needs, 'soak-small', someFiles(minutes < shortRun ? 60 : 400, 50, 9000), false),
    await register(needs, 'soak-library', someFiles(12, 50_000, 400_000), true),
  ];
  const measurements = made.filter((one) => one !== null);
  const [largest] = measurements;
  const victim = await damageable(needs);
  if (!largest || measurements.length < 3 || !victim)
    throw new Error(`the measurements were not registered: ${JSON.stringify(record.troubles)}`);
  const granted = await sendOnce(main, `/api/v4/measurements/${largest.id}/grants`, {
    method: 'POST',
    window: true,
    body: '{"user":"bob"}',
  });
  if (granted.status !== 201) throw new Error(`the measurement was not shared: ${granted.body.toString()}`);
  const added = await sendOnce(other, '/api/v4/local/servers', {
    method: 'POST',
    window: true,
    body: JSON.stringify({ base_url: main.url, token: people.token }),
  });
  if (added.status !== 201) throw new Error(`the server was not added: ${added.body.toString()}`);
  const serverId = (JSON.parse(added.body.toString()) as { readonly id: number }).id;
  let stopping = false;
  const world: World = {
    dir,
    main,
    other,
    record,
    secrets,
    ...people,
    measurements,
    largest,
    registered: [],
    removed: new Set(),
    acceptedEvents: [],
    revoked: [],
    stopping: () => stopping,
  };
  return { world, serverId, victim, end: () => void (stopping = true) };
}

const shortRun = 5;

/** One of each in a short run, to leave processors to other tests. */
function actors(serverId: number, minutes: number): readonly ((world: World) => Promise<void>)[] {
  return [
    ...(minutes < shortRun ? [] : [downloadFile, downloadRange, downloadRange, sendEvents]),
    downloadFile,
    downloadRange,
    downloadArchive,
    leaveAndResume,
    readSlowly,
    revokeWhileSending,
    signInAndOut,
    softwareSignsIn(),
    sendNonsense,
    sendEvents,
    registerAndRemove,
    fetchFromMain(serverId),
  ];
}

async function repeat(world: World, act: (world: World) => Promise<void>): Promise<void> {
  while (!world.stopping()) {
    try {
      await act(world);
    } catch (error) {
      world.record.trouble(act.name, error instanceof Error ? (error.stack ?? error.message) : String(error));
      await pause(500, 1000);
    }
  }
}

async function timer(end: () => void, over: number): Promise<void> {
  while (performance.now() < over) await pause(50, 100);
  end();
}

async function faults(
  world: World,
  phases: { readonly calmFrom: number; readonly calmTo: number; readonly over: number },
  victim: KnownMeasurement,
  canFill: boolean,
): Promise<void> {
  const total = phases.over - phases.calmFrom;
  // In a short run each kind at least once, in a long one every half minute.
  const rest = Math.min(30_000, total / 12);
  let number = -1;
  return repeat(world, async function fault() {
    await pause(rest / 2, rest);
    const now = performance.now();
    if (world.stopping()) return;
    number += 1;
    if (now < phases.calmFrom || now > phases.calmTo) await killOne(world, number % 2 === 0 ? 'main' : 'either');
    else if (number % 3 === 0 && canFill) await fillDisk(world, Math.min(8, total / 30_000));
    else await damageLibrary(world, victim);
  });
}

const tellEvery = 60_000;

async function tell({ record, main, stopping }: World, say: (line: string) => void): Promise<void> {
  let last = performance.now();
  let told = 0;
  while (!stopping()) {
    await pause(200, 400);
    for (; told < record.troubles.length; told += 1)
      say(`trouble: ${record.troubles[told]?.what}: ${record.troubles[told]?.detail}`);
    if (performance.now() - last < tellEvery) continue;
    last = performance.now();
    const done = [...record.done.values()].reduce((sum, count) => sum + count, 0);
    say(
      `${done} done, ${record.interrupted} interrupted, ${record.troubles.length} troubles, ${Math.round((main.usage()?.rss ?? 0) / 1048576)} MiB`,
    );
  }
}
