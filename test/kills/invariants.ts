import Database from 'better-sqlite3';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { certaintyOf, type Expected } from './expected.ts';
import { askAt } from './service-process.ts';
import type { World } from './world.ts';
import { checkEvents, sha256 } from './database-invariants.ts';

function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Whether rows of a removed measurement are still to be put aside, put back or deleted. */
export function isRemovalUnderWay(dataDir: string): boolean {
  const database = new Database(path.join(dataDir, 'benchport.db'), { readonly: true, timeout: 10_000 });
  try {
    return database.prepare("SELECT 1 FROM removed_measurements WHERE stage <> 'kept'").get() !== undefined;
  } finally {
    database.close();
  }
}

/** An unpacked backup, which was made during the load. */
export function checkRestored(
  folder: string,
  expected: Expected,
  before: { readonly events: number; readonly tokens: number },
  { project }: World['fixed'],
): void {
  const database = new Database(path.join(folder, 'benchport.db'), { readonly: true });
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.pragma('foreign_key_check')).toEqual([]);
    const tokens = new Set(database.prepare<[], number>('SELECT id FROM personal_access_tokens').pluck().all());
    expect([...expected.tokens.keys()].slice(0, before.tokens).filter((id) => !tokens.has(id))).toEqual([]);
    if (!expected.madeRoom) checkEvents(database, [...expected.events].slice(0, before.events), project);
  } finally {
    database.close();
  }
}

/**
 * Checks that the service still returns what it has confirmed, with samples of large sets. @param
 * available measurements that existed a moment ago.
 */
export async function checkAnswers(
  { service, expected, random, fixed }: World,
  available: ReadonlySet<string>,
): Promise<void> {
  const some = <T>(all: readonly T[], most: number): readonly T[] => all.toSorted(() => random() - 0.5).slice(0, most);
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  for (const [id, { secret, revoked }] of some(
    [...expected.tokens].filter(([, { revoked: how }]) => how !== 'perhaps'),
    12,
  )) {
    const answer = await askAt(`${service.url}/api/v4/measurements`, 'GET', bearer(secret));
    expect([`token ${id}`, answer?.status]).toEqual([`token ${id}`, revoked === 'yes' ? 401 : 200]);
  }
  for (const [id, { content, removed }] of some([...expected.measurements], 8)) {
    const row = await service.ask('GET', `/api/v4/measurements/${id}`);
    // A measurement is hidden during its registration, whose job was checked in the database.
    if (removed === 'yes') expect([id, row?.status]).toEqual([id, 404]);
    if (removed === 'no' && available.has(id)) expect([id, row?.status]).toEqual([id, 200]);
    if (row?.status !== 200) continue;
    const file = await askAt(`${service.url}/measurements/${id}/files/0`, 'GET', bearer(fixed.reader));
    expect([id, file?.status, file?.text === content]).toEqual([id, 200, true]);
  }
  for (const family of some(
    expected.families.filter((one) => certaintyOf(one) !== 'perhaps'),
    6,
  )) {
    const [{ access }, ended] = [family, certaintyOf(family)];
    const answer = await askAt(`${service.url}/oauth/token/info`, 'GET', bearer(access));
    expect(['access token', ended, answer?.status]).toEqual(['access token', ended, ended === 'yes' ? 401 : 200]);
  }
  for (const [cookie, { ended }] of some(
    [...expected.sessions].filter(([, { ended: how }]) => how !== 'perhaps'),
    4,
  )) {
    const answer = await askAt(`${service.url}/api/v4/session`, 'GET', { headers: { cookie } });
    expect((JSON.parse(answer?.text ?? '{}') as { user?: unknown }).user !== null).toBe(ended === 'no');
  }
  for (const { id, measurement, there } of some([...expected.grants.values()], 6)) {
    if (there === 'perhaps' || expected.measurements.get(measurement)?.removed !== 'no') continue;
    const answer = await service.ask('GET', `/api/v4/measurements/${measurement}/grants`);
    if (answer?.status === 200)
      expect((answer.body as readonly { id: number }[]).some((grant) => grant.id === id)).toBe(there === 'yes');
  }
}

/** The files of an idle service: complete, named by their content, and each needed. */
export function checkFiles(dataDir: string, dir: string): void {
  const database = new Database(path.join(dataDir, 'benchport.db'), { readonly: true });
  try {
    const named = new Set(
      database
        .prepare<[], string>(
          "SELECT DISTINCT location FROM measurement_files JOIN measurements ON measurements.id = measurement_id WHERE storage = 'library'",
        )
        .pluck()
        .all(),
    );
    const objects = filesBelow(path.join(dataDir, 'library', 'objects'));
    expect(objects.map((file) => path.relative(path.join(dataDir, 'library'), file)).toSorted()).toEqual(
      [...named].toSorted(),
    );
    expect(objects.filter((file) => sha256(readFileSync(file)) !== path.basename(file))).toEqual([]);
    const known = new Set(database.prepare<[], string>('SELECT id FROM measurements').pluck().all());
    const manifests = readdirSync(path.join(dataDir, 'manifests')).map(
      (name) => /-(n[0-9a-f]+)\.json(?:\.gz)?$/.exec(name)?.[1] ?? name,
    );
    expect(manifests.filter((id) => !known.has(id))).toEqual([]);
  } finally {
    database.close();
  }
  const halves = filesBelow(dataDir).filter((file) => /partial|incoming|\.tmp$/.test(path.relative(dataDir, file)));
  expect(halves).toEqual([]);
  expect(readdirSync(path.join(dir, 'backups')).filter((name) => !name.endsWith('.zip'))).toEqual([]);
}
