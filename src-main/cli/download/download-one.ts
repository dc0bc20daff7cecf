import { setTimeout as pause } from 'node:timers/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { backOff } from '../../service/fetching/queue/back-off.ts';
import { bytesToReceive, spareBytes } from '../../service/fetching/disk/required-space.ts';
import { readDiskSpace } from '../../service/fetching/disk/disk-space.ts';
import { engineHere } from '../../service/fetching/engine/worker/engine-here.ts';
import { targetMissing } from '../../service/files/target-folder-error.ts';
import type { FetchEngine, FetchOutcome, FetchPlan } from '../../service/fetching/engine/types.ts';
import { folderName } from '../../service/fetching/folder-name.ts';
import { RateMeter } from '../../service/fetching/queue/rate-meter.ts';
import { formatBytes } from '../../service/common/format-bytes.ts';
import type { DownloadAddress } from './download-address.ts';
import { openDownloadJournal, removeIfEmpty, type DownloadJournal } from './download-journal.ts';
import { rateBar, type RateBar } from '../support/progress-bar.ts';
import { CommandError, note, type Terminal } from '../support/terminal.ts';

export interface DownloadOptions {
  readonly token: string;
  /** The folder in which the measurement's folder is made. */
  readonly to: string;
  readonly connections: number;
  /** Bytes per second; null for no limit. */
  readonly limitRate: number | null;
  /** SHA-256 (hexadecimal) of the only certificate to trust; null for the system's authorities. */
  readonly certificate: string | null;
}

export interface Downloaded {
  readonly path: string;
  readonly files: number;
  readonly bytes: number;
  /** Of the manifest that every file was compared with. */
  readonly manifestDigest: Uint8Array | null;
}

const pollEveryMs = 200;
// With the back-off between them, about two and a half minutes without a single byte.
const maxFailures = 5;

/**
 * Downloads a measurement, or resumes it, until every byte is verified.
 * @param signal stops it; the same command resumes later.
 * @throws CommandError that says why it did not finish.
 */
export async function downloadOne(
  terminal: Terminal,
  address: DownloadAddress,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<Downloaded> {
  const target = path.join(path.resolve(options.to), folderName(address.measurementId));
  if (!existsSync(path.dirname(target)))
    throw new CommandError(`There is no folder ${path.dirname(target)}. Create it first.`);
  const own = await openDownloadJournal(target, address);
  const bar = rateBar(terminal);
  const engine = engineHere(own.journal);
  engine.limit(options.limitRate, new Map());
  let isDone = false;
  try {
    await untilDone({ terminal, address, options, own, engine, bar, signal });
    const { files_done: files, bytes_done: bytes } = await own.row();
    const { manifestDigest } = await own.fetches.order(own.id);
    isDone = true;
    return { path: target, files, bytes, manifestDigest };
  } finally {
    bar.clear();
    await engine.close();
    const hasBegun = (await own.row()).files_total !== null;
    if (isDone || !hasBegun) own.remove();
    else own.close();
    if (!isDone && !hasBegun) removeIfEmpty(target);
  }
}

interface Work {
  readonly terminal: Terminal;
  readonly address: DownloadAddress;
  readonly options: DownloadOptions;
  readonly own: DownloadJournal;
  readonly engine: FetchEngine;
  readonly bar: RateBar;
  readonly signal: AbortSignal;
}

async function untilDone(work: Work): Promise<void> {
  const { own, signal, terminal, bar } = work;
  let failures = 0;
  for (;;) {
    signal.throwIfAborted();
    const { outcome, received } = await runOnce(work);
    signal.throwIfAborted();
    if (outcome.kind === 'done') return;
    if (outcome.kind === 'stopped')
      throw new CommandError('The download was stopped. Run the same command again to continue.');
    const { reason, message } = outcome;
    if (outcome.kind === 'ask') throw new CommandError(`${message} Then run the same command again to continue.`);
    if (outcome.kind === 'failed') {
      await own.fetches.apply([own.id], 'fail', Date.now(), { reason, message });
      throw new CommandError(await withFiles(own, message));
    }
    // Without its journal the download cannot be resumed.
    if (!own.isInPlace())
      throw new CommandError(`${targetMissing().message} Then run the same command again to continue.`);
    failures = received > 0 ? 1 : failures + 1;
    // No byte was ever received: a wrong address is more likely than a server outage, so do not
    // retry.
    if (received === 0 && (await own.row()).files_total === null) throw new CommandError(message);
    if (failures > maxFailures) throw new CommandError(`${message} Run the same command again to continue.`);
    const wait = backOff(failures, outcome.afterMs, Math.random());
    bar.clear();
    if (terminal.stderr.isTTY === true) note(terminal, `${message} Trying again in ${Math.ceil(wait / 1000)} s.`);
    await pause(wait, undefined, { signal }).catch(() => {});
  }
}

async function runOnce({
  own,
  engine,
  options,
  address,
  bar,
  signal,
}: Work): Promise<{ readonly outcome: FetchOutcome; readonly received: number }> {
  const row = await own.row();
  const plan: FetchPlan = {
    id: own.id,
    source: { baseUrl: address.baseUrl, token: options.token, certificate: options.certificate },
    measurementId: address.measurementId,
    what: 'files',
    ...(await own.fetches.order(own.id)),
    target: row.target,
    unpack: false,
    connections: options.connections,
  };
  const run = engine.run(plan);
  const meter = new RateMeter(performance.now());
  let diskFull: CommandError | null = null;
  const stop = () => run.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  let sized = false;
  const look = async (): Promise<void> => {
    const { bytes_total: total, ...now } = await own.row();
    if (total === null) return;
    const { bytesDone, bytesReceived } = run.progress();
    meter.take(performance.now(), bytesReceived);
    bar.draw({ bytesDone, bytesTotal: total, bytesPerSecond: meter.bytesPerSecond(performance.now()) });
    if (sized) return;
    sized = true;
    const [room, needed] = [
      await readDiskSpace(now.target),
      bytesToReceive({ ...now, bytes_total: total }) + spareBytes,
    ];
    if (!room || room.free >= needed) return;
    const text = `${formatBytes(needed)} are needed, and ${formatBytes(room.free)} are free on the disk of ${now.target}`;
    diskFull = new CommandError(`${text}. Free some space, then run the same command again to continue.`);
    run.stop();
  };
  const looking = setInterval(() => void look().catch(stop), pollEveryMs);
  try {
    const outcome = await run.outcome;
    if (diskFull && outcome.kind !== 'done') throw diskFull;
    return { outcome, received: run.progress().bytesReceived };
  } finally {
    clearInterval(looking);
    signal.removeEventListener('abort', stop);
  }
}

/** Appends the first failed file to the message. */
async function withFiles(own: DownloadJournal, message: string): Promise<string> {
  const failed = await own.files.failed(own.id, 1);
  const first = failed[0];
  if (!first) return message;
  // Some reasons already start with the file name.
  const why = first.message?.startsWith(`${first.path}: `) === true ? first.message : `${first.path}: ${first.message}`;
  return `${message} The first one: ${why}`;
}
