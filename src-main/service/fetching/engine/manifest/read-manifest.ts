import { createHash } from 'node:crypto';
import type { HttpClient } from '../../../http-client/http-client.ts';
import { DownloadConnection } from '../../../http-client/download-connection.ts';
import { manifestEntry } from './manifest-entry.ts';
import type { ManifestFile, ReadManifest } from './manifest-types.ts';
import { ManifestError, ManifestSlices } from './read-manifest-slices.ts';
import { PathCheck } from '../target/safe-path.ts';
import { grouped } from '../../../common/grouped.ts';

const maxFiles = 1_000_000;
// Entries processed before the event loop runs again.
const filesPerTurn = 5000;

type Draft = { -readonly [Key in keyof ManifestFile]: ManifestFile[Key] };

/**
 * Reads the manifest of a measurement from a possibly hostile server: its size is bounded, its
 * numbers are exact, and each path is checked. Files with a `refusal` stay in the list.
 *
 * @param onEntry told of each entry as it is listed, in the order of the list.
 * @throws HttpRequestError, ManifestError, or the signal's reason.
 */
export async function readManifest(
  client: HttpClient,
  measurementId: string,
  signal: AbortSignal,
  onEntry?: (entry: unknown, file: Omit<ManifestFile, 'refusal'>) => void,
): Promise<ReadManifest> {
  // A URL with such a segment would address something else.
  if (measurementId === '' || measurementId === '.' || measurementId === '..')
    throw new ManifestError('A measurement cannot have this id.');
  const files: Draft[] = [];
  const slices = new ManifestSlices((entries) => {
    if (files.length + entries.length > maxFiles) {
      throw new ManifestError(
        `The manifest lists more than ${grouped(maxFiles)} files. Fetch the measurement as an archive.`,
      );
    }
    for (const entry of entries) {
      const file = manifestEntry(entry, files.length);
      onEntry?.(entry, file);
      files.push({ ...file, refusal: null });
    }
  });
  const connection = new DownloadConnection(client, () => false);
  try {
    const request = {
      path: `/measurements/${encodeURIComponent(measurementId)}/files`,
      headers: { accept: 'application/json' },
      signal,
    };
    await connection.get(request, () => (bytes) => {
      slices.push(bytes);
      return undefined;
    });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    connection.close();
  }
  const around = slices.finish();
  if ('measurementId' in around && around.measurementId !== measurementId)
    throw new ManifestError('The manifest belongs to another measurement.');
  return finished(measurementId, files, signal);
}

async function finished(measurementId: string, files: Draft[], signal: AbortSignal): Promise<ReadManifest> {
  files.sort((a, b) => a.index - b.index);
  const digest = createHash('sha256');
  const paths = new PathCheck();
  let totalBytes = 0;
  for (let from = 0; from < files.length; from += filesPerTurn) {
    signal.throwIfAborted();
    const lines: string[] = [];
    for (const [at, file] of files.slice(from, from + filesPerTurn).entries()) {
      if (file.index === files[from + at - 1]?.index)
        throw new ManifestError(`The manifest has two files with the index ${file.index}.`);
      paths.add(file.path);
      totalBytes += file.length;
      lines.push(
        JSON.stringify([
          file.index,
          file.named,
          file.length,
          file.crc32,
          file.sha256 && Buffer.from(file.sha256).toString('hex'),
        ]),
      );
    }
    digest.update(`${lines.join('\n')}\n`);
    await new Promise(setImmediate);
  }
  if (!Number.isSafeInteger(totalBytes)) throw new ManifestError('The files have more than 2^53 bytes in total.');
  for (const [place, refusal] of paths.refusals) {
    const file = files[place];
    if (file) file.refusal = refusal;
  }
  return { measurementId, digest: new Uint8Array(digest.digest()), fileCount: files.length, totalBytes, files };
}
