import { failureText, isGone } from './register-failures.ts';
import { foldedPath, isOrdinaryPath, pathRefusal, pathWarnings } from './names.ts';
import { compareCodePoints } from '../../../src-shared/measurement-names.ts';
import { grouped } from '../common/grouped.ts';

/** A file as a measurement would contain it. */
export interface ListedFile {
  /** Relative path, separated by `/`, in NFC. */
  readonly path: string;
  /**
   * Where the bytes are read: the relative path exactly as on disk, or the location of an entry in
   * an archive.
   */
  readonly source: string;
  readonly length: number;
  readonly mtimeNs: string;
}

/** Findings of one kind: the first hundred (of refusals ten thousand), and their total. */
export interface Findings {
  readonly shown: readonly string[];
  readonly total: number;
}

export interface Listing {
  /** In manifest order. */
  readonly files: readonly ListedFile[];
  readonly totalBytes: number;
  readonly ignored: Findings;
  readonly warnings: Findings;
  readonly refusals: Findings;
  /** Whether something that was listed was gone when it was looked at. */
  readonly isChanging: boolean;
}

const maxFindings = 100;
/**
 * More than of other findings, because they are stored with a measurement that is registered
 * without them.
 */
const maxRefusals = 10_000;
const maxFiles = 2_147_483_647;

class FindingList {
  readonly #shown: string[] = [];
  readonly #max: number;
  #total = 0;

  constructor(max = maxFindings) {
    this.#max = max;
  }

  add(finding: string): void {
    this.#total += 1;
    if (this.#shown.length < this.#max) this.#shown.push(finding);
  }

  finish(): Findings {
    return { shown: this.#shown, total: this.#total };
  }
}

/** Collects the files of a folder or an archive, with warnings and refusals. */
export class ListingBuilder {
  readonly #files: ListedFile[] = [];
  readonly #ignored = new FindingList();
  readonly #warnings = new FindingList();
  readonly #refusals = new FindingList(maxRefusals);
  #bytes = 0;
  #allOrdinary = true;
  #isChanging = false;

  /** Adds a file whose path is as on disk, and checks its name. */
  add(file: ListedFile): void {
    const ordinary = isOrdinaryPath(file.path);
    const refusal = ordinary ? null : pathRefusal(file.path);
    if (refusal !== null) return this.refuse(file.path, refusal);
    if (!Number.isSafeInteger(file.length)) return this.refuse(file.path, 'it is longer than 2^53 bytes');
    const path = ordinary ? file.path : file.path.normalize('NFC');
    if (file.length === 0) this.warn(path, 'it is empty');
    for (const warning of ordinary ? [] : pathWarnings(path)) this.warn(path, warning);
    this.#allOrdinary &&= ordinary;
    this.#files.push({ path, source: file.source, length: file.length, mtimeNs: file.mtimeNs });
    this.#bytes += file.length;
    return undefined;
  }

  ignored(name: string): void {
    this.#ignored.add(shownName(name));
  }

  warn(name: string, why: string): void {
    this.#warnings.add(`${shownName(name)}: ${why}`);
  }

  refuse(name: string, why: string): void {
    this.#refusals.add(`${shownName(name)}: ${why}`);
  }

  /** Refuses what was listed, and could not be looked at. */
  fail(name: string, error: unknown): void {
    this.#isChanging ||= isGone(error);
    this.refuse(name, failureText(error));
  }

  /** Sorts the files and compares their names with each other. */
  finish(): Listing {
    const compare = this.#allOrdinary ? compareUnits : compareCodePoints;
    const files = this.#files.toSorted((a, b) => compare(a.path, b.path));
    if (files.length > maxFiles)
      this.#refusals.add(`There are more than ${grouped(maxFiles)} files; register parts of it`);
    const refused = this.#compareNames(files);
    return {
      files: refused.size === 0 ? files : files.filter((_file, at) => !refused.has(at)),
      totalBytes: this.#bytes,
      ignored: this.#ignored.finish(),
      warnings: this.#warnings.finish(),
      refusals: this.#refusals.finish(),
      isChanging: this.#isChanging,
    };
  }

  /** @returns the indexes of files whose names conflict with others. */
  #compareNames(files: readonly ListedFile[]): ReadonlySet<number> {
    const refused = new Set<number>();
    const seen = new Map<string, string>();
    const folders = new Map<string, string>();
    const warned = new Set<string>();
    for (const { path } of files) {
      for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
        const folder = path.slice(0, slash);
        const folded = foldedPath(folder);
        const other = folders.get(folded);
        // All parents of a known folder are known too.
        if (other === folder || warned.has(folder)) break;
        if (other === undefined) {
          folders.set(folded, folder);
          continue;
        }
        warned.add(folder);
        this.warn(folder, `it differs from ${shownName(other)} only by case or Unicode form`);
      }
    }
    for (const [at, { path, length }] of files.entries()) {
      const folded = foldedPath(path);
      const other = seen.get(folded);
      const folder = folders.get(folded);
      const problem =
        other === path
          ? 'it is there twice'
          : other !== undefined
            ? `it differs from ${shownName(other)} only by case or Unicode form; rename one of them`
            : folder !== undefined
              ? 'it is the name of a file and of a folder'
              : null;
      seen.set(folded, path);
      if (problem === null) continue;
      this.refuse(path, problem);
      refused.add(at);
      this.#bytes -= length;
    }
    return refused;
  }
}

/** Code-point order of texts without surrogates. */
function compareUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Formats a name for a message: control characters and lone surrogates are made visible. */
export function shownName(name: string): string {
  const cut = name.length > 300 ? `${name.slice(0, 300)}...` : name;
  return cut
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .replaceAll(
      /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

/** Formats findings as at most a hundred lines, the last of which counts the rest. */
export function findingLines(findings: Findings): string[] {
  if (findings.total <= maxFindings) return [...findings.shown];
  return [...findings.shown.slice(0, maxFindings - 1), `and ${grouped(findings.total - maxFindings + 1)} more`];
}
