import type { ServiceProcess } from './service-process.ts';

interface Sample {
  readonly at: number;
  readonly pid: number;
  readonly rss: number;
  readonly descriptors: number;
}

export interface MemoryVerdict {
  readonly name: string;
  /** Medians in MiB of the first and of the last third of the judged time. */
  readonly first: number;
  readonly last: number;
  readonly max: number;
  /** Medians of open files, and their maximum. */
  readonly openFiles: { readonly first: number; readonly last: number; readonly max: number };
  readonly judged: boolean;
  readonly flat: boolean;
}

const everySecond = 1000;
const mebibyte = 1024 * 1024;
/**
 * Permitted growth of a process from the first third to the last: caches of SQLite and V8 fill
 * late.
 */
const growthAllowed = 1.12;
const growthAllowedBytes = 24 * mebibyte;
/** Permitted growth of open files: connections and library files vary. */
const moreOpenAllowed = 100;
const shortestJudged = 4 * 60_000;

/** Samples memory and open files of the services once a second. */
export class MemoryWatch {
  readonly #services: readonly ServiceProcess[];
  readonly #samples = new Map<string, Sample[]>();
  readonly #timer: NodeJS.Timeout;

  constructor(services: readonly ServiceProcess[]) {
    this.#services = services;
    this.#timer = setInterval(() => this.#look(), everySecond);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Flat means for a process between two kills, without its first sixth: the median of the last
   * third is at max 12 % or 24 MiB above that of the first, with at max a hundred more open
   * files. Only periods of four minutes or more are judged.
   */
  judge(from: number, to: number): readonly MemoryVerdict[] {
    return this.#services.map(({ name }) => {
      const within = (this.#samples.get(name) ?? []).filter((sample) => sample.at >= from && sample.at <= to);
      const pid = within[Math.floor(within.length / 2)]?.pid;
      const all = within.filter((sample) => sample.pid === pid);
      const warm = all.slice(Math.floor(all.length / 6));
      const third = Math.max(1, Math.floor(warm.length / 3));
      const [early, late] = [warm.slice(0, third), warm.slice(-third)];
      const [first, last] = [median(early.map(({ rss }) => rss)), median(late.map(({ rss }) => rss))];
      const open = (samples: readonly Sample[]) => samples.map(({ descriptors }) => descriptors);
      const openFiles = { first: median(open(early)), last: median(open(late)), max: Math.max(0, ...open(all)) };
      const judged = (warm.at(-1)?.at ?? 0) - (warm[0]?.at ?? 0) >= shortestJudged;
      return {
        name,
        first: Math.round(first / mebibyte),
        last: Math.round(last / mebibyte),
        max: Math.round(Math.max(0, ...all.map(({ rss }) => rss)) / mebibyte),
        openFiles,
        judged,
        flat:
          !judged ||
          (last <= Math.max(first * growthAllowed, first + growthAllowedBytes) &&
            openFiles.last <= openFiles.first + moreOpenAllowed),
      };
    });
  }

  #look(): void {
    for (const service of this.#services) {
      const usage = service.usage();
      if (!usage) continue;
      const list = this.#samples.get(service.name) ?? [];
      this.#samples.set(service.name, list);
      list.push({ at: performance.now(), pid: service.pid, ...usage });
    }
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
