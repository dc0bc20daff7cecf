import { afterFetching, afterVerifying, untroubled, unverifiable, type FetchChange } from './after-run.ts';
import { isAboutSource } from './unblock-fetches.ts';
import { backOff } from './back-off.ts';
import { bytesToReceive, notEnoughSpace, spaceNeeded } from '../disk/required-space.ts';
import type { FetchOutcome, FetchPlan } from '../engine/types.ts';
import type { FetchRow, FetchUpdate } from '../store/fetch-row.ts';
import { serverOf } from './fetch-servers.ts';
import type { LiveFetch } from './live-fetch.ts';
import { reservedBytes, type QueueContext } from './queue-context.ts';
import { RateMeter } from './rate-meter.ts';
import { ServerBackoff } from './server-backoff.ts';
import { prepareFetch, type Prepared } from './start-fetch.ts';
import { storeChange } from './store-change.ts';
import { whyFilesFailed } from './why-files-failed.ts';

// How often to retry while another process fetches into the folder.
const busyRetryMs = 10_000;

/** Starts a fetch in the engine, or records what the user must do first. */
export async function runFetch(context: QueueContext, row: FetchRow): Promise<void> {
  const prepared = await prepareFetch(row, {
    fetches: context.fetches,
    settings: context.settings(),
    server: serverOf(context.known(), row),
    source: (id) => context.servers.source(id),
    diskSpace: context.diskSpace,
    reservedBytes: (disk) => reservedBytes(context.live, disk, row.id),
  });
  if (prepared.refusal) {
    const { reason, message } = prepared.refusal;
    const update = row.ended_at === null ? { reason, message, retryAt: null } : unverifiable(row, reason, message);
    await context.fetches.apply([row.id], 'ask', context.clock.now(), update);
    context.announce.moved(row.id);
    context.announce.changed(row.id);
    return;
  }
  const unlock = row.ended_at === null ? context.lock(row.target) : null;
  if (unlock === 'busy') return waitForFolder(context, row);
  const releaseLock = unlock ?? (() => {});
  try {
    await startRun(context, row, prepared, releaseLock);
  } catch (error) {
    releaseLock();
    throw error;
  }
}

async function startRun(
  context: QueueContext,
  row: FetchRow,
  { plan, disk, serverId }: Extract<Prepared, { refusal: null }>,
  unlock: () => void,
): Promise<void> {
  const verifying = row.ended_at !== null;
  const { now, steady } = context.clock;
  // An interrupted listing is incomplete and is read again.
  if (row.files_total === null) await context.files.clear(row.id);
  const begun: FetchUpdate = verifying
    ? {}
    : { ...untroubled, startedAt: now(), serverId, baseUrl: plan.source.baseUrl };
  const line = verifying ? 'Verification started.' : row.started_at === null ? 'Started.' : 'Resumed.';
  await Promise.all([
    context.fetches.apply([row.id], 'start', now(), begun),
    context.journal.log(row.id, 'info', line),
  ]);
  const engine = context.engine();
  const run = verifying ? engine.verify(plan) : engine.run(plan);
  const live: LiveFetch = {
    row: { ...row, base_url: plan.source.baseUrl },
    verifying,
    run,
    meter: new RateMeter(steady()),
    rate: 0,
    startedAt: steady(),
    disk,
    bytesToReceive: bytesToReceive(row),
    bytesTotal: row.bytes_total,
    sized: row.bytes_total !== null,
    progress: run.progress(),
    stopAs: null,
    ended: Promise.resolve(),
  };
  live.ended = run.outcome
    .catch((error: unknown): FetchOutcome => {
      context.log.error({ err: error, fetch: row.id }, 'a fetch failed unexpectedly');
      return {
        kind: 'retry',
        reason: 'unexpected',
        message: 'Something failed unexpectedly. The log has the details.',
        afterMs: null,
      };
    })
    .then((outcome) => {
      // Nothing is written to the folder any more.
      unlock();
      return context.serial.run(async () => settle(context, live, plan, outcome));
    })
    .catch((error: unknown) => context.log.error({ err: error, fetch: row.id }, 'the end of a fetch was not stored'))
    .finally(context.wake);
  context.live.set(row.id, live);
  context.announce.changed(row.id);
}

/** Waits until another process has finished fetching into the folder. */
async function waitForFolder(context: QueueContext, row: FetchRow): Promise<void> {
  const { clock, retryTimers, announce, fetches } = context;
  const message = `Another download into ${row.target} is running, from the command line or another Benchport. This continues when it has ended.`;
  retryTimers.set(row.id, clock.steady(), clock.now(), busyRetryMs, false);
  const retryAt = clock.now() + busyRetryMs;
  await fetches.apply([row.id], 'wait', clock.now(), { reason: 'target-busy', message, retryAt });
  announce.moved(row.id);
  announce.changed(row.id);
}

async function settle(context: QueueContext, live: LiveFetch, plan: FetchPlan, outcome: FetchOutcome): Promise<void> {
  const { clock, fetches, live: running, stopping } = context;
  const { id } = live.row;
  live.meter.take(clock.steady(), live.run.progress().bytesReceived);
  const activeMs = Math.round(clock.steady() - live.startedAt);
  try {
    const row = await fetches.byId(id);
    if (!row) return undefined;
    // It resumes at the next start of the service.
    const goesOn = stopping() && outcome.kind === 'stopped' && live.stopAs === null;
    if (goesOn) return await fetches.update(id, { activeMs });
    const { event, update } = live.verifying
      ? afterVerifying(row, outcome, clock.now())
      : await fetched(context, live, row, plan, outcome);
    await storeChange(context, row, { event, update: { ...update, activeMs } });
    return undefined;
  } finally {
    running.delete(id);
    context.received(live.meter.bytes);
    context.announce.moved(id);
    context.announce.changed(id);
  }
}

async function fetched(
  context: QueueContext,
  live: LiveFetch,
  row: FetchRow,
  plan: FetchPlan,
  outcome: FetchOutcome,
): Promise<FetchChange> {
  const { clock, backoffs, retryTimers, blocked, random } = context;
  const { baseUrl } = plan.source;
  const { stopAs } = live;
  const hasProgressed = live.meter.bytes > 0;
  if (hasProgressed) backoffs.succeeded(baseUrl);
  if (outcome.kind === 'retry') {
    const { reason, message, afterMs: retryAfterMs } = outcome;
    const attempts = hasProgressed ? 1 : row.attempts + 1;
    const again = (failures: number): number => backOff(failures, retryAfterMs, random());
    const steady = clock.steady();
    const wait = ServerBackoff.concernsServer(reason)
      ? // Whole milliseconds, as stored in the database; monotonic time has fractions.
        Math.ceil(
          backoffs.failed(baseUrl, steady, reason, message, again, retryAfterMs === null ? null : clock.now()).until -
            steady,
        )
      : again(attempts);
    if (!stopAs) retryTimers.set(row.id, clock.steady(), clock.now(), wait, retryAfterMs !== null);
    const { event, update } = afterFetching(outcome, stopAs, clock.now(), wait);
    return { event, update: { ...update, attempts } };
  }
  if (outcome.kind === 'failed' && outcome.reason === 'files-failed') {
    const message = whyFilesFailed(outcome.message, await context.files.failures(row.id));
    // Then they can be stored under other names.
    const reason = (await context.files.commonReason(row.id)) === 'name-taken' ? 'name-taken' : outcome.reason;
    return afterFetching({ ...outcome, reason, message }, stopAs, clock.now(), 0);
  }
  if (outcome.kind !== 'ask') return afterFetching(outcome, stopAs, clock.now(), 0);
  if (isAboutSource(outcome.reason)) {
    // The token may have been replaced since the request.
    if (!stopAs && (await hasChanged(context, live.row, plan))) return { event: 'stop', update: untroubled };
    blocked.sourceRefused(plan.source);
  }
  if (outcome.reason === 'token-refused') {
    await askAll(context, baseUrl, { reason: outcome.reason, message: outcome.message, retryAt: null });
  }
  if (outcome.reason !== 'disk-full') return afterFetching(outcome, stopAs, clock.now(), 0);
  const space = await context.diskSpace(row.target);
  if (space) blocked.diskFull(row.id, space.free);
  const message = space ? notEnoughSpace(row.target, await spaceNeeded(row, space.free), space.free) : outcome.message;
  return afterFetching({ ...outcome, message }, stopAs, clock.now(), 0);
}

/** The server would refuse its other fetches too. */
async function askAll({ fetches, clock, announce }: QueueContext, baseUrl: string, why: FetchUpdate): Promise<void> {
  for (let ids = await fetches.pendingOf(baseUrl); ids.length > 0; ids = await fetches.pendingOf(baseUrl))
    await fetches.apply(ids, 'ask', clock.now(), why);
  announce.changed(null);
}

async function hasChanged(context: QueueContext, row: FetchRow, { source }: FetchPlan): Promise<boolean> {
  const server = serverOf(context.known(), row);
  const now = server && (await context.servers.source(server.id));
  return (
    now !== null &&
    (now.baseUrl !== source.baseUrl || now.token !== source.token || now.certificate !== source.certificate)
  );
}
