import { isoTime } from '../common/iso-time.ts';
import type { CaptureRule } from '../contract/capture/rules.ts';
import type { CaptureCounts, CaptureRun } from '../contract/capture/runs.ts';
import { noCounts, type CaptureListRow } from './store/capture-list-store.ts';
import type { CaptureRuleRow } from './store/capture-rows.ts';

const second = 1000;

export function ruleShape(
  rule: CaptureRuleRow,
  counts: CaptureCounts | undefined,
  serverName: string | null,
): CaptureRule {
  const { id, settings, state, message, since, looked_at: lookedAt, look_every_ms: everyMs, created_at: at } = rule;
  return {
    id,
    ...settings,
    push_server: serverName,
    state,
    message,
    since: isoTime(since),
    looked_at: lookedAt === null ? null : isoTime(lookedAt),
    look_every_seconds: everyMs === null ? null : everyMs / second,
    counts: counts ?? noCounts,
    created_at: isoTime(at),
  };
}

export function runShape(run: CaptureListRow): CaptureRun {
  const { id, rule_id, rule_name, name, state, reason, message, file_count, total_bytes, measurement_id } = run;
  return {
    id,
    rule_id,
    rule_name,
    name,
    state,
    reason,
    message,
    file_count,
    total_bytes,
    measurement_id,
    first_seen_at: isoTime(run.first_seen_at),
    changed_at: isoTime(run.changed_at),
    ready_at: run.ready_at === null ? null : isoTime(run.ready_at),
    longest_gap_seconds: Math.round(run.longest_gap_ms / second),
    missing: run.missing_since !== null,
  };
}
