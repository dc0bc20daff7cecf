import Database from 'better-sqlite3';
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { GroupCommit } from '../../src-main/service/database/sqlite/group-commit.ts';
import { migrateFetchTables } from '../../src-main/service/database/migrations/early/fetch-tables.ts';
import { startEngine } from '../../src-main/service/fetching/engine/worker/start-engine.ts';
import type {
  FetchEngine,
  FetchOutcome,
  FetchPlan,
  FetchRun,
  Journal,
} from '../../src-main/service/fetching/engine/types.ts';
import { fetchesStore, type FetchesStore } from '../../src-main/service/fetching/store/fetches-store.ts';
import { journalStore } from '../../src-main/service/fetching/store/journal-store.ts';
import { createLogger } from '../../src-main/service/logging/logging.ts';
import { archiveOf, digestsBelow, filesBelow, filesOf, partialEnding } from './folder-contents.ts';
import type { GeneratedMeasurement } from './measurement.ts';

/** An engine with the journal that the service uses. */
export interface FetchLab {
  readonly engine: FetchEngine;
  readonly journal: Journal;
  readonly fetches: FetchesStore;
  /** The reason why a file of a fetch has failed; null if it has not. */
  reasonOf(plan: FetchPlan, index: number): string | null;
  /** Failures in the log of a fetch. */
  warningsOf(plan: FetchPlan): readonly string[];
  /** An empty place for one fetch. @param measurement the files allowed under final names */
  scene(measurement: GeneratedMeasurement, target?: string): Scene;
  end(): Promise<void>;
}

/**
 * A folder in which only the target may appear, and in the target no unverified file under its
 * final name.
 */
export interface Scene {
  readonly root: string;
  readonly target: string;
  /** A new fetch of everything. @param baseUrl the server */
  plan(baseUrl: string, rest?: Partial<Omit<FetchPlan, 'id'>>): Promise<FetchPlan>;
  /** One observed run. The plan gets the content of the journal, as the queue passes it. */
  run(plan: FetchPlan): Promise<FetchRun>;
  /** Runs, repeatedly while the outcome is `retry`. @returns the last outcome. */
  untilEnd(plan: FetchPlan, maxRuns?: number): Promise<FetchOutcome>;
  /** Files below the target by path, with their SHA-256 in hexadecimal. */
  files(): ReadonlyMap<string, string>;
  /** Throws when a byte is outside the target, or when an unverified file ever had a final name. */
  mustBeClean(): void;
}

/**
 * Opens a lab. @param silence milliseconds after which a silent server counts as lost; a busy
 * machine causes silence too
 */
export async function openFetchLab(silence = 10_000): Promise<FetchLab> {
  const base = await mkdtemp(path.join(os.tmpdir(), 'benchport-fetch-'));
  const database = new Database(':memory:');
  migrateFetchTables(database);
  const commits = new GroupCommit(database);
  const fetches = fetchesStore(database, commits);
  const journal = journalStore(database, commits);
  const engine = startEngine(journal, createLogger('silent'), { timeouts: { connectMs: 10_000, idleMs: silence } });
  let scenes = 0;
  return {
    engine,
    journal,
    fetches,
    reasonOf: (plan, index) =>
      database
        .prepare<[number, number], string | null>('SELECT reason FROM fetch_files WHERE fetch_id = ? AND idx = ?')
        .pluck()
        .get(plan.id, index) ?? null,
    warningsOf: (plan) =>
      database
        .prepare<[number], string>("SELECT message FROM fetch_log WHERE fetch_id = ? AND level <> 'info'")
        .pluck()
        .all(plan.id),
    scene: (measurement, target) => {
      scenes += 1;
      const root = path.join(base, String(scenes));
      mkdirSync(path.join(root, 'home'), { recursive: true });
      return sceneIn(root, target ?? path.join(root, 'home', measurement.id), measurement, { engine, fetches });
    },
    end: async () => {
      await engine.close();
      database.close();
      await rm(base, { recursive: true, force: true });
    },
  };
}

function sceneIn(
  root: string,
  target: string,
  measurement: GeneratedMeasurement,
  { engine, fetches }: Pick<FetchLab, 'engine' | 'fetches'>,
): Scene {
  const right = new Map(filesOf(measurement));
  const looked = new Set<string>();
  const unproven: string[] = [];

  function look(): void {
    for (const [file, digest] of digestsBelow(target, (name) => !name.endsWith(partialEnding) && !looked.has(name))) {
      looked.add(file);
      if (right.get(file) !== digest) unproven.push(file);
    }
  }

  const scene: Scene = {
    root,
    target,
    plan: async (baseUrl, rest = {}) => {
      const wanted = {
        measurementId: measurement.id,
        what: 'files',
        chosen: null,
        target,
        unpack: false,
        ...rest,
      } as const;
      // Computed once and only when needed, because large ones take long.
      if (wanted.what === 'archive' && !wanted.unpack)
        for (const [file, digest] of archiveOf(measurement)) right.set(file, digest);
      const row = await fetches.create({ ...wanted, serverId: null, baseUrl, title: null, priority: 0, paused: false });
      return {
        id: row.id,
        source: { baseUrl, token: null, certificate: null },
        manifestDigest: null,
        connections: 4,
        ...wanted,
      };
    },
    run: async (plan) => {
      const run = engine.run({ ...plan, ...(await fetches.order(plan.id)) });
      const watch = setInterval(look, 15);
      void run.outcome.finally(() => clearInterval(watch));
      return run;
    },
    untilEnd: async (plan, maxRuns = 60) => {
      for (let runs = 1; ; runs += 1) {
        const outcome = await (await scene.run(plan)).outcome;
        if (outcome.kind !== 'retry' || runs === maxRuns) return outcome;
      }
    },
    files: () => digestsBelow(target),
    mustBeClean: () => {
      look();
      const outside = filesBelow(root).filter((file) => !path.join(root, file).startsWith(`${target}/`));
      if (outside.length + unproven.length > 0)
        throw new Error(`outside of the target: ${outside.join()}; unproven: ${unproven.join()}`);
    },
  };
  return scene;
}
