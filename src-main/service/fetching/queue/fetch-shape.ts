import type { Fetch } from '../../contract/fetches.ts';
import { isoTime } from '../../common/iso-time.ts';
import { isUnverified, type FetchRow } from '../store/fetch-row.ts';
import type { KnownServer } from './fetch-servers.ts';
import type { LiveFetch } from './live-fetch.ts';
import type { Backoff } from './server-backoff.ts';

/** The state of a fetch outside of its row. */
export interface FetchMoment {
  readonly live: LiveFetch | undefined;
  readonly server: KnownServer | null;
  /** Monotonic time. */
  readonly steady: number;
  readonly now: number;
  /** Monotonic time of the next attempt. */
  readonly dueAt: number | undefined;
  readonly backoff: Backoff | null;
  /** Set while the schedule allows no fetches: when it will again, null for never. */
  readonly closedUntil: number | null | undefined;
}

/** The API form of a fetch: the stored row with its current progress. */
export function fetchShape(row: FetchRow, moment: FetchMoment): Fetch {
  const { live, server, steady } = moment;
  const running = live !== undefined && row.state === 'running';
  const progress = running ? live.progress : null;
  const bytesDone = progress && !live?.verifying ? Math.max(progress.bytesDone, row.bytes_done) : row.bytes_done;
  const rate = running ? live.rate : 0;
  const onNet = progress?.phase === 'listing' || progress?.phase === 'fetching';
  const left = row.bytes_total === null ? null : row.bytes_total - bytesDone;
  return {
    id: row.id,
    server_id: server?.id ?? row.server_id,
    server_name: server?.name ?? hostOf(row.base_url),
    base_url: row.base_url,
    measurement_id: row.measurement_id,
    title: row.title,
    what: row.what,
    target: row.target,
    unpack: row.unpack === 1,
    ...standing(row, moment),
    phase: progress?.phase ?? null,
    priority: row.priority,
    files_total: row.files_total,
    files_done: progress && !live?.verifying ? Math.max(progress.filesDone, row.files_done) : row.files_done,
    bytes_total: row.bytes_total,
    bytes_done: bytesDone,
    bytes_verified: Math.max(
      progress?.bytesVerified ?? 0,
      live?.verifying || isUnverified(row) ? 0 : row.bytes_verified,
    ),
    bytes_per_second: rate,
    seconds_left: onNet && left !== null && rate > 0 ? Math.ceil(left / rate) : null,
    connections: progress?.connections ?? 0,
    silent_seconds: running && onNet ? Math.floor(live.meter.silentFor(steady) / 1000) : null,
    stalled: running && onNet && live.meter.isStalled(steady),
    attempts: row.attempts,
    created_at: isoTime(row.created_at),
    started_at: isoTime(row.started_at),
    ended_at: isoTime(row.ended_at),
    verified_at: isoTime(row.verified_at),
  };
}

/** A queued fetch that cannot start yet is shown as waiting, for the schedule or for its server. */
function standing(
  row: FetchRow,
  { dueAt, backoff, closedUntil, steady, now }: FetchMoment,
): Pick<Fetch, 'state' | 'reason' | 'message' | 'retry_at'> {
  const { state, reason, message } = row;
  if (state === 'queued' && row.ended_at === null) {
    if (closedUntil !== undefined)
      return { state: 'waiting', reason: 'outside-hours', message: outsideHours, retry_at: isoTime(closedUntil) };
    if (backoff)
      return {
        state: 'waiting',
        reason: backoff.reason,
        message: backoff.message,
        retry_at: isoTime(now + backoff.until - steady),
      };
  }
  // Derived from monotonic time, so that a clock change does not alter the remaining wait.
  const retryAt = state === 'waiting' && dueAt !== undefined ? now + Math.max(0, dueAt - steady) : row.retry_at;
  return { state, reason, message, retry_at: isoTime(retryAt) };
}

const outsideHours = 'The schedule allows no fetches at this hour. It continues automatically.';

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}
