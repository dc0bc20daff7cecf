import Database from 'better-sqlite3';
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../free-port.ts';
import { endChild } from '../servers/node-peer.ts';
import { processTools, type Server } from '../servers/server.ts';

const version = '2.6.1';
// The driver that Django uses for PostgreSQL.
const driver = '3.3.9';
export const bugsinkName = `Bugsink ${version}`;
const cache = path.join(
  process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'),
  'benchport-dev',
  `bugsink-${version}-psycopg-${driver}`,
);

export interface Bugsink extends Server {
  /** The endpoint for envelopes. */
  readonly path: string;
  /** Number of stored events. */
  stored(): Promise<number>;
}

/**
 * Bugsink as its documentation sets it up for one server ("Single Server Production"): gunicorn
 * with four workers, Snappea, which digests their input, and SQLite. Its quotas are lifted. It is
 * fetched from PyPI once, into a cache folder.
 *
 * @param url of an empty PostgreSQL database to use instead of SQLite.
 */
export async function startBugsink(dir: string, url: string | null = null): Promise<Bugsink> {
  const bin = path.join(install(), 'bin');
  const port = await freePort();
  for (const folder of ['ingestion', 'snappea/wakeup']) mkdirSync(path.join(dir, folder), { recursive: true });
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, PYTHONUNBUFFERED: '1' };
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(path.join(bin, program), args, { cwd: dir, env, encoding: 'utf8', stdio: 'pipe' });
  run('bugsink-create-conf', '--template=singleserver', '--host=127.0.0.1', `--base-dir=${dir}`);
  appendFileSync(path.join(dir, 'bugsink_conf.py'), settings(port, url));
  run('bugsink-manage', 'migrate');
  run('bugsink-manage', 'migrate', '--database=snappea');
  const made = run(
    'bugsink-manage',
    'shell',
    '-c',
    "from projects.models import Project; p = Project.objects.create(name='lab'); print(f'made {p.id} {p.sentry_key.hex}')",
  );
  const [, project, key] = /made (\d+) (\w+)/.exec(made) ?? [];
  if (project === undefined || key === undefined) throw new Error(`Bugsink made no project: ${made}`);

  const start = (program: string, ...args: readonly string[]) =>
    spawn(path.join(bin, program), args, { cwd: dir, env, stdio: 'ignore' });
  const digesting = start('bugsink-runsnappea');
  const taking = start(
    'gunicorn',
    `--bind=127.0.0.1:${port}`,
    '--workers=4',
    '--timeout=6',
    '--max-requests=1000',
    '--max-requests-jitter=100',
    'bugsink.wsgi',
  );
  const tools = [taking, digesting].map((child) => processTools(child.pid ?? 0));
  await answers(port);
  const count = await (url === null ? countInFile(path.join(dir, 'db.sqlite3')) : countAt(url));
  return {
    name: 'Bugsink',
    port,
    path: `/api/${project}/envelope/?sentry_key=${key}`,
    pid: taking.pid ?? 0,
    cpuSeconds: () => tools.reduce((sum, one) => sum + one.cpuSeconds(), 0),
    pin: (cores) => tools.forEach((one) => one.pin(cores)),
    stored: count.stored,
    stop: async () => {
      await count.close();
      await Promise.all([taking, digesting].map(endChild));
    },
  };
}

interface EventCount {
  readonly stored: () => Promise<number>;
  readonly close: () => Promise<void>;
}

const countEvents = 'SELECT count(*) AS count FROM events_event';

function countInFile(file: string): EventCount {
  const database = new Database(file, { readonly: true });
  const count = database.prepare<[], number>(countEvents).pluck();
  return { stored: async () => count.get() ?? 0, close: async () => void database.close() };
}

async function countAt(url: string): Promise<EventCount> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    stored: async () => Number((await client.query<{ count: string }>(countEvents)).rows[0]?.count ?? 0),
    close: async () => client.end(),
  };
}

function install(): string {
  const done = path.join(cache, 'bin/bugsink-manage');
  if (existsSync(done)) return cache;
  rmSync(cache, { recursive: true, force: true });
  execFileSync('python3', ['-m', 'venv', cache], { stdio: 'pipe' });
  execFileSync(
    path.join(cache, 'bin/pip'),
    ['install', '--quiet', '--disable-pip-version-check', `bugsink==${version}`, `psycopg[binary]==${driver}`],
    { stdio: ['ignore', 2, 2] },
  );
  return cache;
}

function settings(port: number, url: string | null): string {
  const quotas = ['5_MINUTES', 'HOUR', 'MONTH'].flatMap((time) => [
    `MAX_EVENTS_PER_PROJECT_PER_${time}`,
    `MAX_EVENTS_PER_${time}`,
  ]);
  return `
BUGSINK["BASE_URL"] = "http://127.0.0.1:${port}"
BUGSINK.update({name: 10**9 for name in ${JSON.stringify(quotas)}})
ALLOWED_HOSTS = deduce_allowed_hosts(BUGSINK["BASE_URL"])
${url === null ? '' : postgresSettings(url)}`;
}

function postgresSettings(url: string): string {
  return `
from bugsink.conf_utils import parse_database_url
DATABASES["default"] = parse_database_url("${url}")
`;
}

async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, { redirect: 'manual' }).catch(() => null);
    if (answer !== null && answer.status < 500) return;
    await wait(200);
  }
  throw new Error('Bugsink does not answer');
}
