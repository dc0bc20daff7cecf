import { countOf } from '../../common/count-of.ts';
import { afterFetching, afterVerifying, queuedAgain } from './after-run.ts';
import { isAboutSource } from './ask-again.ts';
import { backOff } from './back-off.ts';
import { discardPartial, type Abandoned } from '../disk/discard-partial.ts';
import { bytesToCome, noRoom, roomNeeded } from '../disk/disk-need.ts';
import { formatBytes } from '../../common/format-bytes.ts';
import type { FetchOutcome, FetchPlan } from '../engine/types.ts';
import type { FetchRow, FetchUpdate } from '../store/fetch-row.ts';
import { serverOf } from './fetch-servers.ts';
import type { LiveFetch } from './live-fetch.ts';
import { promised, type QueueParts } from './queue-parts.ts';
import { RateMeter } from './rate-meter.ts';
import { ServerHolds } from './server-holds.ts';
import { prepareFetch, type Prepared } from './start-fetch.ts';
import { whyFilesFailed } from './why-files-failed.ts';

// Another process that fetches into the folder is looked for again so often.
const busyWait = 10_000;

/** Hands a fetch to the engine, or notes what it has to ask the user first. */
export async function runFetch(parts: QueueParts, row: FetchRow): Promise<void> {
  const prepared = await prepareFetch(row, {
    fetches: parts.fetches,
    settings: parts.settings(),
    server: serverOf(parts.known(), row),
    source: (id) => parts.servers.source(id),
    room: parts.room,
    promised: (disk) => promised(parts.live, disk, row.id),
  });
  if (prepared.refusal) {
    await parts.fetches.update(row.id, prepared.refusal);
    parts.announce.moved(row.id);
    parts.announce.changed(row.id);
    return;
  }
  const unlock = row.ended_at === null ? parts.lock(row.target) : null;
  if (unlock === 'busy') return waitForFolder(parts, row);
  const letGo = unlock ?? (() => {});
  try {
    await handOver(parts, row, prepared, letGo);
  } catch (error) {
    letGo();
    throw error;
  }
}

async function handOver(parts: QueueParts, row: FetchRow, { plan, disk, serverId }: Extract<Prepared, { refusal: null }>, unlock: () => void): Promise<void> {
  const verifying = row.ended_at !== null;
  const { now, steady } = parts.clock;
  // What a listing has left that was interrupted is not the list.
  if (row.files_total === null) await parts.files.clear(row.id);
  const begun: FetchUpdate = verifying
    ? { state: 'running' }
    : { state: 'running', reason: null, message: null, retryAt: null, startedAt: now(), serverId, baseUrl: plan.source.baseUrl };
  const word = verifying ? 'Reads the fetched files again.' : row.started_at === null ? 'Begun.' : 'Goes on.';
  await Promise.all([parts.fetches.update(row.id, begun), parts.journal.log(row.id, 'info', word)]);
  const engine = parts.engine();
  const run = verifying ? engine.verify(plan) : engine.run(plan);
  const live: LiveFetch = {
    row: { ...row, base_url: plan.source.baseUrl },
    verifying,
    run,
    meter: new RateMeter(steady()),
    rate: 0,
    startedAt: steady(),
    disk,
    toCome: bytesToCome(row),
    bytesTotal: row.bytes_total,
    sized: row.bytes_total !== null,
    progress: run.progress(),
    stopAs: null,
    ended: Promise.resolve(),
  };
  live.ended = run.outcome
    .catch((error: unknown): FetchOutcome => {
      parts.log.error({ err: error, fetch: row.id }, 'a fetch failed unexpectedly');
      return { kind: 'retry', reason: 'unexpected', message: 'Something failed unexpectedly. The log has the details.', afterMilliseconds: null };
    })
    .then((outcome) => {
      // Nothing is written any more.
      unlock();
      return parts.serial.run(async () => settle(parts, live, plan, outcome));
    })
    .catch((error: unknown) => parts.log.error({ err: error, fetch: row.id }, 'the end of a fetch was not stored'))
    .finally(parts.wake);
  parts.live.set(row.id, live);
  parts.announce.changed(row.id);
}

/** Another process fetches into its folder; it waits until that has ended. */
async function waitForFolder(parts: QueueParts, row: FetchRow): Promise<void> {
  const { clock, waits, announce, fetches } = parts;
  const message = `Another download into ${row.target} is running, from the command line or another Benchport. This continues when it has ended.`;
  waits.set(row.id, clock.steady(), clock.now(), busyWait, false);
  await fetches.update(row.id, { state: 'waiting', reason: 'target-busy', message, retryAt: clock.now() + busyWait });
  announce.moved(row.id);
  announce.changed(row.id);
}

async function settle(parts: QueueParts, live: LiveFetch, plan: FetchPlan, outcome: FetchOutcome): Promise<void> {
  const { clock, fetches, live: running, stopping } = parts;
  const { id } = live.row;
  live.meter.take(clock.steady(), live.run.progress().bytesReceived);
  const activeMilliseconds = Math.round(clock.steady() - live.startedAt);
  try {
    const row = await fetches.byId(id);
    if (!row) return;
    // It goes on with the next start of the service.
    const goesOn = stopping() && outcome.kind === 'stopped' && live.stopAs === null;
    const update = goesOn ? {} : live.verifying ? afterVerifying(row, outcome, clock.now()) : await fetched(parts, live, row, plan, outcome);
    const [level, line] = logLine(update, row);
    await Promise.all([fetches.update(id, { ...update, activeMilliseconds }), ...(line === null ? [] : [parts.journal.log(id, level, line)])]);
    if (update.state === 'cancelled') await discard(parts, row);
  } finally {
    running.delete(id);
    parts.received(live.meter.bytes);
    parts.announce.moved(id);
    parts.announce.changed(id);
  }
}

async function fetched(parts: QueueParts, live: LiveFetch, row: FetchRow, plan: FetchPlan, outcome: FetchOutcome): Promise<FetchUpdate> {
  const { clock, holds, waits, askAgain, fetches, random } = parts;
  const { baseUrl } = plan.source;
  const { stopAs } = live;
  const hasProgressed = live.meter.bytes > 0;
  if (hasProgressed) holds.succeeded(baseUrl);
  if (outcome.kind === 'retry') {
    const { reason, message, afterMilliseconds: asked } = outcome;
    const attempts = hasProgressed ? 1 : row.attempts + 1;
    const again = (failures: number): number => backOff(failures, asked, random());
    const steady = clock.steady();
    const wait = ServerHolds.isOfServer(reason)
      ? // Whole milliseconds: that is what the database keeps, and the clock that never jumps has fractions.
        Math.ceil(holds.failed(baseUrl, steady, reason, message, again, asked === null ? null : clock.now()).until - steady)
      : again(attempts);
    if (!stopAs) waits.set(row.id, clock.steady(), clock.now(), wait, asked !== null);
    return { ...afterFetching(outcome, stopAs, clock.now(), wait), attempts };
  }
  if (outcome.kind === 'failed' && outcome.reason === 'files-failed') {
    const message = whyFilesFailed(outcome.message, await parts.files.failures(row.id));
    return afterFetching({ ...outcome, message }, stopAs, clock.now(), 0);
  }
  if (outcome.kind !== 'ask') return afterFetching(outcome, stopAs, clock.now(), 0);
  if (isAboutSource(outcome.reason)) {
    // It may have been asked with a token that has been replaced since.
    if (!stopAs && (await hasChanged(parts, live.row, plan))) return queuedAgain;
    askAgain.refused(plan.source);
  }
  if (outcome.reason === 'token-refused') {
    await fetches.askAll(baseUrl, outcome.reason, outcome.message);
    parts.announce.changed(null);
  }
  if (outcome.reason !== 'disk-full') return afterFetching(outcome, stopAs, clock.now(), 0);
  const room = await parts.room(row.target);
  if (room) askAgain.full(row.id, room.free);
  const message = room ? noRoom(row.target, await roomNeeded(row, room.free), room.free) : outcome.message;
  return afterFetching({ ...outcome, message }, stopAs, clock.now(), 0);
}

async function hasChanged(parts: QueueParts, row: FetchRow, { source }: FetchPlan): Promise<boolean> {
  const server = serverOf(parts.known(), row);
  const now = server && (await parts.servers.source(server.id));
  return now !== null && (now.baseUrl !== source.baseUrl || now.token !== source.token || now.certificate !== source.certificate);
}

function logLine({ state, message }: FetchUpdate, { files_done: files, bytes_done: bytes }: FetchRow): readonly ['info' | 'warn' | 'error', string | null] {
  if (typeof message === 'string') return [state === 'failed' ? 'error' : 'warn', message];
  if (state === 'done') return ['info', `Done: ${countOf(files, 'file')}, ${formatBytes(bytes)}, all verified.`];
  return ['info', state === 'paused' ? 'Paused.' : state === 'cancelled' ? 'Cancelled.' : null];
}

/** Removes what is only half there of a fetch that does not go on. */
export async function discard(parts: Pick<QueueParts, 'fetches' | 'files' | 'journal' | 'log'>, row: Abandoned): Promise<void> {
  try {
    const others = (await parts.fetches.ofTarget(row.target)).filter(({ id, ended_at: end }) => id !== row.id && end === null);
    // What is half there may be theirs.
    if (others.length === 0) await discardPartial(parts.files, row);
  } catch (error) {
    parts.log.warn({ err: error, fetch: row.id }, 'an unfinished file could not be removed');
  }
  // What is known of an archive that had come is what had come of it.
  const come = row.what === 'archive' ? await parts.journal.doneFiles(row.id, -1, 1) : [];
  for (const { index } of come) await parts.journal.record(row.id, [{ kind: 'restart', index, counts: false, forgets: true }]);
  await parts.files.forgetPartial(row.id);
}
