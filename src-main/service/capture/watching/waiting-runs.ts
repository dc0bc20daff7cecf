import { watchedCaptureStates } from '../../../../src-shared/states/capture-states.ts';
import { CaptureProblem } from '../naming/name-run.ts';
import { listOf, sourceOf } from '../scanning/scan-rule.ts';
import type { ScannedRun } from '../scanning/scan-messages.ts';
import { noCause, type Cause, type CaptureRuleRow, type CaptureRunRow, type Look } from '../store/capture-rows.ts';
import { alone } from './alone.ts';
import { cancelRegistration } from './cancel-registration.ts';
import { ContentUnread, readContent } from './content-reader.ts';
import { isReadTwice, judgeRun, type RunMemory, type Verdict } from './judge-run.ts';
import type { Pace } from './pace.ts';
import { beginRegistration, isFaultOfRun, namesOf, requireFreeId } from './register-run.ts';
import type { RuleWatchDeps } from './rule-watch.ts';
import { scanAll } from './scan-all.ts';

type Memory = RunMemory & { urgent: number };

const runsPerSlice = 200;
/** Registrations of one rule that wait or run; each of them is small against what it registers. */
const maxHashing = 200;
const maxReading = 2;
/** Of all rules: each is read by two threads. */
const maxReadingOfAll = 6;
const maxUrgentLooks = 3;
/** A sign that is confirmed later than this needs no look of its own. */
const soonMs = 30_000;
/** A changed `ready_at` is stored from this difference on. */
const readyStepMs = 2000;

/** The runs of one rule that are not registered yet. */
export class WaitingRuns {
  /** Whether a sign was seen that the next look confirms. */
  isUrgent = false;
  readonly #deps: RuleWatchDeps;
  readonly #pace: Pace;
  readonly #memories = new Map<number, Memory>();
  readonly #reading = new Map<number, AbortController>();

  constructor(deps: RuleWatchDeps, pace: Pace) {
    this.#deps = deps;
    this.#pace = pace;
  }

  /** Ends what reads files of runs. */
  stop(): void {
    for (const reading of this.#reading.values()) reading.abort(new Error('stopped'));
  }

  /** Looks at each of them, and begins to register those that are complete. */
  async look(rule: CaptureRuleRow, ignoreList: readonly string[], mayRegister: boolean): Promise<void> {
    const { captureRuns } = this.#deps;
    this.isUrgent = false;
    const known = new Set<number>();
    let free = mayRegister ? maxHashing - (await captureRuns.inStates(rule.id, ['hashing'], 0, maxHashing)).length : 0;
    for (let after = 0; ;) {
      const rows = await captureRuns.inStates(rule.id, watchedCaptureStates, after, runsPerSlice);
      for (const [row, run] of await scanAll({ ...this.#deps, pace: this.#pace }, rule, rows, ignoreList)) {
        known.add(row.id);
        await alone(this.#deps.log, row, async () => {
          const isReady = await this.#judge(rule, row, run, ignoreList);
          if (isReady && free > 0 && (await this.#register(rule, row.id))) free -= 1;
        });
      }
      after = rows.at(-1)?.id ?? 0;
      if (rows.length < runsPerSlice) break;
    }
    for (const id of this.#memories.keys()) if (!known.has(id)) this.#memories.delete(id);
  }

  /** The time in which it looked complete was a pause, so it has to be quiet for twice as long. */
  async differed(run: CaptureRunRow): Promise<void> {
    const { captureRuns, clock } = this.#deps;
    const memory = this.#memories.get(run.id);
    this.#memories.delete(run.id);
    const gap = memory ? clock.steady() - memory.since : 0;
    const changedAt = clock.now();
    await captureRuns.look(run.id, {
      ...run,
      activity: '',
      changed_at: changedAt,
      ready_at: null,
      longest_gap_ms: Math.max(run.longest_gap_ms, Math.round(gap)),
    });
  }

  /** @returns whether the run is complete. */
  async #judge(
    rule: CaptureRuleRow,
    row: CaptureRunRow,
    run: ScannedRun,
    ignoreList: readonly string[],
  ): Promise<boolean> {
    const { captureRuns, clock, changed } = this.#deps;
    if (!run.exists) return false;
    const { memory, ...seen } = await this.#remember(rule, row, run);
    // A person was asked; only a change, which has been applied, goes on by itself.
    if (row.state === 'needs-you' && memory.looks > 0) return false;
    const isForced = row.is_forced === 1;
    const longestGapMs = seen.look.longest_gap_ms;
    const verdict = judgeRun(rule.settings, run, memory, { longestGapMs, isForced, now: clock.steady() });
    this.#setUrgent(memory, verdict);
    await this.#storeReady(row.id, seen.look, verdict);
    if (verdict.kind === 'wait') {
      await this.#explain(row, verdict.cause);
      return false;
    }
    if (row.state !== 'quiet' || memory.looks <= 1) {
      if (await captureRuns.apply(row.id, 'settle', noCause, clock.now())) changed();
    }
    if (isReadTwice(rule.settings, run, memory, isForced) && memory.content === null)
      this.#readContent(rule, row, memory, ignoreList);
    return verdict.kind === 'ready';
  }

  /** Compares a run with the last look, and stores what has changed. */
  async #remember(
    rule: CaptureRuleRow,
    row: CaptureRunRow,
    run: ScannedRun,
  ): Promise<{ readonly memory: Memory; readonly look: Look }> {
    const { captureRuns, clock, changed } = this.#deps;
    const now = clock.steady();
    const last = this.#memories.get(row.id);
    const isSame = (last?.activity ?? row.activity) === run.activity;
    if (isSame && last) {
      last.looks += 1;
      return { memory: last, look: row };
    }
    this.#reading.get(row.id)?.abort(new Error('it has changed'));
    const isFirst = row.activity === '' && row.state === 'seen' && !last;
    const memory = {
      activity: run.activity,
      since: now,
      looks: isSame ? 1 : 0,
      isUntouched: isSame ? row.changed_at === row.first_seen_at : isFirst,
      content: null,
      urgent: 0,
    };
    this.#memories.set(row.id, memory);
    if (isSame) return { memory, look: row };
    const gap = last ? now - last.since : unseenGapMs(rule, row, clock.now());
    const look = {
      inode: run.inode,
      activity: run.activity,
      signature: run.signature,
      file_count: run.fileCount,
      total_bytes: run.totalBytes,
      changed_at: isFirst ? row.first_seen_at : clock.now(),
      ready_at: null,
      longest_gap_ms: Math.max(row.longest_gap_ms, Math.round(gap)),
    };
    await captureRuns.look(row.id, look);
    if (!isFirst) await captureRuns.apply(row.id, 'change', noCause, clock.now());
    changed();
    return { memory, look };
  }

  #setUrgent(memory: Memory, { readyInMs }: Verdict): void {
    if (readyInMs === null || readyInMs > soonMs || memory.looks > 0 || memory.urgent >= maxUrgentLooks) return;
    memory.urgent += 1;
    this.isUrgent = true;
  }

  async #explain(row: CaptureRunRow, cause: Cause): Promise<void> {
    const isKnown = row.reason === cause.reason && row.message === cause.message;
    if (!isKnown) await this.#deps.captureRuns.explain(row.id, cause);
  }

  async #storeReady(id: number, look: Look, { readyInMs }: Verdict): Promise<void> {
    const { captureRuns, clock } = this.#deps;
    const readyAt = readyInMs === null ? null : Math.round(clock.now() + readyInMs);
    const isNear = readyAt !== null && look.ready_at !== null && Math.abs(readyAt - look.ready_at) < readyStepMs;
    if (readyAt !== look.ready_at && !isNear) await captureRuns.look(id, { ...look, ready_at: readyAt });
  }

  /** Beside the looks, because it may take hours. */
  #readContent(rule: CaptureRuleRow, row: CaptureRunRow, memory: RunMemory, ignoreList: readonly string[]): void {
    const { shared } = this.#deps;
    if (this.#reading.has(row.id) || this.#reading.size >= maxReading || shared.reading >= maxReadingOfAll) return;
    shared.reading += 1;
    const stop = new AbortController();
    this.#reading.set(row.id, stop);
    const { root } = sourceOf(rule.settings, row.name);
    void readContent(listOf(rule.settings, row.name, ignoreList), root, stop.signal)
      .then(
        (content) => {
          memory.content = content;
        },
        async (error: unknown) => {
          // Another program may have locked it: it has to be quiet once more before it is read again.
          memory.since = this.#deps.clock.steady();
          if (error instanceof ContentUnread)
            await this.#deps.captureRuns.explain(row.id, { reason: 'unreadable', message: error.message });
        },
      )
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'a run was not read'))
      .finally(() => {
        shared.reading -= 1;
        this.#reading.delete(row.id);
      });
  }

  /** @returns whether its registration has begun. */
  async #register(rule: CaptureRuleRow, id: number): Promise<boolean> {
    const { captureRuns, clock, changed } = this.#deps;
    const run = await captureRuns.byId(id);
    if (!run || run.state !== 'quiet') return false;
    try {
      const names = await namesOf(this.#deps, rule, run);
      await requireFreeId(this.#deps, names.id);
      await captureRuns.plan(id, names, run.signature);
      await captureRuns.apply(id, 'start', noCause, clock.now());
      await beginRegistration(this.#deps, rule, run, names, this.#memories.get(id)?.content ?? null);
      // Somebody skipped it meanwhile.
      if ((await captureRuns.byId(id))?.state === 'skipped') await cancelRegistration(this.#deps, names.id);
      changed();
      return true;
    } catch (error) {
      if (!(error instanceof CaptureProblem)) throw error;
      const cause = { reason: error.reason, message: error.message };
      const isFault = await isFaultOfRun(this.#deps, rule, run.name, error);
      await captureRuns.setMeasurement(id, null, null);
      await captureRuns.apply(id, isFault ? 'fail' : 'differ', isFault ? cause : noCause, clock.now());
      changed();
      return false;
    }
  }
}

/**
 * The gap before a change that came while the service was restarted. It counts for no more than the
 * rule waits anyway, because it is not known when in it the change came.
 */
function unseenGapMs({ settings }: CaptureRuleRow, { changed_at: changedAt }: CaptureRunRow, now: number): number {
  return Math.min(Math.max(0, now - changedAt), settings.minutes * 60_000);
}
