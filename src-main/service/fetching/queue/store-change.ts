import { countOf } from '../../common/count-of.ts';
import { formatBytes } from '../../common/format-bytes.ts';
import { discardPartial, type Abandoned } from '../disk/discard-partial.ts';
import type { FetchRow } from '../store/fetch-row.ts';
import type { FetchChange } from './after-run.ts';
import type { QueueContext } from './queue-context.ts';

type Deps = Pick<QueueContext, 'fetches' | 'files' | 'journal' | 'log' | 'clock' | 'unstored'>;

/**
 * Stores what becomes of a fetch, with a line in its log. What cannot be stored, for example on a
 * full disk, is stored by {@link storeKept}.
 */
export async function storeChange(context: Deps, row: FetchRow, change: FetchChange): Promise<void> {
  try {
    await apply(context, row, change);
  } catch (error) {
    context.log.error({ err: error, fetch: row.id }, 'what became of a fetch is not stored yet');
    context.unstored.set(row.id, { row, change });
  }
}

/** Stores what could not be stored before. */
export async function storeKept(context: Deps): Promise<void> {
  for (const [id, { row, change }] of context.unstored) {
    await apply(context, row, change);
    context.unstored.delete(id);
  }
}

async function apply(context: Deps, row: FetchRow, { event, update }: FetchChange): Promise<void> {
  const [level, line] = logLine({ event, update }, row);
  await context.fetches.apply([row.id], event, context.clock.now(), update);
  if (line !== null) await context.journal.log(row.id, level, line);
  if (event === 'cancel' && row.ended_at === null) await discard(context, row);
}

function logLine(
  { event, update: { message } }: FetchChange,
  { files_done: files, bytes_done: bytes, ended_at: end }: FetchRow,
): readonly ['info' | 'warn' | 'error', string | null] {
  if (typeof message === 'string') return [event === 'fail' ? 'error' : 'warn', message];
  const lines: Partial<Record<FetchChange['event'], string>> = {
    finish: `Done: ${countOf(files, 'file')}, ${formatBytes(bytes)}, all verified.`,
    pause: 'Paused.',
    cancel: 'Cancelled.',
  };
  return ['info', end !== null && event !== 'finish' ? null : (lines[event] ?? null)];
}

/** Removes the partial files of a fetch that was given up. */
export async function discard(
  context: Pick<QueueContext, 'fetches' | 'files' | 'journal' | 'log'>,
  row: Abandoned,
): Promise<void> {
  try {
    const others = (await context.fetches.ofTarget(row.target)).filter(
      ({ id, ended_at: end }) => id !== row.id && end === null,
    );
    // Partial files may belong to another fetch of this folder.
    if (others.length === 0) await discardPartial(context.files, row);
  } catch (error) {
    context.log.warn({ err: error, fetch: row.id }, 'an unfinished file could not be removed');
  }
  // The length and checksums of an archive come from its received bytes, which are gone.
  const receivedBytes = row.what === 'archive' ? await context.journal.doneFiles(row.id, -1, 1) : [];
  for (const { index } of receivedBytes)
    await context.journal.record(row.id, [{ kind: 'restart', index, counts: false, forgets: true }]);
  await context.files.forgetPartial(row.id);
}
