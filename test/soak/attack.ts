import Database from 'better-sqlite3';
import { fork, type ChildProcess } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { ServiceProcess } from './service-process.ts';
import type { World } from './world.ts';

/** Duration of a response of `/-/health`; `from` is milliseconds since 1970. */
export interface HealthSample {
  readonly from: number;
  readonly ms: number;
  /**
   * Milliseconds of it for which the service or the client was runnable without a processor,
   * because of other programs.
   */
  readonly withoutProcessor: number;
  readonly status: number;
}

export interface AttackReport {
  /**
   * Milliseconds until `/-/health` was answered, also during the load, except around kills; `own`
   * is the maximum without the wait for a processor.
   */
  readonly health: {
    readonly asked: number;
    readonly median: number;
    readonly max: number;
    readonly own: number;
    readonly failed: number;
  };
  /** MiB of RAM, before the attack and fifteen seconds after its end. */
  readonly memory: { readonly before: number; readonly max: number; readonly after: number };
  /**
   * Growth of database and log in MiB a minute under attack alone, and the maximum length of the
   * log.
   */
  readonly growth: { readonly perMinute: number; readonly maxLog: number };
  readonly faults: readonly string[];
}

const mebibyte = 1024 * 1024;
const max = { healthMs: 1000, memory: 400, growth: 1, log: 16 };
const lookEvery = 250;
const warmUp = 30_000;
const alone = 60_000;
const restAfter = 15_000;
/** A service that has just restarted may still close connections from before. */
const backAfter = 1000;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * An attacker with its own address, user and client key: unfinished requests, slow readers, hostile
 * events, tiny ranges. The service must respond, stay small, and write little.
 */
export class Attack {
  readonly #main: ServiceProcess;
  readonly #asking: ChildProcess;
  readonly #attacker: ChildProcess;
  readonly #health: HealthSample[] = [];
  readonly #timer: NodeJS.Timeout;
  #told = 0;
  readonly #memory = { before: 0, max: 0, after: 0 };
  readonly #growth = { perMinute: 0, maxLog: 0 };

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

  /** Measures how much the attacker alone makes the service write, before other load starts. */
  async measureGrowth(): Promise<void> {
    await wait(warmUp);
    const [from, before] = [performance.now(), await writtenBytes(this.#main)];
    await wait(alone);
    this.#growth.perMinute =
      ((await writtenBytes(this.#main)) - before) / mebibyte / ((performance.now() - from) / 60_000);
  }

  /** Ends the attacker, and waits until its leftovers are gone. */
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
      max: sorted.at(-1)?.ms ?? Infinity,
      own,
      failed,
    };
    const [memory, growth] = [this.#memory, this.#growth];
    const faults = [
      ...(failed === 0 ? [] : [`${failed} of ${known.length} questions for the health were not answered`]),
      ...(known.length > 0 && own < max.healthMs
        ? []
        : [`the service took ${Math.round(own)} ms to answer for its health`]),
      ...(memory.max < max.memory ? [] : [`${Math.round(memory.max)} MiB of memory`]),
      ...(growth.perMinute < max.growth ? [] : [`the database grew by ${growth.perMinute.toFixed(2)} MiB a minute`]),
      ...(growth.maxLog < max.log ? [] : [`the log of the database was ${Math.round(growth.maxLog)} MiB long`]),
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
    this.#memory.max = Math.max(this.#memory.max, rssOf(this.#main));
    this.#growth.maxLog = Math.max(this.#growth.maxLog, (await sizeOf(`${databaseOf(this.#main)}-wal`)) / mebibyte);
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

/** Bytes of the database with the content of its log, whose file keeps its maximum length. */
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
