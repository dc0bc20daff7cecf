import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { FromService } from '../../src-main/service/process/host-protocol.ts';
import { serviceArguments, serviceVariables } from '../../src-main/shell/service/service-arguments.ts';

const root = path.resolve(import.meta.dirname, '../..');
const maxStartMs = 60_000;

/** A period in which a service was away, or its disk full; milliseconds of `performance.now()`. */
export interface Interval {
  readonly from: number;
  to: number;
}

/** A line of a service's log that reports an error. */
export interface ErrorLine {
  readonly at: number;
  readonly text: string;
}

/**
 * A built service in a separate process, started as the window starts it: with a private socket,
 * and restarted after each kill on the same port.
 */
export class ServiceProcess {
  readonly name: string;
  readonly dataDir: string;
  readonly socketPath: string;
  readonly secret = randomBytes(32).toString('hex');
  readonly outages: Interval[] = [];
  readonly errorLines: ErrorLine[] = [];
  readonly #entry: string;
  #child: ChildProcess | null = null;
  #url = '';
  kills = 0;
  /** Whether retention has removed events because the disk was nearly full. */
  madeRoom = false;

  constructor(name: string, dir: string, entry: string) {
    this.name = name;
    this.dataDir = path.join(dir, `${name}-data`);
    this.socketPath = path.join(dir, `${name}.sock`);
    this.#entry = entry;
  }

  get url(): string {
    return this.#url;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async start(): Promise<void> {
    const child = fork(this.#entry, [], {
      execPath: process.execPath,
      execArgv: [...serviceArguments],
      serialization: 'advanced',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, ...serviceVariables, BENCHPORT_LOG: 'info', NODE_OPTIONS: '' },
    });
    this.#child = child;
    let rest = '';
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#hear(line);
    });
    child.stdout?.resume();
    const ready = new Promise<string>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${this.name} was not ready within a minute`)), maxStartMs);
      child.on('message', (message: FromService) => {
        clearTimeout(late);
        if (message.type === 'ready') resolve(message.url);
        else if (message.type === 'failed') reject(new Error(`${this.name} cannot start: ${message.message}`));
      });
      child.once('exit', (code) => {
        clearTimeout(late);
        reject(new Error(`${this.name} ended with ${code} instead of starting`));
      });
    });
    const port = this.#url === '' ? 0 : Number(new URL(this.#url).port);
    const options = {
      dataDir: this.dataDir,
      socketPath: this.socketPath,
      secret: this.secret,
      host: '127.0.0.1',
      port,
      assetsDir: path.join(root, 'assets'),
      rendererDir: path.join(root, 'out/renderer'),
    };
    child.send({ type: 'start', options });
    this.#url = await ready;
  }

  /** Kills it, and restarts it. */
  async killAndStart(): Promise<void> {
    const outage: Interval = { from: performance.now(), to: Infinity };
    this.outages.push(outage);
    this.kills += 1;
    const child = this.#child;
    const gone = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGKILL');
    await gone;
    await this.start();
    outage.to = performance.now();
  }

  /** Stops it as the window does. @returns its exit status. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    if (!child) return null;
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.send({ type: 'stop' });
    return ended;
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  /** Resident bytes, and open files; null while it is away. */
  usage(): { readonly rss: number; readonly descriptors: number } | null {
    try {
      const pages = Number(readFileSync(`/proc/${this.pid}/statm`, 'utf8').split(' ')[1]);
      return { rss: pages * 4096, descriptors: readdirSync(`/proc/${this.pid}/fd`).length };
    } catch {
      return null;
    }
  }

  /** Listening addresses, of all networks. */
  listensOn(): readonly string[] {
    const sockets = new Set(
      readdirSync(`/proc/${this.pid}/fd`).flatMap((fd) => {
        try {
          return [/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${this.pid}/fd/${fd}`))?.[1] ?? ''];
        } catch {
          return [];
        }
      }),
    );
    return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((protocol) =>
      readFileSync(`/proc/${this.pid}/net/${protocol}`, 'utf8')
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(/\s+/))
        .filter((fields) => sockets.has(fields[9] ?? '-') && (protocol.startsWith('udp') || fields[3] === '0A'))
        .map((fields) => `${protocol} ${fields[1]}`),
    );
  }

  #hear(line: string): void {
    if (line.includes('nearly full')) this.madeRoom = true;
    const level = /^\{"level":(\d+)/.exec(line)?.[1];
    // Outside of the log, empty lines are ignored.
    if (level === undefined ? line.trim() !== '' : Number(level) >= 50)
      this.errorLines.push({ at: performance.now(), text: line });
  }
}
