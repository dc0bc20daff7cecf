import { lstatSync, type BigIntStats } from 'node:fs';
import path from 'node:path';
import { ignoreMatcher, matchesPattern } from '../../../../src-shared/ignore-patterns.ts';
import { errorCode } from '../../common/error-code.ts';
import { ListSignature } from '../../files/list-signature.ts';
import { failureText } from '../../files/register-failures.ts';
import { entriesOf, pathOnDisk, placeOf, runOfFile } from './run-names.ts';
import type { ScannedRun, ScanRule } from './scan-messages.ts';

/** Collects what one look at a run finds. */
class RunLook {
  readonly #rule: ScanRule;
  readonly #name: string;
  readonly #isIgnored: (name: string, folder: boolean) => boolean;
  readonly #activity = new ListSignature();
  readonly #signature: ListSignature;
  readonly #missing: Set<string>;
  #files = 0;
  #bytes = 0;
  #newest = 0n;
  #isOlder = true;
  #unfinished: string | null = null;
  failure: string | null = null;

  /** @param stem left out of the signature, see `stemOf`. */
  constructor(rule: ScanRule, name: string, ignoreList: readonly string[], stem: string) {
    this.#rule = rule;
    this.#name = name;
    this.#signature = new ListSignature(stem);
    this.#isIgnored = ignoreMatcher(ignoreList);
    this.#missing = new Set(rule.markers);
  }

  /** A file, or a folder, whose path is relative to the run. */
  add(shown: string, name: string, stats: BigIntStats): void {
    const { size, mtimeNs, ctimeNs, blocks } = stats;
    const isFolder = stats.isDirectory();
    // A change of rights alone changes ctime: it delays a registration, and never ends one.
    const entry = isFolder
      ? { path: `${shown}/`, length: 0, mtimeNs: 0n }
      : { path: shown, length: Number(size), mtimeNs };
    this.#activity.add(entry, isFolder ? '' : `${ctimeNs} ${blocks}`);
    if (ctimeNs > this.#newest) this.#newest = ctimeNs;
    this.#seeSigns(shown);
    if (isFolder || this.#isIgnored(name, false)) return;
    if (mtimeNs >= ctimeNs) this.#isOlder = false;
    this.#signature.add(entry);
    this.#files += 1;
    this.#bytes += Number(size);
  }

  #seeSigns(shown: string): void {
    for (const marker of this.#missing) if (matchesPath(marker, shown)) this.#missing.delete(marker);
    this.#unfinished ??= this.#rule.unfinished.some((pattern) => matchesPath(pattern, shown)) ? shown : null;
  }

  /** @param own of the run's folder, which a move changes and what is written below it does not. */
  finish(inode: string, own: BigIntStats | null): ScannedRun {
    return {
      name: this.#name,
      exists: own !== null || this.#files > 0,
      failure: this.failure,
      inode,
      fileCount: this.#files,
      totalBytes: this.#bytes,
      activity: this.#activity.finish(),
      signature: this.#signature.finish(),
      missingMarkers: [...this.#missing],
      unfinished: this.#unfinished,
      isMovedIn: own === null ? this.#files > 0 && this.#isOlder : this.#newest < own.ctimeNs,
    };
  }
}

/** Level by level, so that `*` stays within one. */
function matchesPath(pattern: string, shown: string): boolean {
  const wanted = pattern.split('/');
  const parts = shown.split('/');
  return wanted.length === parts.length && wanted.every((one, at) => matchesPattern(one, parts[at] ?? ''));
}

/** The part of its files' names that is the run's own, so that a renamed run has the same signature. */
export function stemOf({ unit }: Pick<ScanRule, 'unit'>, name: string): string {
  return unit === 'folder' ? '' : placeOf(name).name;
}

/** Looks at a run that is a folder. */
export function scanFolder(rule: ScanRule, name: string, ignoreList: readonly string[], step: () => void): ScannedRun {
  const root = pathOnDisk(rule.folder, name);
  const look = new RunLook(rule, name, [...ignoreList, ...rule.ignore], '');
  const own = statsOf(root);
  if (own === null || !own.isDirectory()) return look.finish('', null);
  const isLeftOut = ignoreMatcher(rule.ignore);
  const isIgnored = ignoreMatcher([...ignoreList, ...rule.ignore]);
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const native = pathOnDisk(root, folder);
    try {
      for (const entry of entriesOf(native, false)) {
        step();
        const shown = folder === '' ? entry.name : `${folder}/${entry.name}`;
        // Files of the general ignore list count as activity, because some are still being written.
        if (isLeftOut(entry.name, entry.isDirectory())) continue;
        const stats = statsOf(path.join(native, entry.name));
        if (stats === null) continue;
        look.add(shown.normalize('NFC'), entry.name, stats);
        if (stats.isDirectory() && !isIgnored(entry.name, true)) folders.push(shown);
      }
    } catch (error) {
      if (errorCode(error) === '') throw error;
      look.failure ??= `${folder === '' ? name : folder}: ${failureText(error)}`;
    }
  }
  return look.finish(String(own.ino), own);
}

/** Looks at runs that are files, in one pass over each of their folders. */
export function scanFiles(
  rule: ScanRule,
  names: readonly string[],
  ignoreList: readonly string[],
  step: () => void,
): readonly ScannedRun[] {
  const looks = new Map(
    names.map((name) => [name, { look: new RunLook(rule, name, ignoreList, stemOf(rule, name)), inode: '' }]),
  );
  const isLeftOut = ignoreMatcher(rule.ignore);
  for (const parent of new Set(names.map((name) => placeOf(name).parent))) {
    const folder = pathOnDisk(rule.folder, parent);
    for (const entry of entriesOf(folder, parent === '')) {
      step();
      if (entry.isDirectory() || isLeftOut(entry.name, false)) continue;
      const run = runOfFile(rule, entry.name);
      const found = run === null ? undefined : looks.get(parent === '' ? run : `${parent}/${run}`);
      if (!found) continue;
      const stats = statsOf(path.join(folder, entry.name));
      if (stats === null || stats.isDirectory()) continue;
      found.look.add(entry.name.normalize('NFC'), entry.name, stats);
      if (rule.unit === 'file') found.inode = String(stats.ino);
    }
  }
  return [...looks.values()].map(({ look, inode }) => look.finish(inode, null));
}

/** @returns null for what is not there; throws for what cannot be read. */
function statsOf(file: string): BigIntStats | null {
  return lstatSync(file, { bigint: true, throwIfNoEntry: false }) ?? null;
}
