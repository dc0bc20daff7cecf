import { registeredCaptureStates } from '../../../../src-shared/states/capture-states.ts';
import type { ScannedRun } from '../scanning/scan-messages.ts';
import { noCause, type CaptureRuleRow, type CaptureRunRow, type Look } from '../store/capture-rows.ts';
import { Pace } from './pace.ts';
import type { RuleWatchDeps } from './rule-watch.ts';
import { scanAll } from './scan-all.ts';

/** Runs that are compared in one look. */
const comparedPerLook = 50;

/** Looks after which a run that differs each time has changed too. */
const maxSuspicions = 3;

/** A look at a run that found other files. */
interface Suspicion {
  readonly signature: string;
  readonly looks: number;
}

/** The runs of one rule that were registered, or were there before it. */
export class RegisteredRuns {
  readonly #deps: RuleWatchDeps;
  // Of its own, so that many registered runs do not delay the looks at new ones.
  readonly #pace = new Pace();
  readonly #suspicions = new Map<number, Suspicion>();
  #comparedUpTo = 0;
  #nextAt = 0;

  constructor(deps: RuleWatchDeps) {
    this.#deps = deps;
  }

  /**
   * Looks at some of them, in turn, for later changes.
   *
   * @param rules that share the budget of the looks.
   */
  async compare(rule: CaptureRuleRow, ignoreList: readonly string[], rules: number): Promise<void> {
    const { captureRuns, clock, changed } = this.#deps;
    if (clock.steady() < this.#nextAt) return;
    const states = [...registeredCaptureStates, 'skipped'] as const;
    const rows = await captureRuns.inStates(rule.id, states, this.#comparedUpTo, comparedPerLook);
    this.#comparedUpTo = rows.length < comparedPerLook ? 0 : (rows.at(-1)?.id ?? 0);
    const compared = rows.filter(
      (row) => row.missing_since === null && (row.state !== 'skipped' || row.reason === 'there-before'),
    );
    const found = await scanAll({ ...this.#deps, pace: this.#pace }, rule, compared, ignoreList);
    this.#nextAt = clock.steady() + this.#pace.next(0, 2 * rules);
    for (const [row, run] of found) {
      if (!run.exists || run.failure !== null) continue;
      if (row.state === 'skipped') await this.#wake(row, run);
      else if (row.registered_signature !== null && this.#isOther(row.id, row.registered_signature, run.signature)) {
        const message = 'Its files have changed since it was registered.';
        await captureRuns.look(row.id, lookOf(row, run, clock.now()));
        if (await captureRuns.apply(row.id, 'change', { reason: 'changed', message }, clock.now())) changed();
      }
    }
  }

  /** A share that goes away during a look leaves files out, so that one look alone proves no change. */
  #isOther(id: number, registered: string, signature: string): boolean {
    const before = this.#suspicions.get(id);
    this.#suspicions.delete(id);
    if (signature === registered) return false;
    const looks = (before?.looks ?? 0) + 1;
    if (before?.signature === signature || looks >= maxSuspicions) return true;
    this.#suspicions.set(id, { signature, looks });
    return false;
  }

  /** A run that was there before the rule, and is still being written, is no old one. */
  async #wake(row: CaptureRunRow, run: ScannedRun): Promise<void> {
    const { captureRuns, clock, changed } = this.#deps;
    const isKnown = row.signature !== '';
    if (isKnown && !this.#isOther(row.id, row.signature, run.signature)) return;
    await captureRuns.look(row.id, lookOf(row, run, isKnown ? clock.now() : row.changed_at));
    if (isKnown && (await captureRuns.apply(row.id, 'retry', noCause, clock.now()))) changed();
  }
}

function lookOf(row: CaptureRunRow, run: ScannedRun, changedAt: number): Look {
  const { activity, signature, fileCount, totalBytes, inode } = run;
  return { ...row, inode, activity, signature, file_count: fileCount, total_bytes: totalBytes, changed_at: changedAt };
}
