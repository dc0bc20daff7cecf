import Database from 'better-sqlite3';
import { fork, type ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { ServiceProcess } from './service-process.ts';
import type { World } from './world.ts';

/** How long `/-/health` took to answer; `from` is milliseconds since 1970. */
export interface HealthSample {
  readonly from: number;
  readonly ms: number;
  /** Milliseconds of them for which the service or who asked could run and had no processor, because others had it. */
  readonly withoutProcessor: number;
  readonly status: number;
}

export interface AttackReport {
  /** Milliseconds until `/-/health` was answered, also beside the load, but for the times in which the service was killed; `own` is the most without waiting for a processor. */
  readonly health: {
    readonly asked: number;
    readonly median: number;
    readonly most: number;
    readonly own: number;
    readonly failed: number;
  };
  /** MiB of RAM, before the attack and a quarter of a minute after its end. */
  readonly memory: { readonly before: number; readonly most: number; readonly after: number };
  /** MiB a minute by which database and log grew while nobody but the attacker was there, and the longest that the log was. */
  readonly growth: { readonly perMinute: number; readonly longestLog: number };
  readonly faults: readonly string[];
}

const mebibyte = 1024 * 1024;
const most = { healthMs: 1000, memory: 400, growth: 1, log: 16 };
const lookEvery = 250;
const warmUp = 30_000;
const alone = 60_000;
const restAfter = 15_000;
/** A service that has just restarted may still close connections from before. */
const backAfter = 1000;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * An attacker beside a service: unfinished requests, slow readers, hostile events, tiny ranges, from an address of its own, as a user and with a client key
 * of its own. The service must answer, stay small, and write little.
 */
export class Attack {
  readonly #main: ServiceProcess;
  readonly #asking: ChildProcess;
  readonly #attacker: ChildProcess;
  readonly #health: HealthSample[] = [];
  readonly #timer: NodeJS.Timeout;
  #told = 0;
  readonly #memory = { before: 0, most: 0, after: 0 };
  readonly #growth = { perMinute: 0, longestLog: 0 };

  constructor({ main, attacker }: Pick<World, 'main' | 'attacker'>) {
    this.#main = main;
    this.#memory.before = rssOf(main);
    this.#asking = fork(path.resolve(import.meta.dirname, 'ask-health.ts'), [main.url]);
    this.#asking.on('message', (sample: HealthSample) => void this.#health.push(sample));
    const { token, project } = attacker;
    this.#attacker = fork(path.resolve(import.meta.dirname, 'attacker.ts'), [
      main.url,
      token,
      String(project.id),
      project.key,
    ]);
    this.#timer = setInterval(() => void this.#look(), lookEvery);
  }

  /** Measures how much the attacker alone has the service write. To be called before anybody else is there. */
  async measureGrowth(): Promise<void> {
    await wait(warmUp);
    const [from, before] = [performance.now(), await writtenBytes(this.#main)];
    await wait(alone);
    this.#growth.perMinute =
      ((await writtenBytes(this.#main)) - before) / mebibyte / ((performance.now() - from) / 60_000);
  }

  /** Ends the attacker, and waits for what it leaves behind. */
  async end(): Promise<void> {
    this.stop();
    await wait(restAfter);
    this.#memory.after = rssOf(this.#main);
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const child of [this.#attacker, this.#asking]) child.kill('SIGKILL');
  }

  report(): AttackReport {
    const known = this.#health.filter((sample) => !this.#wasAway(sample));
    const failed = known.filter(({ status }) => status !== 200).length;
    const sorted = known.toSorted((a, b) => a.ms - b.ms);
    const own = Math.max(...known.map((sample) => sample.ms - sample.withoutProcessor));
    const health = {
      asked: known.length,
      median: sorted[Math.floor(sorted.length / 2)]?.ms ?? 0,
      most: sorted.at(-1)?.ms ?? Infinity,
      own,
      failed,
    };
    const [memory, growth] = [this.#memory, this.#growth];
    const faults = [
      ...(failed === 0 ? [] : [`${failed} of ${known.length} questions for the health were not answered`]),
      ...(known.length > 0 && own < most.healthMs
        ? []
        : [`the service took ${Math.round(own)} ms to answer for its health`]),
      ...(memory.most < most.memory ? [] : [`${Math.round(memory.most)} MiB of memory`]),
      ...(growth.perMinute < most.growth ? [] : [`the database grew by ${growth.perMinute.toFixed(2)} MiB a minute`]),
      ...(growth.longestLog < most.log
        ? []
        : [`the log of the database was ${Math.round(growth.longestLog)} MiB long`]),
    ];
    return { health, memory, growth, faults };
  }

  #wasAway({ from, ms }: HealthSample): boolean {
    const asked = from - performance.timeOrigin;
    return this.#main.outages.some((outage) => outage.from <= asked + ms && asked <= outage.to + backAfter);
  }

  async #look(): Promise<void> {
    const { pid } = this.#main;
    if (pid !== this.#told && this.#asking.connected) this.#asking.send(pid);
    this.#told = pid;
    this.#memory.most = Math.max(this.#memory.most, rssOf(this.#main));
    this.#growth.longestLog = Math.max(
      this.#growth.longestLog,
      (await sizeOf(`${databaseOf(this.#main)}-wal`)) / mebibyte,
    );
  }
}

function rssOf(service: ServiceProcess): number {
  return (service.usage()?.rss ?? 0) / mebibyte;
}

const databaseOf = ({ dataDir }: ServiceProcess): string => path.join(dataDir, 'benchport.db');

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Bytes of the database with all that its log holds: a log alone is as long as its longest time, whatever is in it. */
async function writtenBytes(main: ServiceProcess): Promise<number> {
  const file = databaseOf(main);
  const database = new Database(file, { timeout: 1000 });
  try {
    const isDone = (): boolean => database.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0;
    for (let tries = 0; !isDone(); tries += 1) {
      if (tries === 20) throw new Error('the log of the database could not be brought into it');
      await wait(50);
    }
  } finally {
    database.close();
  }
  return (await sizeOf(file)) + (await sizeOf(`${file}-wal`));
}
