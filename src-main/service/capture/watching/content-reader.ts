import { ContentDigest } from '../../files/list-signature.ts';
import type { ListedFile } from '../../files/inspect-findings.ts';
import type { ListRequest } from '../../files/hash-messages.ts';
import { startHashThread, type HashThread } from '../../measurements/file-worker/hash-thread.ts';

const filesPerBatch = 512;

/** A file of the run could not be read; the message says which and why. */
export class ContentUnread extends Error {}

/**
 * Reads a run whose only sign is silence, so that the registration can compare what it reads later: a
 * program that reserves the space of its files first changes neither their sizes nor, on some shares,
 * their times.
 *
 * @throws ContentUnread
 */
export async function readContent(request: ListRequest, root: string, signal: AbortSignal): Promise<string> {
  // Two, because a thread that lists answers nothing else.
  const [lister, reader] = [startHashThread(signal), startHashThread(signal)];
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  const digest = new ContentDigest();
  const reading = lister.list(request, async (files) => addFiles(digest, reader, root, files));
  try {
    await Promise.race([aborted, reading]);
    return digest.finish();
  } finally {
    // Not awaited: a share that hangs holds its thread.
    for (const thread of [lister, reader]) void thread.close();
  }
}

async function addFiles(
  digest: ContentDigest,
  reader: HashThread,
  root: string,
  files: readonly ListedFile[],
): Promise<void> {
  for (let at = 0; at < files.length; at += filesPerBatch) {
    const batch = files.slice(at, at + filesPerBatch);
    const items = batch.map(({ source }, index) => ({ index, file: `${root}/${source}`, linkFree: true }));
    const outcomes = await reader.run({ op: 'hash', items, bytesPerSecond: null });
    for (const [index, { path }] of batch.entries()) {
      const outcome = outcomes[index];
      if (!outcome || 'failed' in outcome) throw new ContentUnread(`${path}: ${outcome?.reason ?? 'it was not read'}`);
      digest.add(path, outcome.sha256);
    }
  }
}
