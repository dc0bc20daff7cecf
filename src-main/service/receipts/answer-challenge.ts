import { createHash } from 'node:crypto';
import type { Challenge, ChallengeAnswer } from '../contract/copies/receipts.ts';
import { HttpProblem } from '../common/problem.ts';
import type { ArchiveReader } from '../measurements/objects/archive-reader.ts';
import { faultAsProblem, FileFault } from '../measurements/storage/file-errors.ts';
import type { MeasurementRow } from '../measurements/store/measurements-store.ts';

const maxRunning = 8;

/** Answers challenges, of which some at most run at once, because each reads megabytes. */
export class ChallengeAnswers {
  #running = 0;

  /** @throws HttpProblem 422 for a range beyond the archive, 503 when too many run, and as for downloads. */
  async answer(measurement: MeasurementRow, archive: ArchiveReader, challenge: Challenge): Promise<ChallengeAnswer> {
    if (this.#running >= maxRunning)
      throw new HttpProblem(503, 'Too many copies are being checked. Try again in a moment.', {
        headers: { 'retry-after': '5' },
      });
    this.#running += 1;
    try {
      const sha256 = await hashRanges(archive, measurement.archive_bytes, challenge);
      return { manifest_sha256: measurement.archive_tag, sha256 };
    } catch (error) {
      throw error instanceof FileFault ? faultAsProblem(error) : error;
    } finally {
      this.#running -= 1;
    }
  }
}

/**
 * SHA-256 of the bytes of the nonce and then of each range, hexadecimal.
 *
 * @throws HttpProblem 422 for a range beyond the archive, or an error of the archive.
 */
export async function hashRanges(
  archive: ArchiveReader,
  archiveBytes: number,
  { nonce, ranges }: Challenge,
): Promise<string> {
  const hash = createHash('sha256').update(Buffer.from(nonce, 'hex'));
  for (const { start, length } of ranges) {
    if (start + length > archiveBytes)
      throw new HttpProblem(422, `A range ends after the archive, which has ${archiveBytes} bytes.`);
    const bytes = Buffer.allocUnsafe(length);
    await archive.fill(bytes, start);
    hash.update(bytes);
  }
  return hash.digest('hex');
}
