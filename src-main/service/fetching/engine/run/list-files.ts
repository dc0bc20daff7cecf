import { grouped } from '../../../common/grouped.ts';
import { shownName } from '../../../files/inspect-findings.ts';
import { HttpRequestError } from '../../../http-client/http-request-error.ts';
import { archiveAddress } from '../manifest/file-address.ts';
import { parseContentLength } from '../../../http-client/response-fields.ts';
import { FetchFailure, type FetchContext } from './fetch-context.ts';
import type { ManifestFile, ReadManifest } from '../manifest/manifest-types.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { plainPath, unsafePath } from '../target/safe-path.ts';
import type { JournalChange } from '../types.ts';

const batchSize = 1000;

/** The extent of a run. An archive needs `manifest` again for its verification. */
export interface Listed {
  readonly filesTotal: number;
  readonly manifest: ReadManifest | null;
}

/**
 * Reads the manifest and stores it in the journal the first time; later it must be unchanged.
 *
 * @throws HttpRequestError, ManifestError, FetchFailure, or the signal's reason.
 */
export async function listFiles(context: FetchContext): Promise<Listed> {
  const { plan, client, signal } = context;
  const manifest = await readManifest(client, plan.measurementId, signal);
  if (plan.manifestDigest !== null && Buffer.compare(plan.manifestDigest, manifest.digest) !== 0) {
    throw new FetchFailure(
      'manifest-changed',
      'The measurement has changed since this fetch was started. Fetch it again from the start.',
    );
  }
  if (plan.manifestDigest === null) await logReplacedNames(context, manifest);
  if (plan.what === 'archive') return listArchive(context, manifest);
  const files = chosenOf(plan.chosen, manifest.files);
  if (plan.manifestDigest === null) {
    let adding = Promise.resolve();
    for (let from = 0; from < files.length; from += batchSize) {
      await adding;
      adding = addFiles(context, files.slice(from, from + batchSize));
    }
    const bytesTotal = files.reduce((sum, file) => sum + file.length, 0);
    // In the same commit as the last files, and after them.
    await Promise.all([
      adding,
      context.journal.begin(plan.id, { manifestDigest: manifest.digest, filesTotal: files.length, bytesTotal }),
    ]);
  }
  return { filesTotal: files.length, manifest: null };
}

async function logReplacedNames({ journal, plan }: FetchContext, { files }: ReadManifest): Promise<void> {
  const [first, ...more] = files.filter(({ path, named }) => path !== named);
  if (!first) return;
  const others = more.length === 0 ? '' : `, and ${grouped(more.length)} more`;
  const message = `Invisible characters and characters that change the direction of text are replaced by _: ${shownName(first.named)} is written as ${shownName(first.path)}${others}.`;
  await journal.log(plan.id, 'warn', message);
}

function chosenOf(chosen: readonly number[] | null, files: readonly ManifestFile[]): readonly ManifestFile[] {
  if (!chosen) return files;
  const indices = new Set(chosen);
  const found = files.filter((file) => indices.has(file.index));
  const missing = indices.size - found.length;
  if (missing > 0)
    throw new FetchFailure(
      'not-found',
      `${grouped(missing)} of the chosen files ${missing === 1 ? 'is' : 'are'} not in the manifest.`,
    );
  return found;
}

async function addFiles({ journal, plan }: FetchContext, files: readonly ManifestFile[]): Promise<void> {
  const adding = journal.addFiles(plan.id, files);
  const refused = files.flatMap(({ index, refusal }): JournalChange[] =>
    refusal === null
      ? []
      : [{ kind: 'failed', index, reason: 'bad-path', message: `It cannot be written under its name: ${refusal}.` }],
  );
  await Promise.all([adding, refused.length > 0 ? journal.record(plan.id, refused) : null]);
}

async function listArchive(context: FetchContext, manifest: ReadManifest): Promise<Listed> {
  const { plan, journal } = context;
  const path = archiveName(plan.measurementId);
  const refusal = path.includes('/') ? 'it holds a slash' : unsafePath(path);
  if (refusal !== null)
    throw new FetchFailure('bad-path', `The archive cannot be written under the name of the measurement: ${refusal}.`);
  if (plan.manifestDigest !== null) return { filesTotal: 1, manifest };
  const file = { index: 0, path, href: null, length: await archiveLength(context), crc32: null, sha256: null };
  await journal.addFiles(plan.id, [file]);
  await journal.begin(plan.id, { manifestDigest: manifest.digest, filesTotal: 1, bytesTotal: file.length });
  return { filesTotal: 1, manifest };
}

/**
 * Null if the server does not support HEAD (RFC 9110 sections 15.5.6 and 15.6.2) or gives no
 * length.
 */
async function archiveLength({ plan, client, signal }: FetchContext): Promise<number | null> {
  try {
    const response = await client.send({ method: 'HEAD', path: archiveAddress(plan), signal });
    await response.read(() => undefined);
    return parseContentLength(response.headers);
  } catch (error) {
    if (error instanceof HttpRequestError && (error.status === 405 || error.status === 501)) return null;
    throw error;
  }
}

/** The name of the file an archive is saved as. */
export function archiveName(measurementId: string): string {
  return plainPath(`${measurementId}.zip`);
}
