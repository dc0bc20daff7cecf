import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Value } from 'typebox/value';
import { ChallengeAnswer, maxChallengeRanges, type Challenge } from '../../contract/copies/receipts.ts';
import type { CopyReason } from '../../contract/copies/copies.ts';
import type { ArchiveReader } from '../../measurements/objects/archive-reader.ts';
import type { MeasurementRow } from '../../measurements/store/measurements-store.ts';
import { hashRanges } from '../../receipts/answer-challenge.ts';
import { receiptOfKnownIssuer, ReceiptUnavailable, type IssuerKeys } from '../../receipts/request-receipt.ts';
import { requestJson, type JsonServer } from '../../upload-client/json-request.ts';
import { refusal, UploadFailure } from '../../upload-client/upload-failure.ts';
import type { Answer } from '../../upload-client/upload-requests.ts';

/** A copy that cannot be verified; the message says why. */
export class CopyUnverified extends Error {
  readonly reason: CopyReason;

  constructor(reason: CopyReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const blockBytes = 64 * 1024;
// The largest that randomInt accepts, 281 terabytes.
const maxRandom = 2 ** 48 - 1;
const challengeTimeoutMs = 120_000;

/**
 * Gets the receipt of a copy.
 *
 * @throws CopyUnverified, or UploadFailure or HttpRequestError when the server cannot be asked.
 */
export async function receiptOfCopy(
  issuers: IssuerKeys,
  server: JsonServer,
  measurement: MeasurementRow,
  now: number,
): Promise<string> {
  const { id, archive_tag: manifestSha256, file_count: files, total_bytes: bytes } = measurement;
  try {
    return (await receiptOfKnownIssuer(issuers, server, { id, manifestSha256, files, bytes }, now)).receipt;
  } catch (error) {
    if (error instanceof ReceiptUnavailable && error.reason !== 'no-answer')
      throw new CopyUnverified(error.reason, error.message);
    throw error;
  }
}

/**
 * Compares random blocks of a copy with those of the measurement here, by hashes that only somebody
 * who has the bytes can compute.
 *
 * @throws CopyUnverified, UploadFailure when the server cannot be asked, or an error of reading
 * the measurement here.
 */
export async function challengeCopy(
  server: JsonServer,
  measurement: MeasurementRow,
  archive: ArchiveReader,
): Promise<void> {
  const challenge = randomChallenge(measurement.archive_bytes);
  const expected = await withinTime(hashRanges(archive, measurement.archive_bytes, challenge));
  const answer = await requestJson(server, 'POST', `/api/v4/measurements/${measurement.id}/challenge`, challenge);
  const { host } = new URL(server.baseUrl);
  if (answer.status === 404 && isProblem(answer))
    throw new CopyUnverified('copy-removed', `${host} no longer has this measurement, or not all of its files.`);
  if (answer.status === 409 || answer.status === 422)
    throw new CopyUnverified(
      'bytes-differ',
      `${host} has this measurement, but not all of its files as they were sent.`,
    );
  if (answer.status !== 200 || !Value.Check(ChallengeAnswer, answer.body)) throw refusal(answer, host);
  if (answer.body.sha256 !== expected)
    throw new CopyUnverified('bytes-differ', `${host} has other bytes than those that were sent.`);
}

/** Blocks that lie anywhere in an archive. */
function randomChallenge(archiveBytes: number): Challenge {
  const length = Math.min(blockBytes, archiveBytes);
  const places = archiveBytes - length + 1;
  const ranges = Array.from({ length: maxChallengeRanges }, () => ({
    start: randomInt(Math.min(places, maxRandom)),
    length,
  }));
  return { nonce: randomBytes(32).toString('hex'), ranges };
}

/**
 * A disk that hangs must not keep the place of other copies.
 *
 * @throws UploadFailure when the files here are not read in time.
 */
async function withinTime(hash: Promise<string>): Promise<string> {
  const stop = new AbortController();
  const late = setTimeout(challengeTimeoutMs, null, { signal: stop.signal, ref: false }).catch(() => null);
  try {
    const first = await Promise.race([hash, late]);
    if (first !== null) return first;
    throw new UploadFailure('retry', 'server-failed', 'The files here could not be read within two minutes.');
  } finally {
    stop.abort();
  }
}

/** A server in between, whose own server is away, may answer 404 too, but not like a Benchport. */
function isProblem({ body }: Answer): boolean {
  return typeof body['request_id'] === 'string';
}
