import { lstatSync, opendirSync, statSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { ignoreMatcher } from '../../../../src-shared/ignore-patterns.ts';
import { nameInPattern } from '../../../../src-shared/name-pattern.ts';
import { errorCode } from '../../common/error-code.ts';
import { fieldAt, parseLayout, type Level } from '../naming/layout.ts';
import { maxNames, type NameList, type ScanRule } from './scan-messages.ts';

/** Names that programs of systems and copiers use for what is not there yet. */
const hidden = /^[.~]/;

/** The folder in which the files of a run are, and the name that they share. */
export interface RunPlace {
  /** Below the watched folder, as on disk; empty for the folder itself. */
  readonly parent: string;
  readonly name: string;
}

export function placeOf(name: string): RunPlace {
  const at = name.lastIndexOf('/');
  return at < 0 ? { parent: '', name } : { parent: name.slice(0, at), name: name.slice(at + 1) };
}

/** The path of a run, or of the folder of its files, on disk. */
export function pathOnDisk(folder: string, name: string): string {
  return path.join(folder, ...name.split('/').filter((part) => part !== ''));
}

/** The name of the run that a file belongs to; null for files of none. */
export function runOfFile({ unit, pattern }: Pick<ScanRule, 'unit' | 'pattern'>, file: string): string | null {
  if (hidden.test(file)) return null;
  const name = nameInPattern(pattern ?? '*', file);
  return unit === 'files' || name === null ? name : file;
}

/** Calls `found` with each run in the watched folder, once. */
function eachRun(rule: ScanRule, found: (name: string) => void, step: () => void): void {
  const levels = parseLayout(rule.layout);
  const ignored = ignoreMatcher(rule.ignore);
  const visit = (parent: string, depth: number): void => {
    const level = levels[depth];
    const isLast = depth === levels.length - 1;
    if (!level) return;
    const seen = new Set<string>();
    for (const entry of entriesOf(pathOnDisk(rule.folder, parent), parent === '')) {
      step();
      const name = isLast ? nameAt(rule, level, entry, ignored) : folderAt(level, entry, ignored);
      if (name === null || seen.has(name)) continue;
      if (rule.unit === 'files') seen.add(name);
      const below = parent === '' ? name : `${parent}/${name}`;
      if (isLast) found(below);
      else visit(below, depth + 1);
    }
  };
  visit('', 0);
}

type Ignored = (name: string, folder: boolean) => boolean;

function folderAt(level: Level, entry: Dirent, ignored: Ignored): string | null {
  const { name } = entry;
  if (!entry.isDirectory() || hidden.test(name) || ignored(name, true)) return null;
  return fieldAt(level, name) === null ? null : name;
}

function nameAt(rule: ScanRule, level: Level, entry: Dirent, ignored: Ignored): string | null {
  if (rule.unit === 'folder') return folderAt(level, entry, ignored);
  return entry.isDirectory() || entry.isSymbolicLink() || ignored(entry.name, false)
    ? null
    : runOfFile(rule, entry.name);
}

/** One entry after the other, because a folder may have a million. */
export function* entriesOf(folder: string, isRoot: boolean): Generator<Dirent> {
  let directory;
  try {
    directory = opendirSync(folder, { bufferSize: 512 });
  } catch (error) {
    // A folder that goes away while it is listed is missing from the list.
    if (!isRoot && (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR')) return;
    throw error;
  }
  try {
    for (let entry = directory.readSync(); entry; entry = directory.readSync()) yield entry;
  } finally {
    directory.closeSync();
  }
}

/** The names of the runs of each rule, as they were listed last. */
export class KnownNames {
  readonly #byRule = new Map<number, { names: Map<string, number>; list: number }>();
  readonly #step: () => void;

  constructor(step: () => void) {
    this.#step = step;
  }

  /** @throws when the folder cannot be read. */
  list(rule: ScanRule): Omit<NameList, 'cost'> {
    // Of what a link leads to, whose disk may be gone.
    const { ino } = statSync(rule.folder, { bigint: true });
    const isFirst = !this.#byRule.has(rule.ruleId);
    const known = this.#byRule.get(rule.ruleId) ?? { names: new Map<string, number>(), list: 0 };
    known.list += 1;
    const added: string[] = [];
    let total = 0;
    let hasMore = false;
    eachRun(
      rule,
      (name) => {
        total += 1;
        if (!known.names.has(name)) {
          hasMore ||= added.length >= maxNames;
          if (added.length >= maxNames) return;
          added.push(name);
        }
        known.names.set(name, known.list);
      },
      this.#step,
    );
    const removed: string[] = [];
    for (const [name, list] of known.names) {
      if (list === known.list) continue;
      if (removed.length >= maxNames) break;
      removed.push(name);
      known.names.delete(name);
    }
    this.#byRule.set(rule.ruleId, known);
    const withInodes = added.map((name) => ({ name, inode: inodeOf(rule, name) }));
    return { root: String(ino), added: withInodes, removed, total, isFirst, hasMore };
  }

  forget(ruleId: number): void {
    this.#byRule.delete(ruleId);
  }

  absent(ruleId: number, names: readonly string[]): readonly string[] {
    const known = this.#byRule.get(ruleId)?.names;
    return names.filter((name) => known?.has(name) !== true);
  }
}

/** Of a run of several files, none, because each has its own. */
function inodeOf({ folder, unit }: ScanRule, name: string): string {
  if (unit === 'files') return '';
  return String(lstatSync(pathOnDisk(folder, name), { bigint: true, throwIfNoEntry: false })?.ino ?? '');
}
