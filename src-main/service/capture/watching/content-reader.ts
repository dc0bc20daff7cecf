import { setImmediate as nextTurn } from 'node:timers/promises';
import { ContentDigest } from '../../files/list-signature.ts';
import type { ListedFile } from '../../files/inspect-findings.ts';
import type { ListRequest } from '../../files/hash-messages.ts';
import { startHashThread } from '../../measurements/file-worker/hash-thread.ts';

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
  const thread = startHashThread(signal);
  try {
    const files: ListedFile[] = [];
    await thread.list(request, async (batch) => void files.push(...batch));
    const digest = new ContentDigest();
    for (let at = 0; at < files.length; at += filesPerBatch) {
      const batch = files.slice(at, at + filesPerBatch);
      const items = batch.map(({ source }, index) => ({ index, file: `${root}/${source}`, linkFree: true }));
      const outcomes = await thread.run({ op: 'hash', items, bytesPerSecond: null });
      for (const [index, { path }] of batch.entries()) {
        const outcome = outcomes.find((one) => one.index === index);
        if (!outcome || 'failed' in outcome)
          throw new ContentUnread(`${path}: ${outcome?.reason ?? 'it was not read'}`);
        digest.add(path, outcome.sha256);
      }
      await nextTurn();
      signal.throwIfAborted();
    }
    return digest.finish();
  } finally {
    await thread.close();
  }
}
