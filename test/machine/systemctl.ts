// Stands for systemctl(1) where no systemd runs: starts and stops instances of a unit.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { mustRun } from '../service/run-program.ts';
import { prepareUnit, stopTimeoutMs } from './unit.ts';

const running = '/run/units';
const fileOf = (name: string, kind: 'pid' | 'exit' | 'log'): string => path.join(running, `${name}.${kind}`);

function parse(name: string): { readonly file: string; readonly instance: string } {
  const [unit = '', instance = ''] = name.split('@');
  return { file: `/etc/systemd/system/${unit}@.service`, instance };
}

/** Starts an instance in the background; returns when its process exists. */
async function start(name: string): Promise<void> {
  mkdirSync(running, { recursive: true });
  for (const kind of ['pid', 'exit'] as const) rmSync(fileOf(name, kind), { force: true });
  const log = openSync(fileOf(name, 'log'), 'a');
  spawn(process.execPath, [import.meta.filename, 'supervise', name], {
    detached: true,
    stdio: ['ignore', log, log],
  }).unref();
  while (!existsSync(fileOf(name, 'pid'))) {
    if (existsSync(fileOf(name, 'exit'))) throw new Error(readFileSync(fileOf(name, 'log'), 'utf8'));
    await setTimeout(20);
  }
}

/** Runs an instance and notes how it ended. */
async function supervise(name: string): Promise<void> {
  const { file, instance } = parse(name);
  let code: number | string | null = 'not started';
  try {
    const { program, args, env } = prepareUnit(file, instance);
    const child = spawn(program, [...args], { env, stdio: ['ignore', 'inherit', 'inherit'] });
    writeFileSync(fileOf(name, 'pid'), String(child.pid));
    code = await new Promise((resolve) => child.once('exit', (status, signal) => resolve(status ?? signal)));
  } finally {
    writeFileSync(fileOf(name, 'exit'), String(code));
  }
}

/** @throws Error if the instance does not end in time, or ends with another code than 0. */
async function stop(name: string): Promise<void> {
  const pid = Number(readFileSync(fileOf(name, 'pid'), 'utf8'));
  const until = Date.now() + stopTimeoutMs(parse(name).file);
  process.kill(pid, 'SIGTERM');
  while (!existsSync(fileOf(name, 'exit')) && Date.now() < until) await setTimeout(50);
  const code = existsSync(fileOf(name, 'exit')) ? readFileSync(fileOf(name, 'exit'), 'utf8') : 'its timeout';
  if (code === '0') return;
  if (code === 'its timeout') process.kill(pid, 'SIGKILL');
  throw new Error(`${name} ended with ${code}: ${readFileSync(fileOf(name, 'log'), 'utf8')}`);
}

const [verb = '', ...rest] = process.argv.slice(2);
const names = rest.filter((word) => !word.startsWith('-'));
if (verb === 'supervise') await supervise(names[0] ?? '');
else if (verb === 'reload' && names.join(' ') === 'nginx') await mustRun('nginx', ['-s', 'reload']);
else if (verb === 'enable' || verb === 'start') for (const name of names) await start(name);
else if (verb === 'stop') for (const name of names) await stop(name);
else if (verb !== 'daemon-reload') throw new Error(`systemctl ${verb} is not known here`);
