import { closeSync, fstatSync } from 'node:fs';
import { digestFault } from './check-existing.ts';
import { FetchFailure, type FetchContext } from './fetch-context.ts';
import type { JournalChange, JournalFile } from './types.ts';

const filesPerPage = 500;

/**
 * Reads what was fetched once more. Files that are not what they were are put into the journal as failed.
 *
 * @throws FetchFailure when there are such files; the reason of the signal.
 */
export async function verifyRun(context: FetchContext): Promise<void> {
  const { journal, plan, counters, signal } = context;
  counters.phase = 'verifying';
  const standing = await journal.standing(plan.id);
  [counters.bytesDone, counters.bytesVerified] = [standing.bytesDone, 0];
  let bad = 0;
  for (let after = -1; ;) {
    const page = await journal.doneFiles(plan.id, after, filesPerPage);
    const last = page.at(-1);
    if (!last) break;
    after = last.index;
    const changes: JournalChange[] = [];
    for (const file of page) {
      signal.throwIfAborted();
      const change = await verifyFile(context, file);
      if (change) changes.push(change);
      else counters.filesDone += 1;
      counters.bytesVerified += file.length ?? 0;
    }
    bad += changes.length;
    if (changes.length > 0) await journal.record(plan.id, changes);
  }
  if (bad > 0)
    throw new FetchFailure('files-failed', `${bad.toLocaleString('en')} ${bad === 1 ? 'file is' : 'files are'} not what was fetched. Fetch them once more.`);
}

async function verifyFile({ target, hasher, signal }: FetchContext, file: JournalFile): Promise<JournalChange | null> {
  const { index } = file;
  let fd: number | null;
  try {
    fd = target.openFinished(file.path);
  } catch (error) {
    return { kind: 'failed', index, reason: 'not-found', message: error instanceof Error ? error.message : String(error) };
  }
  if (fd === null) return { kind: 'failed', index, reason: 'not-found', message: 'It is not there any more.' };
  const following = hasher.follow(fd);
  try {
    const stop = (): void => void following.drop();
    signal.addEventListener('abort', stop, { once: true });
    following.advance(fstatSync(fd).size);
    const fault = digestFault(file, await following.digest());
    signal.removeEventListener('abort', stop);
    return fault === null ? null : { kind: 'failed', index, ...fault };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: 'failed', index, reason: 'checksum-mismatch', message: `It cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  } finally {
    await following.drop();
    closeSync(fd);
  }
}
