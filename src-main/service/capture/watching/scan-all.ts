import { scanRuleOf } from '../scanning/scan-rule.ts';
import type { ScannedRun } from '../scanning/scan-messages.ts';
import type { ScanThreads } from '../scanning/scan-threads.ts';
import type { CaptureRuleRow, CaptureRunRow } from '../store/capture-rows.ts';
import type { Pace } from './pace.ts';

/** Looks at runs, in requests that leave time for others. */
export async function scanAll(
  { threads, pace }: { readonly threads: Pick<ScanThreads, 'call'>; readonly pace: Pace },
  rule: CaptureRuleRow,
  rows: readonly CaptureRunRow[],
  ignoreList: readonly string[],
): Promise<readonly (readonly [CaptureRunRow, ScannedRun])[]> {
  const found: (readonly [CaptureRunRow, ScannedRun])[] = [];
  const scanRule = scanRuleOf(rule.id, rule.settings);
  while (found.length < rows.length) {
    const part = rows.slice(found.length);
    const names = part.map(({ name }) => name);
    const { runs, cost } = await threads.call(rule.id, 'scan', [scanRule, names, ignoreList]);
    pace.add(cost);
    for (const [at, run] of runs.entries()) {
      const row = part[at];
      if (row) found.push([row, run]);
    }
    if (runs.length === 0) break;
  }
  return found;
}
