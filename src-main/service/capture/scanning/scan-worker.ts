/**
 * Thread that reads watched folders with synchronous calls: a share that hangs holds this thread
 * alone, and none of the pool that the rest of the service uses for files.
 */
import { closeSync, constants, lstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { workerData } from 'node:worker_threads';
import type { CaptureField } from '../../contract/capture/rules.ts';
import { serveWorker } from '../../workers/worker-server.ts';
import { matchesPattern } from '../../../../src-shared/ignore-patterns.ts';
import { readField } from '../naming/read-field.ts';
import { entriesOf, KnownNames, pathOnDisk, placeOf, runOfFile } from './run-names.ts';
import type { ScanCost, ScanMethods, ScanRule, ScanState } from './scan-messages.ts';
import { scanFiles, scanFolder } from './scan-run.ts';

/** A request ends after the run that it is at by then, so that others get their turn. */
const sliceMs = 250;
const maxFieldBytes = 256 * 1024;

const progress = new Int32Array((workerData as ScanState).progress);
const step = (): void => void Atomics.add(progress, 0, 1);
const known = new KnownNames(step);

serveWorker<ScanMethods>({
  list: async (rule) => costed(() => known.list(rule)),
  forget: async (ruleId) => known.forget(ruleId),
  absent: async (ruleId, names) => known.absent(ruleId, names),
  scan: async (rule, names, ignoreList) =>
    costed(() => {
      if (rule.unit !== 'folder') return { runs: scanFiles(rule, names, ignoreList, step) };
      const runs = [];
      const until = performance.now() + sliceMs;
      for (const name of names) {
        runs.push(scanFolder(rule, name, ignoreList, step));
        if (performance.now() > until) break;
      }
      return { runs };
    }),
  fields: async (rule, name, fields) => readFields(rule, name, fields),
});

function costed<T>(work: () => T): T & { readonly cost: ScanCost } {
  const cpu = process.threadCpuUsage();
  const began = performance.now();
  const result = work();
  const { user, system } = process.threadCpuUsage(cpu);
  return { ...result, cost: { cpuMs: (user + system) / 1000, elapsedMs: performance.now() - began } };
}

function readFields(rule: ScanRule, name: string, fields: readonly CaptureField[]): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const field of fields) {
    const file = fileOfField(rule, name, field.from);
    // A named pipe would hold the thread until somebody writes into it.
    const isFile = file !== null && lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
    const value = isFile ? readField(file, readStart(file), field.key) : null;
    if (value !== null) values[field.name] = value;
  }
  return values;
}

/** The first file, in the order of their names, that a pattern names; null when there is none. */
function fileOfField(rule: ScanRule, name: string, pattern: string): string | null {
  const { parent, name: own } = placeOf(name);
  const parts = pattern.split('/');
  let folder = pathOnDisk(rule.folder, rule.unit === 'folder' ? name : parent);
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1;
    const names: string[] = [];
    for (const entry of entriesOf(folder, false)) {
      const isOwn = rule.unit === 'folder' || runOfFile(rule, entry.name) === own;
      if (isOwn && entry.isDirectory() !== isLast && !entry.isSymbolicLink() && matchesPattern(part, entry.name))
        names.push(entry.name);
    }
    const [first] = names.toSorted();
    if (first === undefined) return null;
    folder = path.join(folder, first);
  }
  return folder;
}

function readStart(file: string): string {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const buffer = Buffer.alloc(maxFieldBytes);
    const bytes = buffer.subarray(0, readSync(handle, buffer, 0, maxFieldBytes, 0));
    // Windows programs write parameters in UTF-16.
    return bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString('utf16le') : bytes.toString('utf8');
  } finally {
    closeSync(handle);
  }
}
