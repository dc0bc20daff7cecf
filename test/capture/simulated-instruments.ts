import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Folders, chance and times that a simulated instrument works with. */
export interface Surroundings {
  /** The watched folder; it may be away for a while. */
  readonly folder: string;
  /** A folder on the same disk that nobody watches. */
  readonly staging: string;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Milliseconds for which a rule wants silence. */
  readonly quietMs: number;
}

/** Writes one run. @returns the name under which it is complete. */
export type Instrument = (surroundings: Surroundings, name: string) => Promise<string>;

const between = ({ random }: Surroundings, from: number, to: number): number => from + random() * (to - from);

/** Tries again while the share is away, as an instrument does. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await pause(50);
    }
  }
}

/** Writes pieces with pauses, as a scan that takes its time. */
async function writeSlowly(around: Surroundings, file: string, pieces: number, maxPauseMs: number): Promise<void> {
  await persist(async () => mkdir(path.dirname(file), { recursive: true }));
  for (let piece = 0; piece < pieces; piece += 1) {
    await persist(async () => {
      const handle = await open(file, piece === 0 ? 'w' : 'a');
      await handle.write(randomBytes(Math.round(between(around, 1, 20_000))));
      await handle.close();
    });
    await pause(between(around, 5, maxPauseMs));
  }
}

/** A marker ends the run; the times of its files are hours away from those of the machine. */
export const withMarker: Instrument = async (around, name) => {
  const run = path.join(around.folder, name);
  for (let file = 0; file < 3; file += 1) {
    await writeSlowly(around, path.join(run, `data-${file}/scan.raw`), 4, 150);
    const skewed = new Date(Date.now() + between(around, -5, 5) * 3_600_000);
    await persist(async () => utimes(path.join(run, `data-${file}/scan.raw`), skewed, skewed));
  }
  await persist(async () => writeFile(path.join(run, 'done.txt'), 'done'));
  // A backup program sets the rights right after the end.
  await pause(between(around, 0, 40));
  await persist(async () => chmod(path.join(run, 'data-0/scan.raw'), 0o640));
  return name;
};

/** The folder has another name until the run is over. */
export const renamedAtTheEnd: Instrument = async (around, name) => {
  const unfinished = path.join(around.folder, `${name}_running`);
  await writeSlowly(around, path.join(unfinished, 'scan.raw'), 5, 150);
  await persist(async () => rename(unfinished, path.join(around.folder, name)));
  await pause(between(around, 0, 200));
  await persist(async () => writeFile(path.join(around.folder, name, 'done.txt'), 'done'));
  return name;
};

/** Registered, and then renamed by whoever tidies up. */
export const renamedLater: Instrument = async (around, name) => {
  await withMarker(around, name);
  await pause(between(around, 300, 1500));
  await persist(async () => rename(path.join(around.folder, name), path.join(around.folder, `${name}_tidy`)));
  return `${name}_tidy`;
};

/** Pauses that grow: the last is longer than the rule waits, and shorter than twice the longest before. */
export const withGrowingPauses: Instrument = async (around, name) => {
  const file = path.join(around.folder, name, 'scan.raw');
  await writeSlowly(around, file, 3, 200);
  await pause(around.quietMs * 0.8);
  await writeSlowly(around, file, 1, 50);
  await pause(around.quietMs * 1.15);
  await writeSlowly(around, file, 2, 50);
  return name;
};

/** The whole size is reserved at the start, and the times are set back after each write. */
export const preAllocating: Instrument = async (around, name) => {
  const file = path.join(around.folder, name, 'scan.raw');
  await fillReserved(around, file);
  return name;
};

async function fillReserved(around: Surroundings, file: string): Promise<void> {
  const piece = 8192;
  const pieces = 8;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, '');
  await truncate(file, piece * pieces);
  const before = new Date(Date.now() - 60_000);
  for (let at = 0; at < pieces; at += 1) {
    const handle = await open(file, 'r+');
    await handle.write(randomBytes(piece), 0, piece, at * piece);
    await handle.utimes(before, before);
    await handle.close();
    await pause(between(around, 20, around.quietMs * 0.6));
  }
}

/** A single file whose size is reserved at the start. */
export const preAllocatedFile: Instrument = async (around, name) => {
  await fillReserved(around, path.join(around.folder, `${name}.raw`));
  return `${name}.raw`;
};

/** Files that share a name; the second begins when the first has ended. */
export const withTwoFiles: Instrument = async (around, name) => {
  await writeSlowly(around, path.join(around.folder, `${name}.wiff`), 3, 200);
  await writeSlowly(around, path.join(around.folder, `${name}.wiff.scan`), 3, 200);
  return name;
};

/** Written elsewhere, and moved in at once. */
export const movedIn: Instrument = async (around, name) => {
  const elsewhere = path.join(around.staging, name);
  await mkdir(elsewhere, { recursive: true });
  for (let file = 0; file < 4; file += 1)
    await writeFile(path.join(elsewhere, `scan-${file}.raw`), randomBytes(Math.round(between(around, 1, 50_000))));
  await pause(between(around, 20, 200));
  await rename(elsewhere, path.join(around.folder, name));
  return name;
};

/** Files still come after the markers, within the time for which the rule waits then. */
export const withLateFiles: Instrument = async (around, name) => {
  const run = path.join(around.folder, name);
  await writeSlowly(around, path.join(run, 'scan.raw'), 3, 100);
  await writeFile(path.join(run, 'RTAComplete.txt'), 'done');
  await pause(between(around, 20, around.quietMs * 0.6));
  await writeFile(path.join(run, 'RunCompletionStatus.xml'), '<done/>');
  for (let late = 0; late < 3; late += 1) {
    await pause(between(around, 20, around.quietMs * 0.6));
    await writeFile(path.join(run, `late-${late}.txt`), randomBytes(200));
  }
  return name;
};

/** A temporary file comes and goes while the run is written. */
export const withTemporaryFiles: Instrument = async (around, name) => {
  const run = path.join(around.folder, name);
  const temporary = path.join(run, 'acquisition.lock');
  await persist(async () => mkdir(run, { recursive: true }));
  await persist(async () => writeFile(temporary, 'locked'));
  await writeSlowly(around, path.join(run, 'scan.raw'), 3, 100);
  await pause(around.quietMs * 1.5);
  await writeSlowly(around, path.join(run, 'index.raw'), 2, 100);
  await persist(async () => rm(temporary));
  return name;
};
