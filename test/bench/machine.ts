import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { nginxVersion } from './servers/nginx.ts';

/** The shape of the machine, without its name and without paths. */
export function machineLines(): readonly string[] {
  const packages = ['fastify', '@fastify/static', 'better-sqlite3', 'archiver', 'yazl'].map((name) => `${name} ${versionOf(name)}`);
  return [
    `${os.availableParallelism()} cores (${os.cpus()[0]?.model ?? 'unknown'}, ${os.arch()}), ${Math.round(os.totalmem() / 2 ** 30)} GiB memory`,
    `${os.type()} ${os.release().split('-')[0] ?? ''}, ${firstLine('curl', '--version')}, ${firstLine('sha256sum', '--version')}`,
    `Node ${process.versions.node}, ${nginxVersion()}, ${packages.join(', ')}`,
  ];
}

function versionOf(name: string): string {
  const file = path.resolve(import.meta.dirname, '../../node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}

function firstLine(command: string, argument: string): string {
  return (execFileSync(command, [argument], { encoding: 'utf8' }).split('\n')[0] ?? '').split(' (')[0]?.trim() ?? '';
}
