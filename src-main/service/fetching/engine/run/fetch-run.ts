import { countOf } from '../../../common/count-of.ts';
import { grouped } from '../../../common/grouped.ts';
import { FetchFailure, type FetchContext } from './fetch-context.ts';
import { fetchFiles } from './fetch-files.ts';
import { listFiles } from './list-files.ts';
import { verifyArchive } from './verify-archive.ts';
import { reopenMissing } from './reopen-missing.ts';

/**
 * Runs a fetch from the state in the journal and on disk.
 *
 * @throws the error that ended it early; see `outcomeOf`.
 */
export async function fetchRun(context: FetchContext): Promise<void> {
  const { plan, journal, counters } = context;
  Object.assign(counters, await journal.standing(plan.id));
  const { filesTotal, manifest } = await listFiles(context);
  await reopenMissing(context);
  await fetchAll(context, filesTotal);
  if (!manifest) return;
  while (!(await verifyArchive(context, manifest))) await fetchAll(context, filesTotal);
}

async function fetchAll(context: FetchContext, filesTotal: number): Promise<void> {
  context.counters.verifies = context.plan.what === 'files';
  await fetchFiles(context);
  const { filesDone } = await context.journal.standing(context.plan.id);
  if (filesDone === filesTotal) return;
  throw new FetchFailure(
    'files-failed',
    `${grouped(filesTotal - filesDone)} of ${countOf(filesTotal, 'file')} could not be fetched.`,
  );
}
