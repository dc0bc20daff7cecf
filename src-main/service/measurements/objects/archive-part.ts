import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { callbackify } from 'node:util';
import type { ChangeCounter } from '../../database/change-counter.ts';
import type { DataPaths } from '../../common/data-paths.ts';
import { archiveForJob } from '../content/archive-source.ts';
import { copyArchive, type ArchiveSource } from '../content/copy-archive.ts';
import { ResponseWriter } from '../content/response-writer.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { MeasurementStores } from '../store/stores.ts';
import { SendBuffers } from '../transfers/buffer-pool.ts';

const bufferBytes = 256 * 1024;

/** Reads parts of the archive of a measurement whose files lie in a folder. */
export class ArchiveParts {
  readonly #source: ArchiveSource;
  readonly #buffers = new SendBuffers();

  constructor(
    services: Pick<MeasurementStores, 'files' | 'blockSums'> & {
      readonly paths: DataPaths;
      readonly changes: ChangeCounter;
    },
    measurement: MeasurementRow,
  ) {
    this.#source = archiveForJob(services, measurement);
  }

  /** Fills a buffer with the archive's bytes from a position on. @throws FileFault */
  async fill(part: Buffer, position: number): Promise<void> {
    let at = 0;
    await this.copy(position, position + part.length, async (chunk) => {
      at += chunk.copy(part, at);
    });
  }

  /**
   * Hands out the archive's bytes from `start` to `end`.
   *
   * @param take gets bytes that change once its promise resolves.
   * @throws FileFault, or an error of `take`.
   */
  async copy(start: number, end: number, take: (chunk: Buffer) => Promise<void>): Promise<void> {
    const taken = callbackify(take);
    const target = new Writable({
      write: (chunk: Buffer, _encoding, done) => taken(chunk, done),
    });
    const failure = new Promise<never>((_resolve, reject) => target.once('error', reject));
    failure.catch(() => undefined);
    const writer = new ResponseWriter({
      // A stream accepts the body like a response.
      response: target as unknown as ServerResponse,
      buffers: this.#buffers,
      bufferSize: bufferBytes,
      kernel: null,
      length: end - start,
      sendHead: () => {},
      onSent: () => {},
    });
    try {
      await copyArchive(writer, this.#source, start, end);
      await writer.end();
    } catch (error) {
      if (target.errored === null) throw error;
    } finally {
      writer.release();
    }
    if (target.errored !== null) await failure;
  }
}
