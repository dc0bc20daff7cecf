import { isUtf8 } from 'node:buffer';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { beginLayout, type ArchiveLayout } from '../../../archive/layout.ts';
import { grouped } from '../../../common/grouped.ts';
import { parseJson } from '../../../common/parse-json.ts';
import { HttpProblem, invalidRequest } from '../../../common/problem.ts';
import { shownName } from '../../../files/inspect-findings.ts';
import { compareCodePoints } from '../../../../../src-shared/measurement-names.ts';
import { withTime, type FileTimes } from '../../store/file-times.ts';
import { lineOf, manifestName, maxUploadedFiles, type ExpectedArchive, type ExpectedFile } from './expected-file.ts';

/** Few enough entries between writes that other requests hardly wait. */
const flushBytes = 32 * 1024;

const Time = Type.String({ pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$` });

/** Other members of an entry, such as those that the manifest of a service has, are ignored. */
const Entry = Compile(
  Type.Object({
    path: Type.String(),
    length: Type.Integer({ minimum: 0 }),
    crc32: Type.Integer({ minimum: 0, maximum: 0xffffffff }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    registrationTime: Time,
  }),
);

const Head = Type.Object({
  id: Type.String(),
  title: Type.Optional(Type.String()),
  project: Type.Optional(Type.String()),
  // Of a measurement whose files have the times of its registration; without them, those of the files count.
  began_at: Type.Optional(Time),
  ended_at: Type.Optional(Time),
});
const HeadShape = Compile(Head);
/** Id, title, project and times of the measurement, which precede the list of files. */
export type ManifestHead = Static<typeof Head>;

export interface StoredManifest {
  readonly head: ManifestHead;
  readonly archive: ExpectedArchive;
  /** Of all files together. */
  readonly bytes: number;
  /** Equal for equal files with equal times. */
  readonly tag: string;
  readonly times: FileTimes | null;
}

/** @throws HttpProblem 400 */
export function readHead(value: unknown): ManifestHead {
  if (HeadShape.Check(value)) return value;
  throw invalidRequest(
    'A manifest begins with an object with the id of the measurement, and if wanted title, project, began_at and ended_at (such as 2026-01-31T10:20:30.123Z).',
  );
}

/**
 * Writes the files of a manifest into the folder of an upload, and computes the archive that follows
 * from them.
 *
 * @param entries In archive order.
 * @throws HttpProblem 422 for an entry that cannot be part of a measurement, 413 for too many.
 */
export async function storeManifest(
  folder: string,
  head: ManifestHead,
  entries: AsyncIterable<unknown>,
): Promise<StoredManifest> {
  const handle = await open(path.join(folder, manifestName), 'wx', 0o600);
  try {
    return await new ManifestWriter(handle, head).write(entries);
  } finally {
    await handle.close();
  }
}

class ManifestWriter {
  readonly #handle: FileHandle;
  readonly #head: ManifestHead;
  readonly #layout: ArchiveLayout = beginLayout();
  #text = '';
  #files = 0;
  #bytes = 0;
  #last = '';
  #times: FileTimes | null = null;
  readonly #now = Date.now();

  constructor(handle: FileHandle, head: ManifestHead) {
    this.#handle = handle;
    this.#head = head;
  }

  async write(entries: AsyncIterable<unknown>): Promise<StoredManifest> {
    for await (const entry of entries) {
      this.#add(fileOf(entry, this.#files));
      if (this.#text.length >= flushBytes) await this.#flush();
    }
    await this.#flush();
    await this.#handle.datasync();
    const { archiveBytes, directoryOffset, tag } = this.#layout.finish();
    return {
      head: this.#head,
      archive: { files: this.#files, archiveBytes, directoryOffset },
      bytes: this.#bytes,
      tag,
      times: timesOfHead(this.#head, this.#now) ?? this.#times,
    };
  }

  #add(file: ExpectedFile): void {
    if (this.#files >= maxUploadedFiles)
      throw new HttpProblem(413, `A manifest has at most ${grouped(maxUploadedFiles)} files.`, {
        type: 'too-many-files',
      });
    if (this.#files > 0 && compareCodePoints(this.#last, file.path) >= 0)
      throw refused(
        `${shownName(file.path)} comes after ${shownName(this.#last)}, but the files must be sorted by the code points of their paths, each once`,
      );
    try {
      this.#layout.add({ ...file, sha256: Buffer.from(file.sha256, 'hex') });
    } catch (error) {
      if (error instanceof RangeError) throw refused(`${shownName(file.path)}: ${error.message}`);
      throw error;
    }
    this.#last = file.path;
    this.#files += 1;
    this.#times = withTime(this.#times, file.registeredAt, this.#now);
    this.#bytes += file.length;
    this.#text += lineOf(file);
  }

  async #flush(): Promise<void> {
    await this.#handle.writeFile(this.#text);
    this.#text = '';
  }
}

function timesOfHead({ began_at: began, ended_at: ended }: ManifestHead, now: number): FileTimes | null {
  if (began === undefined || ended === undefined) return null;
  return withTime(withTime(null, Date.parse(began), now), Date.parse(ended), now);
}

function fileOf(entry: unknown, index: number): ExpectedFile {
  if (!Entry.Check(entry))
    throw refused(
      `Entry ${index} of the manifest must have path, length, crc32, sha256 (64 hexadecimal digits in lower case) and registrationTime (such as 2026-01-31T10:20:30.123Z)`,
    );
  const { path: name, length, crc32, sha256, registrationTime } = entry;
  const registeredAt = Date.parse(registrationTime);
  if (!Number.isFinite(registeredAt)) throw refused(`${shownName(name)}: its registrationTime does not exist`);
  return { path: name, length, crc32, sha256, registeredAt };
}

function refused(detail: string): HttpProblem {
  return new HttpProblem(422, `${detail}.`, { type: 'bad-manifest' });
}

/** @throws HttpProblem 400 */
export function parseLine(bytes: Buffer): unknown {
  const value = isUtf8(bytes) ? parseJson(bytes.toString('utf8')) : null;
  if (value === null) throw invalidRequest('Each line of a manifest must be a JSON object in UTF-8.');
  return value;
}
