import Database from 'better-sqlite3';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { lintFamilies, parsePrometheusText } from '../service/metrics/prometheus-text.ts';
import { findIn } from '../service/security/search-secrets.ts';
import { sendOnce } from './ask.ts';
import type { ErrorLine, ServiceProcess } from './service-process.ts';
import type { World } from './world.ts';

const onDisk = 'What was answered 2xx is on disk';
const maxSecrets = 60;
const loopbacks = new Set(['0100007F', '00000000000000000000000001000000']);

/** Checks every promise of the product again, after a last kill and without other load. */
export async function judgePromises(world: World): Promise<void> {
  await whatIsKept(world);
  await whatIsRevoked(world);
  for (const service of [world.main, world.other]) {
    listening(service, world);
    const numbers = parsePrometheusText((await sendOnce(service, '/-/metrics', { window: true })).body.toString());
    world.record.promise(
      'Numbers are as Prometheus wants them',
      lintFamilies(numbers).length === 0,
      lintFamilies(numbers).join(', '),
    );
  }
}

async function whatIsKept(world: World): Promise<void> {
  const { main, record, token, measurements, registered, removed, acceptedEvents } = world;
  const headers = { authorization: `Bearer ${token}` };
  for (const { id, files } of [...measurements, ...registered]) {
    for (const [index, file] of files.entries()) {
      const reply = await sendOnce(main, `/measurements/${id}/files/${index}`, { headers });
      record.promise(
        onDisk,
        reply.status === 200 && reply.body.equals(file.bytes),
        `${id}/${file.path} is answered with ${reply.status}`,
      );
    }
  }
  for (const id of removed) {
    const { status } = await sendOnce(main, `/measurements/${id}`, { headers });
    record.promise(
      onDisk,
      status === 404 || record.interrupted > 0,
      `${id} was removed and is answered with ${status}`,
    );
  }
  const database = new Database(path.join(main.dataDir, 'benchport.db'), { readonly: true });
  try {
    // One query, because one for each would scan an hour's hundred thousand rows.
    const stored = new Set(database.prepare<[], string>('SELECT lower(hex(event_id)) FROM error_events').pluck().all());
    // Where retention had to make room, counters outlive the events.
    for (const id of main.madeRoom ? [] : acceptedEvents)
      record.promise(onDisk, stored.has(id), `event ${id} was answered with 200 and is gone`);
    const counted = database.prepare<[], number>('SELECT ifnull(sum(events), 0) FROM errors').pluck().get();
    const rows = database.prepare<[], number>('SELECT count(*) FROM error_events').pluck().get();
    record.promise(
      'Counters are equal to rows',
      main.madeRoom || counted === rows,
      `errors count ${counted} events, ${rows} are stored`,
    );
    record.promise(
      onDisk,
      (counted ?? 0) >= acceptedEvents.length,
      `${acceptedEvents.length} events were answered with 200, and ${counted} are counted`,
    );
    record.promise(
      'Nothing stored is lost',
      database.pragma('integrity_check', { simple: true }) === 'ok',
      'the database is damaged',
    );
    record.promise(
      'Nothing stored is lost',
      (database.pragma('foreign_key_check') as unknown[]).length === 0,
      'rows refer to what is not there',
    );
  } finally {
    database.close();
  }
}

async function whatIsRevoked({ main, record, revoked }: World): Promise<void> {
  for (const token of revoked.slice(-200)) {
    const { status } = await sendOnce(main, '/api/v4/user', { headers: { authorization: `Bearer ${token}` } });
    record.promise(
      'A revoked token stops working at once, running transfers included',
      status === 401,
      `a revoked token is answered with ${status} later`,
    );
  }
}

function listening(service: ServiceProcess, { record }: World): void {
  for (const place of service.listensOn()) {
    const [, address = ''] = /^\S+ ([0-9A-F]+):/.exec(place) ?? [];
    record.promise(
      'Nothing listens beyond the loopback until the user says so',
      loopbacks.has(address),
      `${service.name} listens on ${place}`,
    );
  }
}

/**
 * Searches database, journal and logs for secrets after the services have ended, when all data are
 * in files.
 */
export async function judgeSecrets({ main, other, record, secrets }: World): Promise<void> {
  const all = [...secrets.secrets];
  // Some of each kind, because each of thousands would be searched for in a dozen forms.
  const sample = new Map(all.filter((_, index) => index % Math.max(1, Math.floor(all.length / maxSecrets)) === 0));
  for (const { dataDir, name } of [main, other]) {
    for (const file of ['benchport.db', 'benchport.db-wal', 'logs/service.log', 'logs/service.1.log']) {
      const content = await readFile(path.join(dataDir, file)).catch(() => null);
      if (!content) continue;
      const found = findIn(`${name}/${file}`, content, sample);
      record.promise(
        'Secrets are never stored in clear, never logged',
        found.length === 0,
        found.slice(0, 3).join(', '),
      );
    }
  }
}

/** Expected lines of level error: for the deliberate damage, and the full disk. */
const explanations: readonly (readonly [why: string, pattern: RegExp])[] = [
  [
    'a file of the library was altered on purpose',
    /soak-damaged.*(?:checksum|CRC|other bytes|altered)|(?:checksum|CRC|altered).*soak-damaged/i,
  ],
];
const fullDisk = /SQLITE_FULL|SQLITE_IOERR|ENOSPC|disk full|disk is full|"status":(?:507|503)/;

/** @returns each log line of level error with its reason; null for an unexplained one. */
export function explainLines(
  world: World,
): readonly { readonly service: string; readonly line: string; readonly why: string | null }[] {
  return [world.main, world.other].flatMap(({ name, errorLines }) =>
    errorLines.map((line) => ({ service: name, line: line.text.slice(0, 600), why: whyOf(world, line) })),
  );
}

function whyOf({ record }: World, { at, text }: ErrorLine): string | null {
  const known = explanations.find(([, pattern]) => pattern.test(text));
  if (known) return known[0];
  if (fullDisk.test(text) && record.wasFull(at - 2000)) return 'the disk was full';
  return null;
}
