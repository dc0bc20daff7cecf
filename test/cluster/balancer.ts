import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { mustRun } from '../service/run-program.ts';

export type BalancerKind = 'nginx' | 'haproxy';

export interface Balancer {
  readonly url: string;
  end(): Promise<void>;
}

interface Place {
  readonly dir: string;
  readonly host: string;
  readonly port: number;
  /** Of the replicas. */
  readonly ports: readonly number[];
}

/** The file of deploy/ for a balancer, with addresses of a test and without TLS. */
async function configurationOf(kind: BalancerKind, place: Place): Promise<string> {
  const name = kind === 'nginx' ? 'nginx.conf' : 'haproxy.cfg';
  const text = await readFile(path.resolve(import.meta.dirname, '../../deploy', name), 'utf8');
  return kind === 'nginx' ? nginxText(text, place) : haproxyText(text, place);
}

/** Replaces what a person edits. @throws Error where the file no longer has it. */
function edited(text: string, edits: readonly (readonly [RegExp, string])[]): string {
  return edits.reduce((before, [from, to]) => {
    if (!from.test(before)) throw new Error(`the file has no ${String(from)}`);
    return before.replace(from, to);
  }, text);
}

function nginxText(text: string, { dir, port, ports, host }: Place): string {
  const servers = ports.map((own) => `server 127.0.0.1:${own} max_fails=1 fail_timeout=2s;`).join('\n  ');
  const site = edited(text, [
    [/(?:server 127\.0\.0\.1:742\d [^\n]*\n\s*)+/, `${servers}\n  `],
    [/listen 443 ssl;/, `listen 127.0.0.1:${port};`],
    [/server_name bench\.lab\.example;/, `server_name ${host};`],
    [/ssl_certificate [^\n]*\n\s*ssl_certificate_key [^\n]*/, ''],
  ]);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${dir}/nginx/${name};`)
    .join(' ');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `${user} daemon off; pid ${dir}/nginx/pid; error_log ${dir}/nginx/error.log warn; events {} http { access_log off; ${temporary}\n${site}\n}`;
}

function haproxyText(text: string, { port, ports, host }: Place): string {
  const servers = ports.map((own, at) => `  server replica${at + 1} 127.0.0.1:${own}`).join('\n');
  return edited(text, [
    [/(?: *server \w+ 127\.0\.0\.1:742\d\n?)+/, `${servers}\n`],
    [/bind :443 [^\n]*/, `bind 127.0.0.1:${port}`],
    [/hdr Host bench\.lab\.example/, `hdr Host ${host}:${port}`],
  ]);
}

/** Starts the real program with the file of deploy/; refused if the program finds a mistake in it. */
export async function startBalancer(kind: BalancerKind, place: Place): Promise<Balancer> {
  const own = path.join(place.dir, kind);
  await mkdir(own);
  const file = path.join(own, 'configuration');
  await writeFile(file, await configurationOf(kind, place));
  const args = kind === 'nginx' ? ['-p', own, '-c', file, '-e', path.join(own, 'error.log')] : ['-f', file];
  await mustRun(kind, [...args, kind === 'nginx' ? '-t' : '-c']);
  const child = spawn(kind, [...args], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${place.port}`;
  for (let tries = 0; ; tries += 1) {
    const status = await fetch(`${url}/-/readiness`, { headers: { host: place.host } }).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) break;
    if (child.exitCode !== null || tries > 300) throw new Error(`${kind} does not answer`);
    await setTimeout(50);
  }
  return {
    url,
    end: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
