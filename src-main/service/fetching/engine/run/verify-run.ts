import { closeSync } from 'node:fs';
import { countOf } from '../../../common/count-of.ts';
import { digestFault } from '../checksums/check-existing.ts';
import { FetchFailure, type FetchContext } from './fetch-context.ts';
import { digestWhole } from '../checksums/incremental-hash.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import type { JournalChange, JournalFile } from '../types.ts';

const filesPerPage = 500;

/**
 * Reads fetched files again and records those that differ as failed.
 *
 * @throws FetchFailure if files differ; the signal's reason.
 */
export async function verifyRun(context: FetchContext): Promise<void> {
  const { journal, plan, counters } = context;
  counters.phase = 'verifying';
  const { bytesDone } = await journal.standing(plan.id);
  [counters.bytesDone, counters.bytesVerified] = [bytesDone, 0];
  const bad = await (plan.what === 'archive' && plan.unpack ? verifyUnpacked(context) : verifyJournalled(context));
  if (bad > 0)
    throw new FetchFailure(
      'files-failed',
      `${countOf(bad, 'file')} ${bad === 1 ? 'is' : 'are'} not what was fetched. Fetch them again.`,
    );
}

async function verifyJournalled(context: FetchContext): Promise<number> {
  const { journal, plan } = context;
  let bad = 0;
  for (let after = -1; ;) {
    const page = await journal.doneFiles(plan.id, after, filesPerPage);
    const last = page.at(-1);
    if (!last) return bad;
    after = last.index;
    const changes = await verifyFiles(context, page);
    if (changes.length > 0) await journal.record(plan.id, changes);
    bad += changes.length;
  }
}

/** Unpacked files are not in the journal; they are compared with the manifest. */
async function verifyUnpacked(context: FetchContext): Promise<number> {
  const { plan, client, signal, journal } = context;
  const manifest = await readManifest(client, plan.measurementId, signal);
  if (plan.manifestDigest !== null && Buffer.compare(plan.manifestDigest, manifest.digest) !== 0) {
    throw new FetchFailure(
      'manifest-changed',
      'The measurement has changed since it was fetched, so nothing can be compared.',
    );
  }
  const changes = await verifyFiles(context, manifest.files);
  for (const { index, message } of changes)
    await journal.log(
      plan.id,
      'error',
      `${manifest.files.find((file) => file.index === index)?.path ?? ''}: ${message}`,
    );
  return changes.length;
}

type Failed = Extract<JournalChange, { kind: 'failed' }>;
type Verifiable = Pick<JournalFile, 'index' | 'path' | 'length' | 'crc32' | 'sha256'>;

async function verifyFiles(context: FetchContext, files: readonly Verifiable[]): Promise<Failed[]> {
  const bad: Failed[] = [];
  for (const file of files) {
    context.signal.throwIfAborted();
    const change = await verifyFile(context, file);
    if (change) bad.push(change);
    else context.counters.filesDone += 1;
    context.counters.bytesVerified += file.length ?? 0;
  }
  return bad;
}

async function verifyFile({ target, hasher, signal }: FetchContext, file: Verifiable): Promise<Failed | null> {
  const { index } = file;
  let fd: number | null;
  try {
    fd = target.openFinished(file.path);
  } catch (error) {
    return {
      kind: 'failed',
      index,
      reason: 'not-found',
      message: error instanceof Error ? error.message : String(error),
    };
  }
  if (fd === null) return { kind: 'failed', index, reason: 'not-found', message: 'It no longer exists.' };
  try {
    const fault = digestFault(file, await digestWhole(hasher, fd, signal));
    return fault === null ? null : { kind: 'failed', index, ...fault };
  } catch (error) {
    signal.throwIfAborted();
    return {
      kind: 'failed',
      index,
      reason: 'checksum-mismatch',
      message: `It cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  } finally {
    closeSync(fd);
  }
}
