import { closeSync, fstatSync } from 'node:fs';
import { countOf } from '../../../common/count-of.ts';
import type { FetchContext } from './fetch-context.ts';
import { TargetError } from '../../../files/target-folder-error.ts';
import type { JournalChange, JournalFile } from '../types.ts';

const filesPerPage = 500;

/**
 * Reopens fetched files that were removed or have another length since: a completed fetch promises
 * that all files exist. Contents are not read here; verification finds changes of equal length.
 *
 * @throws TargetError if the folder itself is missing, or the signal's reason.
 */
export async function reopenMissing(context: FetchContext): Promise<void> {
  const { plan, journal, counters, signal } = context;
  // The verification of an archive checks for it.
  if (plan.what === 'archive' || counters.filesDone === 0) return;
  let reopened = 0;
  for (let after = -1; ;) {
    signal.throwIfAborted();
    const page = await journal.doneFiles(plan.id, after, filesPerPage);
    const last = page.at(-1);
    if (!last) break;
    after = last.index;
    const changes = page
      .filter((file) => !isThere(context, file))
      .map(({ index }): JournalChange => ({ kind: 'restart', index, counts: false }));
    if (changes.length > 0) await journal.record(plan.id, changes);
    reopened += changes.length;
  }
  if (reopened === 0) return;
  Object.assign(counters, await journal.standing(plan.id));
  const are = reopened === 1 ? 'is' : 'are';
  await journal.log(
    plan.id,
    'warn',
    `${countOf(reopened, 'file')} that had been fetched ${are} no longer there, and ${are} fetched again.`,
  );
}

function isThere({ target }: FetchContext, file: JournalFile): boolean {
  let fd: number | null = null;
  try {
    fd = target.openFinished(file.path);
    return fd !== null && fstatSync(fd).size === file.length;
  } catch (error) {
    // Another file has the name now; fetching this one reports that.
    if (error instanceof TargetError && error.onlyThisFile) return false;
    throw error;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}
