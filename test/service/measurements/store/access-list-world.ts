import Database from 'better-sqlite3';
import type { MeasurementSort } from '../../../../src-main/service/contract/measurements.ts';
import { migrate } from '../../../../src-main/service/database/migrate.ts';
import { migrations } from '../../../../src-main/service/database/migrations/all.ts';
import { foldedKey } from '../../../../src-main/service/database/text-search.ts';
import {
  accessMaintenanceStore,
  keptAfterEndMs,
} from '../../../../src-main/service/measurements/store/access-maintenance-store.ts';
import { grantsStore } from '../../../../src-main/service/measurements/store/grants-store.ts';
import {
  measurementsStore,
  type MeasurementListing,
} from '../../../../src-main/service/measurements/store/measurements-store.ts';
import { registrationStore } from '../../../../src-main/service/measurements/store/registration-store.ts';
import { hiddenProjectsStore } from '../../../../src-main/service/projects/hidden-projects-store.ts';
import { projectsStore } from '../../../../src-main/service/projects/projects-store.ts';
import { usersStore } from '../../../../src-main/service/accounts/store/users-store.ts';
import { storeContext } from '../../../../src-main/service/database/store-context.ts';

export const sorts: readonly MeasurementSort[] = ['created_at', 'id', 'title', 'total_bytes', 'file_count', 'state'];

export function open() {
  const statements: string[] = [];
  const database = new Database(':memory:', { verbose: (sql) => statements.push(String(sql)) });
  database.pragma('foreign_keys = ON');
  database.pragma('trusted_schema = OFF');
  migrate(database, migrations, '');
  const port = storeContext(database).database;
  return {
    statements,
    database,
    users: usersStore(port),
    grants: grantsStore(port),
    projects: projectsStore(port),
    hidden: hiddenProjectsStore(port),
    measurements: measurementsStore(port),
    registrations: registrationStore(port),
    upkeep: accessMaintenanceStore(port),
  };
}
export type World = ReturnType<typeof open>;

/** A seeded random number generator (mulberry32). */
export function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Naive {
  readonly id: string;
  readonly title: string;
  readonly created_at: number;
  readonly total_bytes: number;
  readonly file_count: number;
  readonly state: string;
}

/** The reference: each row judged by its grants, then searched and sorted in JavaScript. */
export function naive(database: Database.Database, listing: MeasurementListing): readonly string[] {
  const rows = database
    .prepare<[{ visibleTo: number | null; now: number }], Naive>(
      `SELECT id, title, created_at, total_bytes, file_count, state FROM measurements
       WHERE state <> 'registering' AND (@visibleTo IS NULL OR owner_id = @visibleTo OR EXISTS (
         SELECT 1 FROM grants WHERE grants.measurement_id = measurements.id AND (until IS NULL OR until > @now)
           AND (everyone = 1 OR grants.user_id = @visibleTo OR project_id IN (SELECT project_id FROM project_members WHERE project_members.user_id = @visibleTo))))`,
    )
    .all({ visibleTo: listing.visibleTo, now: listing.now });
  const text = foldedKey(listing.search);
  const keyOf = (row: Naive): Buffer | number => {
    if (listing.sort === 'id') return Buffer.from(row.id.toLowerCase());
    if (listing.sort === 'title') return Buffer.from(foldedKey(row.title));
    return listing.sort === 'state' ? Buffer.from(row.state) : row[listing.sort];
  };
  const compare = (a: Buffer | number, b: Buffer | number) =>
    typeof a === 'number' ? a - Number(b) : Buffer.compare(a, b as Buffer);
  return rows
    .filter(({ id, title }) => id.toLowerCase().includes(text) || foldedKey(title).includes(text))
    .toSorted(
      (a, b) =>
        (listing.descending ? -1 : 1) *
        (compare(keyOf(a), keyOf(b)) || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))),
    )
    .map(({ id }) => id);
}

const words = [
  'Größe',
  'wing',
  'WING load',
  'Prüfstand',
  'ΟΔΟΣ',
  'a_b',
  '100%',
  'Müller "x"',
  '\u{1F680} start',
  '\u{FF21}',
  'run',
];
export const searches = [
  '',
  '',
  'wing',
  'GRÖSSE',
  'ö',
  'm-1',
  'Load',
  '%',
  '_b',
  '"x',
  'οδος',
  '\u{1F680}',
  'no such text',
  'run wing',
  'zz',
];

/** One operation that changes who may read which measurement. */
export async function change(world: World, pick: (below: number) => number, clock: { now: number }): Promise<void> {
  const { database, grants, measurements, registrations, projects, users, hidden, upkeep } = world;
  const user = () => 1 + pick(6);
  const project = () => 1 + pick(4);
  const id = `m-${pick(60)}`;
  const exists = (await measurements.byId(id)) !== null;
  const title = () => `${words[pick(words.length)]} ${words[pick(words.length)]} ${pick(30)}`;
  const act = pick(14);
  if (act < 3) {
    if (exists || !(await users.byId(user()))) return;
    const owner = (await users.byId(1 + pick(6)))?.id ?? 1;
    await registrations.reserve({ id, title: title(), ownerId: owner, storage: 'reference', root: '/x' });
    database.prepare('UPDATE measurements SET created_at = ? WHERE id = ?').run(pick(20), id);
    await registrations.total(
      id,
      { files: pick(5), bytes: pick(1000) },
      { bytes: 1, directoryOffset: 1, tag: '', version: 1 },
    );
    if (pick(4) > 0) await registrations.makeAvailable(id, clock.now);
  } else if (act < 7 && exists) {
    const until = pick(2) === 0 ? null : clock.now + pick(40) - 5;
    const subject = [{ userId: user() }, { projectId: project() }, { everyone: true } as const][pick(3)] ?? {
      everyone: true,
    };
    try {
      await grants.grant(id, subject, until, null);
    } catch {
      // The user or the project no longer exists.
    }
  } else if (act === 7 && exists) {
    const of = await grants.ofMeasurement(id);
    const one = of[pick(Math.max(1, of.length))];
    if (one) await grants.revoke(id, one.id);
  } else if (act === 8) {
    const member = { project: project(), user: user() };
    if (pick(2) === 0)
      database
        .prepare('DELETE FROM project_members WHERE project_id = ? AND user_id = ?')
        .run(member.project, member.user);
    else if ((await projects.byId(member.project)) && (await users.byId(member.user)))
      await projects.setMember(member.project, member.user, 'reporter');
  } else if (act === 9 && exists) await measurements.rename(id, title());
  else if (act === 10 && exists && pick(3) === 0)
    await (pick(2) === 0 ? registrations.hide(id) : measurements.remove(id));
  else if (act === 11) {
    const back = pick(6) === 0;
    clock.now += back ? -pick(30) : pick(10);
    if (back) await upkeep.endedAccess.purgeSome(clock.now + keptAfterEndMs);
  } else if (act === 12) {
    await upkeep.endedAccess.purgeSome(clock.now + keptAfterEndMs);
    if (pick(8) === 0 && (await projects.byId(4))) {
      await projects.hide(4);
      while (!(await hidden.removeSome(4)));
    }
    if (pick(20) === 0 && (await users.measurementsOf(6, 1)).length === 0) await users.remove(6);
  } else if (exists)
    database
      .prepare(`UPDATE measurements SET state = ? WHERE id = ? AND state <> 'registering'`)
      .run(['available', 'degraded'][pick(2)], id);
}
