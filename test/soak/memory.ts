import type { ServiceProcess } from './service-process.ts';

interface Sample {
  readonly at: number;
  readonly pid: number;
  readonly rss: number;
  readonly descriptors: number;
}

export interface MemoryVerdict {
  readonly name: string;
  /** Medians in MiB: of the first and of the last third of what is judged. */
  readonly first: number;
  readonly last: number;
  readonly most: number;
  /** Open files: medians of the same, and the most. */
  readonly openFiles: { readonly first: number; readonly last: number; readonly most: number };
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
/** Of open files: connections and files of the library come and go. */
const moreOpenAllowed = 100;
const shortestJudged = 4 * 60_000;

/** Looks at the memory and the open files of the services once a second. */
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
   * Flat is: of a process that was not killed between two times, the median in the last third is no more than 12 % or 24 MiB above that in the first,
   * the first sixth of it left out, and no more than a hundred files more are open. Judged where that was four minutes or more.
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
      const openFiles = { first: median(open(early)), last: median(open(late)), most: Math.max(0, ...open(all)) };
      const judged = (warm.at(-1)?.at ?? 0) - (warm[0]?.at ?? 0) >= shortestJudged;
      return {
        name,
        first: Math.round(first / mebibyte),
        last: Math.round(last / mebibyte),
        most: Math.round(Math.max(0, ...all.map(({ rss }) => rss)) / mebibyte),
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
