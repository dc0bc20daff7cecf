import { rm } from 'node:fs/promises';
import type Database from 'better-sqlite3';
import { giveToDeadReplica } from '../../beside-context.ts';
import { openBeside } from '../../fixture-measurement.ts';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ImpossibleEvent } from '../../../../src-shared/states/transitions.ts';
import type { Job } from '../../../../src-main/service/contract/jobs.ts';
import {
  measurementTransitions,
  stageOf,
  stageSql,
  type MeasurementEvent,
  type MeasurementStage,
} from '../../../../src-main/service/measurements/store/measurement-states.ts';
import { asWindow } from '../../as-window.ts';
import { engineOfTests, startTestService, type TestService } from '../../start.ts';
import { jobIn, makeFiles, register, registered, startWithFolder } from './support.ts';

let service: TestService;
let folder: string;
let database: Database.Database;

beforeEach(async () => {
  const started = await startWithFolder();
  service = started;
  folder = started.run;
  await makeFiles(folder, { 'a.txt': 'alpha', 'b.txt': 'bravo' });
  database = openBeside(service);
});
afterEach(async () => {
  database.close();
  await service.end();
});

/** Restarts the service on the same data. */
async function restart(): Promise<void> {
  const { dir } = service;
  const { dataDir } = service.services.config;
  await service.stop();
  const next = await startTestService({ dataDir });
  service = {
    ...next,
    end: async () => {
      await next.end();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function apply(event: MeasurementEvent): Promise<boolean> {
  const { registrations, files } = service.services;
  const check = { index: 0, problem: null, at: Date.now() };
  switch (event) {
    case 'freeze':
      return registrations.makeAvailable('run', Date.now());
    case 'remove':
      await registrations.hide('run');
      return true;
    case 'degrade':
      return (await files.recordChecks('run', [{ ...check, state: 'missing' }])) !== 'same';
    case 'recover':
      return (await files.recordChecks('run', [{ ...check, state: 'ok' }])) !== 'same';
  }
}

const way: Readonly<Record<MeasurementStage, readonly MeasurementEvent[]>> = {
  registering: [],
  available: ['freeze'],
  degraded: ['freeze', 'degrade'],
  removing: ['freeze', 'remove'],
};
const stages = Object.keys(way) as MeasurementStage[];
const cells = stages.flatMap((stage) =>
  (Object.keys(measurementTransitions[stage]) as MeasurementEvent[]).map((event) => [stage, event] as const),
);

async function half(): Promise<void> {
  const { registrations } = service.services;
  await registrations.reserve({ id: 'run', title: 'Run', ownerId: 1, storage: 'reference', root: folder });
  database.exec(`INSERT INTO measurement_files (measurement_id, idx, path, location, length, crc32, sha256, mtime_ns, registered_at, archive_offset, directory_offset)
    VALUES ('run', 0, 'a.txt', 'a.txt', 5, 1, zeroblob(32), '0', 1, 0, 0)`);
}

test('each cell of the table is what the database does', async () => {
  const { measurements, registrations, files } = service.services;
  for (const [stage, event] of cells) {
    await half();
    for (const one of way[stage]) await apply(one);
    const before = await measurements.byId('run');
    if (!before) throw new Error('the measurement is gone');
    expect([stage, stageOf(before)]).toEqual([stage, stage]);
    const cell = measurementTransitions[stage][event];
    if (cell === 'impossible') await expect(apply(event)).rejects.toThrow(ImpossibleEvent);
    else if (event === 'remove') await apply(event);
    else expect([stage, event, await apply(event)]).toEqual([stage, event, cell in measurementTransitions]);
    const after = await measurements.byId('run');
    expect([stage, event, after && stageOf(after)]).toEqual([
      stage,
      event,
      cell in measurementTransitions ? cell : stage,
    ]);
    if (stage === 'registering') expect((await files.at('run', 0))?.state).toBe('ok');
    await registrations.dropFiles('run', 10, null);
    await measurements.remove('run');
  }
});

describe('after a kill', () => {
  test('a measurement whose removal had begun does not come back, whatever its job had still to do', async () => {
    const job = await register(service, { path: folder });
    await service.services.registrations.hide('run');
    database.exec(`UPDATE jobs SET state = 'running', ended_at = NULL`);
    giveToDeadReplica(service, 'jobs');
    await restart();
    await jobIn(service, job.id, 'failed');
    expect(await service.services.measurements.byId('run')).toBeNull();
  });
});

test('the check of a removed measurement does not count for the next one with its id', async () => {
  await half();
  expect(await apply('degrade')).toBe(false);
  expect(await apply('freeze')).toBe(true);
  expect(await apply('recover')).toBe(false);
});

const steps = fc.array(
  fc.constantFrom(
    'register',
    'register',
    'cancel',
    'pause',
    'resume',
    'remove',
    'degrade',
    'recover',
    'restart',
    'wait',
  ),
  { minLength: 4, maxLength: 10 },
);

async function take(step: string): Promise<void> {
  const newest = (await service.services.jobs.list('all', null))[0];
  if (step === 'restart') await restart();
  else if (step === 'register')
    await asWindow(service, 'POST', '/api/v4/local/registrations', { path: folder, id: 'run' });
  else if (step === 'remove') await asWindow(service, 'DELETE', '/api/v4/measurements/run');
  else if (step === 'degrade' || step === 'recover') await apply(step);
  else if (step === 'wait') await new Promise((resolve) => setTimeout(resolve, 60));
  else if (newest) await asWindow(service, 'POST', `/api/v4/jobs/${newest.id}`, { action: step });
}

test('whatever happens in whatever order, a measurement is whole or gone in the end', async () => {
  const [before, after] = ['old.', 'new.'].map((row) => stageSql.replaceAll('measurements.', row));
  const trigger = 'CREATE TRIGGER moved AFTER UPDATE OF state, registered_at ON measurements';
  const note = `BEGIN INSERT INTO moves VALUES (${before}, ${after});`;
  const onPostgres = `CREATE FUNCTION moved() RETURNS trigger LANGUAGE plpgsql AS $$ ${note} RETURN NULL; END $$;
    ${trigger} FOR EACH ROW EXECUTE FUNCTION moved()`;
  const onEngine = engineOfTests === 'sqlite' ? `${trigger} ${note} END` : onPostgres;
  database.exec(`CREATE TABLE moves (before TEXT, after TEXT); ${onEngine}`);
  const allowed = new Set(cells.map(([stage, event]) => `${stage} ${measurementTransitions[stage][event]}`));
  await fc.assert(
    fc.asyncProperty(steps, async (some) => {
      for (const step of some) await take(step);
      for (const { id, state } of await service.services.jobs.list('active', null)) {
        if (state === 'paused') await asWindow(service, 'POST', `/api/v4/jobs/${id}`, { action: 'resume' });
        await jobIn(service, id, 'done', 'failed', 'cancelled');
      }
      await apply('recover');
      if (await service.services.measurements.byId('run')) await registered(service, 'run', folder);
      const moves = database
        .prepare<[], { before: string; after: string }>('SELECT DISTINCT before, after FROM moves')
        .all()
        .filter((move) => move.before !== move.after);
      expect(moves.filter((move) => !allowed.has(`${move.before} ${move.after}`))).toEqual([]);
      const jobs = ((await asWindow(service, 'GET', '/api/v4/jobs?state=active')).body as Job[]).length;
      expect(jobs).toBe(0);
      await asWindow(service, 'DELETE', '/api/v4/measurements/run');
    }),
    { numRuns: 12 },
  );
});
