import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CaptureRuleInput } from '../../src-main/service/contract/capture/rules.ts';
import type { CaptureRun, CaptureRunPage } from '../../src-main/service/contract/capture/runs.ts';
import { ruleOf } from '../service/capture/scene.ts';
import { KilledService } from './killed-service.ts';
import type { Instrument } from './simulated-instruments.ts';

const runsPath = '/api/v4/local/captures/runs';
export const quietMs = 1500;

/** A rule, the instruments that write into its folder, and how many runs each writes. */
export interface Bench {
  readonly name: string;
  readonly rule: Partial<CaptureRuleInput>;
  readonly instruments: readonly Instrument[];
  readonly runs: number;
  /** Whether the share of the folder goes away from time to time. */
  readonly losesShare?: boolean;
}

export interface Outcome {
  readonly runs: number;
  /** Registered with other files than the run has in the end. */
  readonly early: readonly string[];
  readonly missed: readonly string[];
  readonly twice: readonly string[];
  readonly kills: number;
  readonly lostShares: number;
}

/** Numbers from 0 to 1 that are the same in each run of a test. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Lets instruments write while the service is killed and shares go away, and compares what was registered. */
export async function simulate(benches: readonly Bench[], seed: number, killEveryMs: number): Promise<Outcome> {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-capture-'));
  const service = new KilledService(dir);
  await service.start();
  const random = seededRandom(seed);
  const stop = new AbortController();
  try {
    for (const { name, rule } of benches) {
      await mkdir(path.join(dir, name));
      await service.request(
        'POST',
        '/api/v4/local/captures',
        ruleOf(path.join(dir, name), { name, id_template: '{rule}-{name}', ...rule }),
      );
    }
    await pause(500);
    const faults = [
      killing(service, killEveryMs, stop.signal),
      ...benches.flatMap(({ name, losesShare }) =>
        losesShare === true ? [losing(path.join(dir, name), random, stop.signal)] : [],
      ),
    ];
    const finished = (await Promise.all(benches.map(async (bench) => write(dir, bench, random)))).flat();
    stop.abort();
    const counts = await Promise.all(faults);
    const lostShares = counts.slice(1).reduce((sum, count) => sum + count, 0);
    return { ...(await compare(dir, service, finished)), kills: service.kills, lostShares };
  } finally {
    stop.abort();
    await service.kill();
    await rm(dir, { recursive: true, force: true });
  }
}

async function killing(service: KilledService, everyMs: number, signal: AbortSignal): Promise<number> {
  while (await pause(everyMs, true, { signal }).catch(() => false)) {
    await service.kill();
    await service.start();
  }
  return 0;
}

/** An empty folder takes the place of the share, as a mount point does. */
async function losing(folder: string, random: () => number, signal: AbortSignal): Promise<number> {
  let lost = 0;
  while (await pause(1500 + random() * 2000, true, { signal }).catch(() => false)) {
    await rename(folder, `${folder}-away`);
    const leavesFolder = random() < 0.5;
    if (leavesFolder) await mkdir(folder);
    await pause(400 + random() * 800);
    if (leavesFolder) await emptyOf(folder, `${folder}-away`);
    await rename(`${folder}-away`, folder);
    lost += 1;
  }
  return lost;
}

/** Moves files that were written to the mount point meanwhile to the share. */
async function emptyOf(folder: string, share: string): Promise<void> {
  for (;;) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      const target = path.join(share, path.relative(folder, file));
      await mkdir(path.dirname(target), { recursive: true });
      await rename(file, target);
    }
    try {
      await removeFolders(folder);
      return;
    } catch {
      // An instrument wrote to it just now.
    }
  }
}

async function removeFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await removeFolders(path.join(folder, entry.name));
  await rmdir(folder);
}

interface Finished {
  readonly bench: string;
  readonly name: string;
}

/** Each bench writes four runs at once. */
async function write(dir: string, bench: Bench, random: () => number): Promise<readonly Finished[]> {
  const around = { folder: path.join(dir, bench.name), staging: path.join(dir, 'staging'), random, quietMs };
  const finished: Finished[] = [];
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < bench.runs) {
      const number = next;
      next += 1;
      const instrument = bench.instruments[number % bench.instruments.length];
      if (!instrument) throw new Error('a bench has instruments');
      finished.push({ bench: bench.name, name: await instrument(around, `run-${number}`) });
    }
  };
  await Promise.all(Array.from({ length: 4 }, one));
  return finished;
}

async function compare(
  dir: string,
  service: KilledService,
  finished: readonly Finished[],
): Promise<Pick<Outcome, 'runs' | 'early' | 'missed' | 'twice'>> {
  const runs = await settled(service, finished.length);
  const byName = new Map<string, CaptureRun[]>();
  for (const run of runs) {
    const key = `${run.rule_name}/${run.name}`;
    byName.set(key, [...(byName.get(key) ?? []), run]);
  }
  const early: string[] = [];
  const missed: string[] = [];
  const twice: string[] = [];
  for (const { bench, name } of finished) {
    const found = byName.get(`${bench}/${name}`) ?? [];
    byName.delete(`${bench}/${name}`);
    const [run] = found;
    const what = `${bench}/${name}: ${run?.state ?? 'not there'} ${run?.reason ?? ''} ${run?.message ?? ''}`;
    if (found.length > 1) twice.push(what);
    if (run?.state === 'changed-after') early.push(what);
    else if (run?.state !== 'registered' || run.measurement_id === null) missed.push(what);
    else if ((await registeredFiles(service, run.measurement_id)) !== (await filesOf(path.join(dir, bench), run)))
      early.push(`${what}, with other files`);
  }
  const ids = new Set(runs.flatMap(({ measurement_id: id }) => id ?? []));
  for (const id of await measurementIds(service)) if (!ids.has(id)) twice.push(`the measurement ${id} is of no run`);
  // Whatever else has been registered was registered under a name that did not last.
  for (const [name, rest] of byName)
    if (rest.some(({ measurement_id: id }) => id !== null)) twice.push(`${name}: ${rest[0]?.state ?? ''}`);
  return { runs: finished.length, early, missed, twice };
}

/** All runs, once none of them waits any more. */
async function settled(service: KilledService, atLeast: number): Promise<readonly CaptureRun[]> {
  const end = Date.now() + Math.max(120_000, atLeast * 1000);
  for (;;) {
    const { counts } = (await service.request('GET', `${runsPath}?limit=1`)) as CaptureRunPage;
    if ((counts.waiting === 0 && counts.done + counts.needs_you >= atLeast) || Date.now() > end) break;
    await pause(200);
  }
  // Late looks may still find a change.
  await pause(1500);
  const runs: CaptureRun[] = [];
  for (let offset = 0; ; offset += 200) {
    const { items } = (await service.request('GET', `${runsPath}?limit=200&offset=${offset}`)) as CaptureRunPage;
    runs.push(...items);
    if (items.length < 200) return runs;
  }
}

async function measurementIds(service: KilledService): Promise<readonly string[]> {
  const found: string[] = [];
  for (let page = 1; ; page += 1) {
    const list = (await service.request('GET', `/api/v4/measurements?per_page=100&page=${page}`)) as readonly {
      readonly id: string;
    }[];
    found.push(...list.map(({ id }) => id));
    if (list.length < 100) return found;
  }
}

async function registeredFiles(service: KilledService, id: string): Promise<string> {
  const manifest = (await service.request('GET', `/measurements/${id}/files`)) as {
    readonly files: readonly { readonly path: string; readonly sha256: string }[];
  };
  return manifest.files
    .map(({ path: file, sha256 }) => `${file} ${sha256}`)
    .toSorted()
    .join('\n');
}

async function filesOf(folder: string, run: CaptureRun): Promise<string> {
  const place = path.join(folder, run.name);
  const isFolder = await stat(place).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const root = isFolder ? place : folder;
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile() && (isFolder || entry.name === run.name || entry.name.startsWith(`${run.name}.`)))
    .map((entry) => path.join(entry.parentPath, entry.name));
  const lines = await Promise.all(
    files.map(async (file) => {
      const digest = createHash('sha256')
        .update(await readFile(file))
        .digest('hex');
      return `${path.relative(root, file)} ${digest}`;
    }),
  );
  return lines.toSorted().join('\n');
}
