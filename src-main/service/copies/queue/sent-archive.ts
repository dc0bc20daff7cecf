import type { ArchiveReader } from '../../measurements/objects/archive-reader.ts';
import { isoTime } from '../../common/iso-time.ts';
import type { MeasurementRow } from '../../measurements/store/measurements-store.ts';
import type { FilesStore } from '../../measurements/store/files-store.ts';
import { manifestLine, type Bytes, type Manifest } from '../../upload-client/bytes.ts';
import type { RateLimit } from './rate-limit.ts';

const rowsPerSlice = 500;

/** The archive of a measurement as it is sent, no faster than allowed. */
export function sentArchive(archive: ArchiveReader, length: number, rateLimit: RateLimit): Bytes {
  return {
    length,
    writeFrom: async (offset, take) =>
      archive.copy(offset, length, async (chunk) => {
        for (let at = 0; at < chunk.length;) {
          const part = chunk.subarray(at, at + rateLimit.maxPartBytes);
          await rateLimit.wait(part.length);
          await take(part);
          at += part.length;
        }
      }),
  };
}

/** The lines of the manifest of a measurement, read while they are sent. */
export function sentManifest(
  files: Pick<FilesStore, 'from'>,
  { id, began_at: began, ended_at: ended }: Pick<MeasurementRow, 'id' | 'began_at' | 'ended_at'>,
): Manifest {
  // The times of the entries are those of the registration here, not of the run.
  const times = began === null || ended === null ? {} : { began_at: isoTime(began), ended_at: isoTime(ended) };
  return async function* lines(head) {
    yield Buffer.from(`${JSON.stringify({ ...head, ...times })}\n`);
    for (let index = 0; ;) {
      const rows = await files.from(id, index, rowsPerSlice);
      const last = rows.at(-1);
      if (!last) return;
      const text = rows.map(({ path, length, crc32, sha256, registered_at: registeredAt }) =>
        manifestLine({ path, length, crc32, sha256: sha256.toString('hex'), registeredAt }),
      );
      yield Buffer.from(text.join(''));
      index = last.idx + 1;
    }
  };
}
