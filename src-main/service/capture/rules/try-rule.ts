import { errorCode } from '../../common/error-code.ts';
import type { CaptureRuleInput } from '../../contract/capture/rules.ts';
import type { CaptureTrial } from '../../contract/capture/runs.ts';
import type { SettingsStore } from '../../database/settings-store.ts';
import { failureText } from '../../files/register-failures.ts';
import { readIgnoreList } from '../../measurements/file-worker/ignore-list.ts';
import type { MeasurementStores } from '../../measurements/store/stores.ts';
import { CaptureProblem, nameRun } from '../naming/name-run.ts';
import type { ScannedRun } from '../scanning/scan-messages.ts';
import { FolderHung, ScanThreads } from '../scanning/scan-threads.ts';
import type { CaptureStores } from '../store/stores.ts';
import { judgeRun } from '../watching/judge-run.ts';
import { requireRule, type RequireRuleDeps } from './require-rule.ts';
import { scanRuleOf } from '../scanning/scan-rule.ts';

export type TryRuleDeps = RequireRuleDeps &
  Pick<CaptureStores, 'captureRuns'> &
  Pick<MeasurementStores, 'measurements'> & { readonly settings: SettingsStore };

type Trial = CaptureTrial['runs'][number];

const maxShown = 100;

/**
 * Shows which runs in the folder of a rule would be registered now; nothing is stored.
 *
 * @param ruleId of a stored rule, whose runs may be known; null for a new one.
 * @throws HttpProblem 422 for a rule that cannot be.
 */
export async function tryRule(
  deps: TryRuleDeps,
  input: CaptureRuleInput,
  ruleId: number | null,
): Promise<CaptureTrial> {
  await requireRule(deps, input);
  const threads = new ScanThreads();
  try {
    return await runsOf(deps, input, ruleId, threads);
  } catch (error) {
    if (error instanceof FolderHung) return { runs: [], total: 0, message: error.message };
    if (errorCode(error) === '') throw error;
    return { runs: [], total: 0, message: `${input.folder} cannot be read: ${failureText(error)}.` };
  } finally {
    await threads.close();
  }
}

async function runsOf(
  deps: TryRuleDeps,
  input: CaptureRuleInput,
  ruleId: number | null,
  threads: ScanThreads,
): Promise<CaptureTrial> {
  const scanRule = scanRuleOf(ruleId ?? 0, input);
  const ignoreList = await readIgnoreList(deps.settings);
  const list = await threads.call(0, 'list', [scanRule]);
  const names = list.added.slice(0, maxShown).map(({ name }) => name);
  const known = new Map(
    (ruleId === null ? [] : await deps.captureRuns.named(ruleId, names)).map(({ name, state }) => [name, state]),
  );
  const runs: Trial[] = [];
  while (runs.length < names.length) {
    const scanned = await threads.call(0, 'scan', [scanRule, names.slice(runs.length), ignoreList]);
    for (const run of scanned.runs) {
      const read = await threads.call(0, 'fields', [scanRule, run.name, input.fields]);
      runs.push({ ...(await trialOf(deps, input, run, read)), known_as: known.get(run.name) ?? null });
    }
    if (scanned.runs.length === 0) break;
  }
  return { runs, total: list.total, message: null };
}

async function trialOf(
  deps: TryRuleDeps,
  input: CaptureRuleInput,
  run: ScannedRun,
  read: Readonly<Record<string, string>>,
): Promise<Omit<Trial, 'known_as'>> {
  const memory = { activity: run.activity, since: 0, looks: 1, isUntouched: true, content: null };
  const verdict = judgeRun(input, run, memory, { longestGapMs: 0, isForced: false, now: 0 });
  const base = { name: run.name, file_count: run.fileCount, total_bytes: run.totalBytes };
  // Silence is known only by waiting.
  const isComplete = verdict.cause.reason === null;
  try {
    const names = await nameRun(deps, input, { name: run.name, firstSeenAt: Date.now(), read }, null);
    const isTaken = (await deps.measurements.byId(names.id)) !== null;
    const message = isTaken ? `There is already a measurement ${names.id}.` : verdict.cause.message;
    return {
      ...base,
      is_complete: isComplete,
      measurement_id: names.id,
      title: names.title,
      owner: names.ownerName,
      project: names.projectPath,
      reason: isTaken ? 'id-taken' : verdict.cause.reason,
      message,
    };
  } catch (error) {
    if (!(error instanceof CaptureProblem)) throw error;
    const nothing = { measurement_id: null, title: null, owner: null, project: null };
    return { ...base, ...nothing, is_complete: isComplete, reason: error.reason, message: error.message };
  }
}
