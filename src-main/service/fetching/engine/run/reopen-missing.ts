import { closeSync, fstatSync } from 'node:fs';
import { countOf } from '../../../common/count-of.ts';
import type { FetchContext } from './fetch-context.ts';
import { TargetError } from '../../../files/target-folder-error.ts';
import type { JournalChange, JournalFile } from '../types.ts';

const filesPerPage = 500;

/**
 * Files that a run before has fetched and that somebody has removed since, or that have another length now, are fetched again: the end of a fetch says that
 * everything is there. Nothing is read of them; what has other bytes of the same number is found by verifying.
 *
 * @throws TargetError when the folder itself is not there, or the reason of the signal.
 */
export async function reopenMissing(context: FetchContext): Promise<void> {
  const { plan, journal, counters, signal } = context;
  // What becomes of an archive is looked at when it is proven.
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
    // Something else has its name now; fetching it says so.
    if (error instanceof TargetError && error.onlyThisFile) return false;
    throw error;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}
