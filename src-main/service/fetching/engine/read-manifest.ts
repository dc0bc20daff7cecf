import { createHash } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { asAskError } from './ask-error.ts';
import type { Ask } from './ask.ts';
import type { ManifestFile, ReadManifest } from './manifest-types.ts';
import { ManifestError, readSlices } from './read-manifest-slices.ts';
import { PathCheck } from './safe-path.ts';

const mostFiles = 1_000_000;
// Work in between during which nobody else gets a turn.
const filesPerTurn = 5000;

/** What is used of an entry. Other members may be there, and be anything. */
const Entry = Type.Object({
  index: Type.Integer({ minimum: 0, maximum: 0x7fffffff }),
  path: Type.String(),
  length: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  crc32: Type.Integer({ minimum: 0, maximum: 0xffffffff }),
});
const Linked = Type.Object({ _links: Type.Object({ download: Type.Object({ href: Type.String() }) }) });
const Hashed = Type.Object({ sha256: Type.String({ pattern: '^[0-9a-fA-F]{64}$' }) });
const entryForm = Compile(Entry);
const linkedForm = Compile(Linked);
const hashedForm = Compile(Hashed);

type Draft = { -readonly [Key in keyof ManifestFile]: ManifestFile[Key] };

/**
 * Reads the manifest of a measurement, of a server that may be hostile: it is bounded, its numbers are exact, and each path is checked for whether a file
 * may be written under it. Files with a `refusal` stay in the list.
 *
 * @throws AskError, ManifestError, or the reason of the signal.
 */
export async function readManifest(ask: Ask, measurementId: string, signal: AbortSignal): Promise<ReadManifest> {
  // Nothing that is put together of these would be the address of a measurement.
  if (measurementId === '' || measurementId === '.' || measurementId === '..') throw new ManifestError('A measurement cannot have this id.');
  const answer = await ask({ path: `/measurements/${encodeURIComponent(measurementId)}/files`, headers: { accept: 'application/json' }, signal });
  const files: Draft[] = [];
  try {
    const around = await readSlices(answer.body as AsyncIterable<Buffer>, (entries) => {
      signal.throwIfAborted();
      if (files.length + entries.length > mostFiles) {
        throw new ManifestError(`The manifest lists more than ${mostFiles.toLocaleString('en')} files. Fetch the measurement as an archive.`);
      }
      for (const entry of entries) files.push(draftOf(entry, files.length));
    });
    if ('measurementId' in around && around.measurementId !== measurementId) throw new ManifestError('The manifest is of another measurement.');
  } catch (error) {
    answer.body.destroy();
    signal.throwIfAborted();
    throw error instanceof ManifestError ? error : asAskError(error, answer.url);
  }
  return finished(measurementId, files, signal);
}

function draftOf(value: unknown, place: number): Draft {
  if (!entryForm.Check(value)) throw new ManifestError(`File ${(place + 1).toLocaleString('en')} of the manifest cannot be used: ${troubleOf(value)}.`);
  return {
    index: value.index,
    path: value.path,
    href: linkedForm.Check(value) ? hrefOf(value) : null,
    length: value.length,
    crc32: value.crc32,
    sha256: hashedForm.Check(value) ? bytesOf(value) : null,
    refusal: null,
  };
}

// A copy of its own: a part of a pool would take the whole pool along from thread to thread.
function bytesOf({ sha256 }: Static<typeof Hashed>): Uint8Array {
  return new Uint8Array(Buffer.from(sha256, 'hex'));
}

function troubleOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return 'it is no object';
  if ('crc32' in value && typeof value.crc32 === 'number' && value.crc32 < 0) {
    return `its crc32 is negative (${value.crc32}); the server has to send it as an unsigned number`;
  }
  const [first] = entryForm.Errors(value);
  return first === undefined ? 'it has another form' : `${first.instancePath === '' ? 'it' : first.instancePath.slice(1)} ${first.message}`;
}

/**
 * Its link, when it begins with a slash. It is relative to the origin as the interface defines it, or to the base URL, and whoever asks puts it below the
 * base URL. Any other is no use: the address is made from the interface then.
 */
function hrefOf({ _links: links }: Static<typeof Linked>): string | null {
  const { href } = links.download;
  if (!/^\/(?![/\\])[!-~]{0,2047}$/.test(href) || /[\\#]/.test(href)) return null;
  const [path = ''] = href.split('?');
  const plain = path.replaceAll(/%2e/gi, '.').replaceAll(/%2f|%5c/gi, '/');
  return plain.split('/').some((part) => part === '.' || part === '..') ? null : href;
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
      if (file.index === files[from + at - 1]?.index) throw new ManifestError(`The manifest has two files with the index ${file.index}.`);
      paths.add(file.path);
      totalBytes += file.length;
      lines.push(JSON.stringify([file.index, file.path, file.length, file.crc32, file.sha256 && Buffer.from(file.sha256).toString('hex')]));
    }
    digest.update(`${lines.join('\n')}\n`);
    await new Promise(setImmediate);
  }
  if (!Number.isSafeInteger(totalBytes)) throw new ManifestError('The lengths of the files make more than 2^53 bytes in all.');
  for (const [place, refusal] of paths.refusals) {
    const file = files[place];
    if (file) file.refusal = refusal;
  }
  return { measurementId, digest: new Uint8Array(digest.digest()), fileCount: files.length, totalBytes, files };
}
