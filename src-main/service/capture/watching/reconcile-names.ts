import type { NameList } from '../scanning/scan-messages.ts';
import type { ScanThreads } from '../scanning/scan-threads.ts';
import { scanRuleOf } from '../scanning/scan-rule.ts';
import { noCause, type CaptureRuleRow, type CaptureRunRow, type NewRun } from '../store/capture-rows.ts';
import type { CaptureStores } from '../store/stores.ts';

type Deps = CaptureStores & {
  readonly threads: Pick<ScanThreads, 'call'>;
  readonly ignoreList: readonly string[];
  /** Ends the registration of a run, unless it has ended well. */
  readonly leave: (run: CaptureRunRow) => Promise<void>;
};

const rowsPerSlice = 500;
/** Runs that went away and may be found under another name. */
const maxMissing = 1000;

/**
 * Makes the rows of a rule fit what its folder has now: new runs, those that went away, came back or
 * were renamed.
 *
 * @returns whether anything changed.
 */
export async function reconcileNames(deps: Deps, rule: CaptureRuleRow, list: NameList, now: number): Promise<boolean> {
  let changed = false;
  for await (const rows of goneRuns(deps, rule, list)) {
    changed ||= rows.length > 0;
    for (const row of rows) await goAway(deps, row, now);
  }
  for (let at = 0; at < list.added.length; at += rowsPerSlice)
    changed = (await addNames(deps, rule, list.added.slice(at, at + rowsPerSlice), now)) || changed;
  return changed;
}

async function* goneRuns(
  { captureRuns, threads }: Deps,
  rule: CaptureRuleRow,
  list: NameList,
): AsyncGenerator<readonly CaptureRunRow[]> {
  for (let at = 0; at < list.removed.length; at += rowsPerSlice) {
    const rows = await captureRuns.named(rule.id, list.removed.slice(at, at + rowsPerSlice));
    yield rows.filter(({ state, missing_since: since }) => state !== 'gone' && since === null);
  }
  if (!list.isFirst || list.hasMore) return;
  for (let after = 0; ;) {
    const rows = await captureRuns.present(rule.id, after, rowsPerSlice);
    const names = rows.map(({ name }) => name);
    const absent = new Set(await threads.call(rule.id, 'absent', [rule.id, names]));
    yield rows.filter(({ name }) => absent.has(name));
    after = rows.at(-1)?.id ?? 0;
    if (rows.length < rowsPerSlice) return;
  }
}

async function goAway({ captureRuns, leave }: Deps, row: CaptureRunRow, now: number): Promise<void> {
  if (row.state === 'hashing') await leave(row);
  if (!(await captureRuns.apply(row.id, 'vanish', noCause, now))) await captureRuns.setMissing(row.id, now);
}

async function addNames(deps: Deps, rule: CaptureRuleRow, added: NameList['added'], now: number): Promise<boolean> {
  const { captureRuns } = deps;
  const names = added.map(({ name }) => name);
  const known = new Map((await captureRuns.named(rule.id, names)).map((row) => [row.name, row]));
  const unknown = [];
  let changed = false;
  for (const one of added) {
    const row = known.get(one.name);
    if (!row) unknown.push({ ...one, generation: 1 });
    else if (row.state === 'gone') changed = (await captureRuns.apply(row.id, 'appear', noCause, now)) || changed;
    else if (row.missing_since !== null) unknown.push({ ...one, generation: row.generation + 1 });
  }
  const fresh = await withoutKnown(deps, rule, unknown);
  const isSkipped = rule.is_begun === 0 && !rule.settings.existing;
  const runs = fresh.map((one): NewRun => ({
    ...one,
    state: isSkipped ? 'skipped' : 'seen',
    reason: isSkipped ? 'there-before' : null,
  }));
  if (runs.length > 0) await captureRuns.add(rule.id, runs, now);
  return changed || unknown.length > 0;
}

type Unknown = NameList['added'][number] & { readonly generation: number };

/**
 * Leaves out the runs that are registered already and were only renamed, or come back: those whose
 * files are exactly those of a run that went away.
 */
async function withoutKnown(
  deps: Deps,
  rule: CaptureRuleRow,
  unknown: readonly Unknown[],
): Promise<readonly Unknown[]> {
  const { captureRuns, threads, ignoreList } = deps;
  const missing = unknown.length === 0 ? [] : await captureRuns.missing(rule.id, maxMissing);
  if (missing.length === 0) return unknown;
  const bySignature = new Map(
    missing.flatMap((row) => (row.file_count === 0 ? [] : [[row.registered_signature ?? row.signature, row] as const])),
  );
  const fresh: Unknown[] = [];
  const scanRule = scanRuleOf(rule.id, rule.settings);
  for (let at = 0; at < unknown.length;) {
    const part = unknown.slice(at, at + rowsPerSlice);
    const names = part.map(({ name }) => name);
    const { runs } = await threads.call(rule.id, 'scan', [scanRule, names, ignoreList]);
    for (const [index, run] of runs.entries()) {
      const one = part[index];
      const row = bySignature.get(run.signature);
      if (!one) continue;
      if (!row || row.file_count !== run.fileCount || row.total_bytes !== run.totalBytes) {
        fresh.push(one);
        continue;
      }
      bySignature.delete(run.signature);
      if (row.name === one.name) await captureRuns.setMissing(row.id, null);
      else await captureRuns.rename(row.id, one.name, run.inode);
    }
    at += runs.length;
    if (runs.length === 0) break;
  }
  return fresh;
}
