import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { nginxVersion } from './servers/nginx.ts';

/**
 * Describes the machine, without its name and paths. @param programs the versions of the measured
 * programs.
 */
export function machineLines(programs: readonly string[]): readonly string[] {
  return [
    `${os.availableParallelism()} cores (${os.cpus()[0]?.model ?? 'unknown'}, ${os.arch()}), ${Math.round(os.totalmem() / 2 ** 30)} GiB memory`,
    `${os.type()} ${os.release().split('-')[0] ?? ''}, ${firstLine('curl', '--version')}, ${firstLine('sha256sum', '--version')}`,
    [`Node ${process.versions.node}`, ...programs].join(', '),
  ];
}

/** Versions of the other servers of measurements. */
export function servingPrograms(): readonly string[] {
  return [nginxVersion(), ...['fastify', '@fastify/static', 'better-sqlite3', 'archiver', 'yazl'].map(packageVersion)];
}

/** PostgreSQL, the drivers of both databases, and the other programs on it. */
export function clusterPrograms(postgres: string, bugsink: string): readonly string[] {
  return [postgres, ...['fastify', 'better-sqlite3', 'pg', 'oidc-provider'].map(packageVersion), bugsink];
}

/** The storage, and what we read it with. */
export function objectsPrograms(storage: string): readonly string[] {
  return [storage.slice(storage.lastIndexOf('/') + 1), ...['fastify', 'better-sqlite3', 'aws4'].map(packageVersion)];
}

/** The other programs that copy files to a server. */
export function copyPrograms(): readonly string[] {
  return [
    firstLine('rsync', '--version'),
    firstLine('rclone', 'version'),
    `OpenSSH ${firstWord('dpkg-query', '-W', '-f=${Version}', 'openssh-server')}`,
  ];
}

/** The peers of the OAuth provider, with their runtimes. */
export function oauthPrograms(): readonly string[] {
  const debian = ['ruby-doorkeeper', 'ruby-railties', 'puma', 'ruby'].map(
    (name) => `${name} ${firstWord('dpkg-query', '-W', '-f=${Version}', name)}`,
  );
  return [...['fastify', 'better-sqlite3', 'oidc-provider'].map(packageVersion), ...debian];
}

/**
 * Versions of the other error tracker.
 * @param bugsink its version.
 */
export function errorPrograms(bugsink: string): readonly string[] {
  return [...['fastify', 'better-sqlite3'].map(packageVersion), bugsink];
}

/** Versions of the other download clients, and of the servers that they use. */
export function fetchPrograms(): readonly string[] {
  return [nginxVersion(), firstLine('aria2c', '--version'), ...['fastify', 'better-sqlite3'].map(packageVersion)];
}

function packageVersion(name: string): string {
  const file = path.resolve(import.meta.dirname, '../../node_modules', name, 'package.json');
  return `${name} ${(JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version}`;
}

function firstWord(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8' }).split(/\s/)[0] ?? '';
}

function firstLine(command: string, argument: string): string {
  return (execFileSync(command, [argument], { encoding: 'utf8' }).split('\n')[0] ?? '').split(' (')[0]?.trim() ?? '';
}
