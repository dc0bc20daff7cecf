import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FileDigest } from '../../../files/file-digest.ts';
import type { FetchContext } from './fetch-context.ts';
import { smallBytes } from './limits.ts';
import { targetError } from '../../../files/target-folder-error.ts';
import type { JournalChange, JournalFile } from '../types.ts';

/** A fully written and verified file. */
export interface Verified {
  readonly file: JournalFile;
  readonly fd: number;
  /** Whether it was created without a name. */
  readonly unnamed: boolean;
  readonly digest: FileDigest;
  /** The part of its bytes already counted as done. */
  readonly counted: number;
}

const maxBatchFiles = 256;
const maxWaitingFiles = 512;
// Less waits for a moment, because a commit costs more than a small file.
const minBatchFiles = 128;
const minBatchBytes = 2 * 1024 * 1024;
/**
 * Unjournalled bytes per connection. One small file less than the promised 4 MiB, because one may
 * be in flight.
 */
const maxUnjournalledBytes = 4 * 1024 * 1024 - smallBytes;
const batchDelayMs = 250;

/**
 * Gives verified files their names: sync the bytes, create the names, sync the folders, write the
 * journal. Files verified while the disk is busy form the next batch, because many take as long as
 * one.
 */
export class FileCommitter {
  readonly #context: FetchContext;
  #waiting: Verified[] = [];
  #skipped: JournalChange[] = [];
  /** Bytes of the waiting files. */
  #bytes = 0;
  #uncommitted = 0;
  #committing: Promise<void> | null = null;
  /** Resolves when a batch is committed. */
  #committed = Promise.withResolvers<void>();
  /** Resolves when the next batch should not wait for more files. */
  #enough = Promise.withResolvers<void>();
  #flushing = false;

  constructor(context: FetchContext) {
    this.#context = context;
  }

  /** Resolves when another file may be added. */
  async add(verified: Verified): Promise<void> {
    this.#waiting.push(verified);
    this.#bytes += newBytes(verified);
    this.#begin();
    const maxBytes = this.#context.plan.connections * maxUnjournalledBytes;
    while (this.#waiting.length >= maxWaitingFiles || this.#bytes + this.#uncommitted >= maxBytes)
      await this.#committed.promise;
  }

  /** Records a correct file that already existed. */
  async skip(file: JournalFile, digest: FileDigest, counted = 0): Promise<void> {
    this.#skipped.push({ kind: 'done', index: file.index, skipped: true, ...digest });
    this.#count(digest.length, counted);
    this.#begin();
    while (this.#skipped.length >= maxWaitingFiles) await this.#committed.promise;
  }

  /** Resolves when everything is in the journal. */
  async flush(): Promise<void> {
    this.#flushing = true;
    this.#enough.resolve();
    while (this.#committing) await this.#committing;
    this.#flushing = false;
  }

  #begin(): void {
    this.#committing ??= this.#commitAll().catch((error: unknown) => this.#context.fail(error));
    if (this.#isEnough) this.#enough.resolve();
  }

  get #isEnough(): boolean {
    return (
      this.#flushing || this.#waiting.length + this.#skipped.length >= minBatchFiles || this.#bytes >= minBatchBytes
    );
  }

  async #commitAll(): Promise<void> {
    try {
      while (this.#waiting.length + this.#skipped.length > 0) {
        this.#enough = Promise.withResolvers();
        if (!this.#isEnough) await Promise.race([this.#enough.promise, sleep(batchDelayMs, undefined, { ref: false })]);
        const [batch, skipped] = [this.#waiting.splice(0, maxBatchFiles), this.#skipped.splice(0, maxBatchFiles)];
        // Consecutive files share one journal change.
        batch.sort((a, b) => a.file.index - b.file.index);
        this.#uncommitted = batch.reduce((sum, verified) => sum + newBytes(verified), 0);
        this.#bytes -= this.#uncommitted;
        await this.#commitBatch(batch, skipped);
        this.#makeRoom();
      }
    } finally {
      for (const { fd } of this.#waiting.splice(0)) closeSync(fd);
      this.#skipped = [];
      this.#bytes = 0;
      this.#committing = null;
      this.#makeRoom();
    }
  }

  #makeRoom(): void {
    this.#uncommitted = 0;
    this.#committed.resolve();
    this.#committed = Promise.withResolvers();
  }

  async #commitBatch(batch: readonly Verified[], changes: JournalChange[]): Promise<void> {
    const { target, journal, plan } = this.#context;
    // Some systems rename only closed files; an unnamed file is lost when closed before it has a name.
    const open = batch.filter(({ unnamed }) => unnamed);
    try {
      const failures = await target.syncFiles(
        batch.map(({ fd }) => fd),
        'bytes',
      );
      for (const { fd, unnamed } of batch) if (!unnamed) closeSync(fd);
      const named = this.#name(batch, failures, changes);
      await this.#syncNamed(named.filter(({ unnamed }) => unnamed));
      await target.sync();
      await journal.record(plan.id, changes);
      for (const { digest, counted } of named) this.#count(digest.length, counted);
    } finally {
      for (const { fd } of open) closeSync(fd);
    }
  }

  /** @returns the files that got their names; the others are added to `changes` as failed */
  #name(
    batch: readonly Verified[],
    failures: readonly (Error | null)[],
    changes: JournalChange[],
  ): readonly Verified[] {
    const { target, plan } = this.#context;
    return batch.filter(({ file, fd, unnamed, digest }, at) => {
      try {
        const failure = failures[at];
        if (failure) throw failure;
        if (unnamed) target.nameUnnamed(file.path, fd);
        // An archive is verified by its members only, see `verifyArchive`.
        else if (plan.what === 'files') target.finish(file.path);
        addDone(changes, file, digest);
        return true;
      } catch (error) {
        const problem = targetError(error, file.path);
        if (!problem.onlyThisFile) throw problem;
        changes.push({ kind: 'failed', index: file.index, reason: problem.reason, message: problem.message });
        return false;
      }
    });
  }

  /**
   * The link count lives in the inode: without a second fsync, a file system without a journal can
   * lose an unnamed file after `linkat` in a power cut.
   */
  async #syncNamed(files: readonly Verified[]): Promise<void> {
    const failures = await this.#context.target.syncFiles(
      files.map(({ fd }) => fd),
      'all',
    );
    for (const [at, failure] of failures.entries()) if (failure) throw targetError(failure, files[at]?.file.path ?? '');
  }

  #count(length: number, counted: number): void {
    const { counters } = this.#context;
    counters.bytesDone += length - counted;
    counters.bytesVerified += length;
    counters.filesDone += 1;
  }
}

/** @param digest equals the listed values. */
function addDone(changes: JournalChange[], { index, length, crc32, sha256 }: JournalFile, digest: FileDigest): void {
  if (length === null || crc32 === null || sha256 === null) {
    changes.push({ kind: 'done', index, skipped: false, ...digest });
    return;
  }
  const before = changes.at(-1);
  if (before?.kind === 'as-listed' && before.last === index - 1)
    changes[changes.length - 1] = { ...before, last: index };
  else changes.push({ kind: 'as-listed', first: index, last: index });
}

function newBytes({ digest, counted }: Verified): number {
  return digest.length - counted;
}
