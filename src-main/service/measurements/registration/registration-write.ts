import { beginLayout, type ArchiveLayout, type ArchiveShape } from '../../archive/layout.ts';
import { JobFailed, parametersOf, type WorkContext } from '../../jobs/job-work.ts';
import { fileListDigest } from '../file-worker/file-list-digest.ts';
import type { HashedFile } from '../../files/hash-messages.ts';
import type { RegistrationParameters } from './register.ts';
import type { PlannedFile, RegisteredFile } from '../store/registration-rows.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { MeasurementStores } from '../store/stores.ts';

const rowsPerSlice = 1000;

/**
 * Stores files in order as they are read, each with its offsets in the archive. After a restart it
 * continues after the last stored file.
 */
export class RegistrationWriter {
  readonly #services: Pick<MeasurementStores, 'files' | 'registrations'> & { readonly changes: ChangeCounter };
  readonly #context: WorkContext;
  readonly #copy: boolean;
  #layout: ArchiveLayout = beginLayout();
  #list = fileListDigest();
  #files = 0;
  #bytes = 0;
  #resumedAt = 0;
  #read = 0;

  private constructor(
    services: Pick<MeasurementStores, 'files' | 'registrations'> & { readonly changes: ChangeCounter },
    context: WorkContext,
  ) {
    this.#services = services;
    this.#context = context;
    this.#copy = (parametersOf(context.job) as RegistrationParameters).copy;
  }

  /** Creates a writer that continues after the rows already stored. */
  static async open(
    services: Pick<MeasurementStores, 'files' | 'registrations'> & { readonly changes: ChangeCounter },
    context: WorkContext,
  ): Promise<RegistrationWriter> {
    const writer = new RegistrationWriter(services, context);
    await writer.replay(false);
    writer.#resumedAt = writer.#bytes;
    return writer;
  }

  /** Number of stored files, and index of the next. */
  get count(): number {
    return this.#files;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Recomputes the archive layout from the first file on; with `moved`, the stored offsets are
   * corrected.
   */
  async replay(moved: boolean): Promise<void> {
    const { measurement_id: id } = this.#context.job;
    this.#layout = beginLayout();
    this.#list = fileListDigest();
    this.#files = 0;
    this.#bytes = 0;
    for (;;) {
      const rows = await this.#services.files.from(id, this.#files, rowsPerSlice);
      if (rows.length === 0) break;
      this.#list.add(rows.map(({ path, length, mtime_ns: mtimeNs }) => ({ path, length, mtimeNs })));
      const places = rows.map((row) => ({
        index: row.idx,
        ...this.#place({ ...row, registeredAt: row.registered_at }),
      }));
      if (moved) await this.#services.registrations.place(id, places);
      await new Promise(setImmediate);
      this.#context.signal.throwIfAborted();
    }
    this.#report();
  }

  async write(files: readonly { readonly file: PlannedFile; readonly digest: HashedFile }[]): Promise<void> {
    const { registrations, changes } = this.#services;
    for (const { digest } of files) {
      if (!digest.healed || digest.location === null) continue;
      await registrations.objectRestored(digest.location, digest.mtimeNs);
      changes.bump();
    }
    const rows = files.map(({ file, digest }): RegisteredFile => {
      const { index, length, crc32, mtimeNs, ctimeNs, blocks, pieces, at } = digest;
      const sha256 = Buffer.from(digest.sha256, 'hex');
      const place = this.#place({ path: file.path, length, crc32, sha256, registeredAt: at });
      const location = this.#copy ? locationOf(digest) : file.source;
      return {
        index,
        path: file.path,
        location,
        length,
        crc32,
        sha256,
        mtimeNs,
        ctimeNs,
        blocks,
        pieces,
        registeredAt: at,
        ...place,
      };
    });
    this.#list.add(rows);
    await registrations.add(this.#context.job.measurement_id, rows);
    this.#report();
  }

  /**
   * Updates the progress during a long file.
   *
   * @param bytesRead Bytes that the thread has read since the job was started or resumed.
   */
  showRead(bytesRead: number, bytesTotal: number): void {
    this.#read = Math.min(bytesRead, bytesTotal - this.#resumedAt);
    this.#report();
  }

  /**
   * @returns the archive's shape, and the digest of the file list. May be called once per replay.
   */
  finish(): ArchiveShape & { readonly listDigest: string } {
    return { ...this.#layout.finish(), listDigest: this.#list.finish() };
  }

  #place(member: { path: string; length: number; crc32: number; sha256: Buffer; registeredAt: number }): {
    archiveOffset: number;
    directoryOffset: number;
  } {
    try {
      const place = this.#layout.add(member);
      this.#files += 1;
      this.#bytes += member.length;
      return place;
    } catch (error) {
      if (error instanceof RangeError) throw new JobFailed(`${member.path}: ${error.message}.`, { cause: error });
      throw error;
    }
  }

  #report(): void {
    this.#context.report({ filesDone: this.#files, bytesDone: Math.max(this.#bytes, this.#resumedAt + this.#read) });
  }
}

function locationOf(digest: HashedFile): string {
  if (digest.location === null) throw new Error('a file that was taken into the library has no place there');
  return digest.location;
}
