import { execFileSync } from 'node:child_process';
import { chownSync, copyFileSync, chmodSync, mkdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The settings of a unit, as far as this machine can follow them. */
export interface UnitProcess {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Settings that only a kernel under a real systemd applies; `systemd-analyze` judges them. */
const leftOut =
  /^(Type|Restart|RestartSec|StateDirectoryMode|AmbientCapabilities|Private(Devices)|Protect(Kernel\w+|ControlGroups|Clock|Hostname|Proc)|ProcSubset|Restrict\w+|LockPersonality|RemoveIPC|SystemCall\w+)$/;
const applied =
  /^(ExecStart|Environment|EnvironmentFile|LoadCredential|User|StateDirectory|TimeoutStopSec|LimitNOFILE|LimitCORE|ReadWritePaths|UMask|NoNewPrivileges|CapabilityBoundingSet|ProtectSystem|ProtectHome|PrivateTmp)$/;

/** Settings with the one value that `sandbox.sh` and setpriv can follow. */
const fixed = {
  ProtectSystem: 'strict',
  ProtectHome: 'yes',
  PrivateTmp: 'yes',
  NoNewPrivileges: 'yes',
  CapabilityBoundingSet: '',
};

type Settings = ReadonlyMap<string, readonly string[]>;

/**
 * The section `[Service]`.
 *
 * @throws Error for a setting that is neither followed nor known.
 */
function readService(text: string): Settings {
  const settings = new Map<string, string[]>();
  const [, section = ''] = /^\[Service\]\n(.*?)(?=^\[|$(?![\s\S]))/ms.exec(text) ?? [];
  for (const line of section.split('\n').filter((each) => /^[A-Z]/.test(each))) {
    const cut = line.indexOf('=');
    const name = line.slice(0, cut);
    if (!leftOut.test(name) && !applied.test(name)) throw new Error(`systemd's ${name} is not known here`);
    settings.set(name, [...(settings.get(name) ?? []), line.slice(cut + 1)]);
  }
  for (const [name, value] of Object.entries(fixed))
    if (one(settings, name) !== value) throw new Error(`systemd's ${name} is followed as ${value} alone`);
  return settings;
}

/** Makes the folders and credentials of an instance of a unit, and says how to run it. Runs as root. */
export function prepareUnit(file: string, instance: string): UnitProcess {
  const name = path.basename(file).replace('@.service', `@${instance}.service`);
  const credentials = path.join('/run/credentials', name);
  const specifiers = new Map(Object.entries({ i: instance, d: credentials, H: os.hostname(), '%': '%' }));
  const text = readFileSync(file, 'utf8').replaceAll(/%(.)/g, (all, letter: string) => specifiers.get(letter) ?? all);
  const settings = readService(text);
  const user = one(settings, 'User');
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, user]))) as [number, number];

  const state = path.join('/var/lib', one(settings, 'StateDirectory'));
  mkdirSync(state, { recursive: true });
  chmodSync(state, 0o700);
  chownSync(state, uid, gid);
  loadCredentials(settings, credentials, uid, gid);
  const env = environmentOf(settings, { user, state, credentials });
  const [program = '', ...args] = one(settings, 'ExecStart')
    .split(' ')
    .map((word) => word.replaceAll(/\$\{(\w+)\}/g, (_, variable: string) => env[variable] ?? ''));
  const writable = [state, ...(settings.get('ReadWritePaths') ?? [])];
  return {
    program: 'unshare',
    args: ['--mount', 'bash', path.join(import.meta.dirname, 'sandbox.sh'), one(settings, 'UMask'), ...writable, '--']
      .concat([
        'prlimit',
        `--nofile=${openFiles(one(settings, 'LimitNOFILE'))}`,
        `--core=${one(settings, 'LimitCORE')}`,
      ])
      .concat(['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--init-groups', '--no-new-privs'])
      .concat(['--bounding-set=-all', '--inh-caps=-all', program, ...args]),
    env,
  };
}

/** Milliseconds after which systemd kills a unit that was told to stop. */
export function stopTimeoutMs(file: string): number {
  return Number(one(readService(readFileSync(file, 'utf8')), 'TimeoutStopSec')) * 1000;
}

function one(settings: Settings, name: string): string {
  const [value] = settings.get(name) ?? [];
  if (value === undefined) throw new Error(`the unit has no ${name}`);
  return value;
}

/** A limit, no higher than a container that may not raise its own allows. */
function openFiles(wanted: string): number {
  const hard = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim();
  return hard === 'unlimited' ? Number(wanted) : Math.min(Number(wanted), Number(hard));
}

function loadCredentials(settings: Settings, folder: string, uid: number, gid: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  for (const credential of settings.get('LoadCredential') ?? []) {
    const [id = '', from = ''] = credential.split(':');
    const to = path.join(folder, id);
    copyFileSync(from, to);
    chmodSync(to, 0o400);
    chownSync(to, uid, gid);
  }
  chownSync(folder, uid, gid);
  chmodSync(folder, 0o500);
}

/** The variables of the unit, over which those of its files win, and the ones that systemd sets. */
function environmentOf(
  settings: Settings,
  { user, state, credentials }: { readonly user: string; readonly state: string; readonly credentials: string },
): Readonly<Record<string, string>> {
  const lines = [
    ...(settings.get('Environment') ?? []).flatMap((value) => value.split(' ')),
    ...(settings.get('EnvironmentFile') ?? []).flatMap((file) => readFileSync(file, 'utf8').split('\n')),
  ].filter((line) => /^\w+=/.test(line));
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin',
    LANG: 'C.UTF-8',
    USER: user,
    LOGNAME: user,
    HOME: execFileSync('getent', ['passwd', user], { encoding: 'utf8' }).split(':')[5] ?? '/',
    ...Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])),
    STATE_DIRECTORY: state,
    CREDENTIALS_DIRECTORY: credentials,
  };
}
