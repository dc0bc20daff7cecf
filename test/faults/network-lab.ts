// Run by `unshare -n`: a server in this network namespace, and a process that fetches from it in
// another, joined by a virtual cable that is unplugged for a while. Prints the result as one line
// of JSON.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ChildOrder, ChildReport } from './fetch-child.ts';
import { startFaultServer } from './fault-server.ts';
import { generateMeasurement, smallFiles } from './measurement.ts';

export interface NetworkReport {
  readonly report: ChildReport | null;
  readonly bytesSent: number;
  readonly bytes: number;
  readonly maxConnections: number;
}

const [, , folder = '', downMilliseconds = '0'] = process.argv;
const mebibyte = 1024 * 1024;
const measurement = generateMeasurement('run-12', 23, [['big.bin', 16 * mebibyte], ...smallFiles(40, 5000)]);
const ip = (...args: readonly string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] });

ip('link', 'set', 'lo', 'up');
ip('link', 'add', 'cable', 'type', 'veth', 'peer', 'name', 'far');
ip('addr', 'add', '10.0.0.1/24', 'dev', 'cable');
ip('link', 'set', 'cable', 'up');
const server = await startFaultServer(measurement, { host: '10.0.0.1', pace: 20_000_000 });
const order: ChildOrder = {
  database: path.join(folder, 'journal.db'),
  baseUrl: server.url,
  measurementId: measurement.id,
  target: path.join(folder, 'm'),
  connections: 4,
  silence: 1000,
};
// The program waits for a line, so that its network exists before it starts.
const start = [
  '-n',
  'sh',
  '-c',
  'read -r line && exec "$@"',
  'sh',
  process.execPath,
  path.join(import.meta.dirname, 'fetch-child.ts'),
  JSON.stringify(order),
];
const child = spawn('unshare', start, { stdio: ['pipe', 'pipe', 'inherit'] });
let text = '';
child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
const ended = once(child, 'close');
const network = `/proc/${child.pid}/ns/net`;
const there = (...args: readonly string[]) =>
  execFileSync('nsenter', [`--net=${network}`, 'ip', ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
// unshare becomes sh once it is in its own network; then the cable can be attached.
while (
  execFileSync('readlink', [network], { encoding: 'utf8' }) ===
  execFileSync('readlink', ['/proc/self/ns/net'], { encoding: 'utf8' })
)
  await wait(10);
ip('link', 'set', 'far', 'netns', String(child.pid));
there('addr', 'add', '10.0.0.2/24', 'dev', 'far');
there('link', 'set', 'far', 'up');
child.stdin.end('go\n');
while (server.bytesSent() < 4 * mebibyte) await wait(5);
there('link', 'set', 'far', 'down');
await wait(Number(downMilliseconds));
there('link', 'set', 'far', 'up');
await ended;
const line = text.trim().split('\n').at(-1) ?? '';
const bytes = measurement.files.reduce((sum, file) => sum + file.length, 0);
const report: NetworkReport = {
  report: line === '' ? null : (JSON.parse(line) as ChildReport),
  bytesSent: server.bytesSent(),
  bytes,
  maxConnections: server.maxConnections(),
};
console.log(JSON.stringify(report));
await server.stop();
