import { FileFailure, type FetchContext } from './fetch-context.ts';
import { PipelineAborted } from '../../../http-client/pipelined-connection.ts';
import { openSegmented } from './open-segmented.ts';
import type { SegmentedFile } from './segmented-file.ts';
import type { Segment } from './segments.ts';
import type { FileCommitter } from './commit-files.ts';
import type { SmallFile } from './small-file.ts';
import { smallBytes } from './limits.ts';
import type { RetryPolicy } from './retry-policy.ts';
import type { JournalChange, JournalFile } from '../types.ts';

export type Task =
  | { readonly kind: 'small'; readonly file: SmallFile }
  | { readonly kind: 'segment'; readonly file: JournalFile; readonly of: SegmentedFile; readonly segment: Segment };

const filesPerPage = 500;
// Each holds a descriptor, and a complete file may still wait for its checksum.
const maxOpenFiles = 4;
const failuresThatDiscard = new Set(['checksum-mismatch', 'length-mismatch', 'file-changed']);

/** The tasks of a fetch: its open files in order, page by page, large ones in segments. */
export class FetchWork {
  readonly #context: FetchContext;
  readonly #committer: FileCommitter;
  readonly #retryPolicy: RetryPolicy;
  readonly #open = new Set<SegmentedFile>();
  readonly #retries: JournalFile[] = [];
  /**
   * Small files whose connection failed: they are fetched in segments from then on, to keep partial
   * data.
   */
  readonly #broken = new Set<number>();
  /** In reverse order: popping the last is cheaper than shifting the first. */
  #page: JournalFile[] = [];
  #after = -1;
  #loadingPage: Promise<void> | null = null;
  #isAtEnd = false;
  /** Small files and file openings in progress. */
  #pending = 0;
  #changed = Promise.withResolvers<void>();

  constructor(context: FetchContext, committer: FileCommitter, retryPolicy: RetryPolicy) {
    [this.#context, this.#committer, this.#retryPolicy] = [context, committer, retryPolicy];
    context.signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  /** Bytes hashed of files that are not done yet. */
  get hashed(): number {
    return [...this.#open].reduce((sum, file) => sum + file.hashed, 0);
  }

  /** Whether only checksums are still missing. */
  get isVerifying(): boolean {
    return (
      this.#isAtEnd && this.#pending === 0 && this.#open.size > 0 && [...this.#open].every((file) => !file.isFetching)
    );
  }

  /** The next task of a connection; null if none is left. @throws the signal's reason */
  async take(rate: number, connections: number): Promise<Task | null> {
    for (;;) {
      this.#context.signal.throwIfAborted();
      // Subscribe before checking: a change signalled while the next page loads would otherwise be
      // missed, and this connection could wait forever.
      const changed = this.#changed.promise;
      for (const of of this.#open) {
        const segment = of.take(rate, connections);
        if (segment) return { kind: 'segment', file: of.file, of, segment };
      }
      const file = this.#retries.shift() ?? (await this.#next());
      this.#context.signal.throwIfAborted();
      if (file && this.#isSmall(file)) {
        this.#pending += 1;
        return { kind: 'small', file };
      }
      if (file) await this.#openFile(file);
      else if (this.#isAtEnd && this.#pending === 0 && this.#open.size === 0) {
        this.#wake();
        return null;
      } else await changed;
    }
  }

  /**
   * A small file of at most `maxBytes` to pipeline. Null if there is none now, or while segments of
   * large files are open.
   */
  takeBehind(maxBytes: number): (Task & { readonly kind: 'small' }) | null {
    const file = this.#retries[0] ?? this.#page.at(-1);
    if (!file || !this.#isSmall(file) || file.length > maxBytes || this.#isFetchingPieces) return null;
    if (this.#retries.length > 0) this.#retries.shift();
    else this.#page.pop();
    this.#pending += 1;
    return { kind: 'small', file };
  }

  /**
   * Handles the end of a task. @returns whether the connection should close too. @throws the error
   * that ends the run
   */
  async ended(task: Task, error: unknown, connections: number): Promise<boolean> {
    try {
      const verdict =
        error === null
          ? 'well'
          : error instanceof PipelineAborted
            ? 'lost'
            : await this.#retryPolicy.decide(task.file, error, connections);
      if (verdict === 'well') this.#retryPolicy.succeeded(task.file.index);
      else if (verdict instanceof FileFailure) await this.#failed(task, verdict);
      else if (verdict === 'later') await this.#later(task);
      else if (task.kind === 'small') {
        if (verdict !== 'lost') this.#broken.add(task.file.index);
        this.#retries.push(task.file);
      }
      if (task.kind === 'segment') this.#concludeIfComplete(task.of);
      return verdict === 'fewer';
    } finally {
      if (task.kind === 'small') this.#pending -= 1;
      this.#wake();
    }
  }

  /** Stops; the bytes written so far are kept. */
  async close(): Promise<void> {
    this.#wake();
    await Promise.allSettled([...this.#open].map((file) => file.close(false)));
    await this.#committer.flush();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  get #isFetchingPieces(): boolean {
    for (const one of this.#open) if (one.isFetching) return true;
    return false;
  }

  async #next(): Promise<JournalFile | null> {
    const first = this.#page.at(-1);
    if (!first && !this.#isAtEnd) {
      this.#loadingPage ??= this.#loadPage().finally(() => (this.#loadingPage = null));
      await this.#loadingPage;
      return this.#next();
    }
    if (first && !this.#isSmall(first) && this.#open.size >= maxOpenFiles) return null;
    return this.#page.pop() ?? null;
  }

  async #loadPage(): Promise<void> {
    const page = await this.#context.journal.openFiles(this.#context.plan.id, this.#after, filesPerPage);
    this.#after = page.at(-1)?.index ?? this.#after;
    this.#isAtEnd = page.length === 0;
    this.#page = page.toReversed();
  }

  async #openFile(file: JournalFile): Promise<void> {
    this.#pending += 1;
    try {
      const opened = await openSegmented(this.#context, this.#committer, file, () => this.#wake());
      if (!opened) return;
      this.#open.add(opened);
      this.#concludeIfComplete(opened);
    } catch (error) {
      const verdict = await this.#retryPolicy.decide(file, error, 1);
      if (verdict instanceof FileFailure) await this.#record(file, verdict);
    } finally {
      this.#pending -= 1;
      this.#wake();
    }
  }

  /** Concludes a complete file in the background while other work continues. */
  #concludeIfComplete(of: SegmentedFile): void {
    if (!of.isComplete || !this.#open.has(of)) return;
    void this.#conclude(of).catch((error: unknown) => this.#context.fail(error));
  }

  async #conclude(of: SegmentedFile): Promise<void> {
    try {
      if (await of.conclude(this.#committer)) this.#open.delete(of);
    } catch (error) {
      if (!(error instanceof FileFailure)) throw error;
      await this.#drop(of, error);
    } finally {
      this.#wake();
    }
  }

  async #failed(task: Task, failure: FileFailure): Promise<void> {
    if (task.kind === 'small') await this.#record(task.file, failure);
    // Several connections may report one failure.
    else if (this.#open.has(task.of)) await this.#drop(task.of, failure);
  }

  async #later(task: Task): Promise<void> {
    if (task.kind === 'segment' && this.#open.delete(task.of)) await task.of.close(false);
  }

  async #drop(of: SegmentedFile, failure: FileFailure): Promise<void> {
    this.#open.delete(of);
    const discard = failuresThatDiscard.has(failure.reason);
    await of.close(discard);
    await this.#record(of.file, failure, discard ? [{ kind: 'restart', index: of.file.index, counts: false }] : []);
    if (discard) this.#context.counters.bytesDone -= of.journalled;
  }

  async #record(
    file: JournalFile,
    { reason, message }: FileFailure,
    before: readonly JournalChange[] = [],
  ): Promise<void> {
    const { journal, plan } = this.#context;
    await journal.record(plan.id, [...before, { kind: 'failed', index: file.index, reason, message }]);
    await journal.log(plan.id, 'error', `${file.path}: ${message}`);
  }

  #isSmall(file: JournalFile): file is SmallFile {
    return (
      file.length !== null && file.length <= smallBytes && file.state === 'waiting' && !this.#broken.has(file.index)
    );
  }
}
