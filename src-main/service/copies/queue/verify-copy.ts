import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Value } from 'typebox/value';
import { ChallengeAnswer, maxChallengeRanges, ReceiptKeys, type Challenge } from '../../contract/copies/receipts.ts';
import type { CopyReason } from '../../contract/copies/copies.ts';
import type { ArchiveReader } from '../../measurements/objects/archive-reader.ts';
import type { MeasurementRow } from '../../measurements/store/measurements-store.ts';
import { hashRanges } from '../../receipts/answer-challenge.ts';
import { readKeys } from '../../receipts/receipt-keys.ts';
import { hasKeys, ReceiptRefused, verifyReceipt, withKeys } from '../../receipts/receipt.ts';
import { refusal, textIn, UploadFailure } from '../../upload-client/upload-failure.ts';
import type { Answer, SendRequest } from '../../upload-client/upload-requests.ts';
import type { CopiesStore } from '../store/copies-store.ts';

/** A copy that cannot be verified; the message says why. */
export class CopyUnverified extends Error {
  readonly reason: CopyReason;

  constructor(reason: CopyReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The server that has a copy, and how requests are sent to it. */
export interface CopyServer {
  readonly send: SendRequest;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly signal: AbortSignal;
}

const blockBytes = 64 * 1024;
// The largest that randomInt accepts, 281 terabytes.
const maxRandom = 2 ** 48 - 1;
const challengeTimeoutMs = 120_000;

/** The measurement that a receipt has to be about; null for members that are not known here. */
export interface ExpectedBytes {
  readonly id: string;
  readonly manifestSha256: string | null;
  readonly files: number | null;
  readonly bytes: number | null;
}

/** A receipt whose signature was verified with the keys that its issuer published. */
export interface ObtainedReceipt {
  readonly receipt: string;
  readonly keys: ReceiptKeys;
}

/**
 * Gets the receipt of a measurement and verifies it: the signature, the keys, which are those that
 * were known before or more of them, and that it is about these bytes.
 *
 * @throws CopyUnverified, or UploadFailure when the server cannot be asked.
 */
export async function requestReceipt(
  server: CopyServer,
  expected: ExpectedBytes,
  known: ReceiptKeys,
): Promise<ObtainedReceipt> {
  const answer = await ask(server, 'POST', `/api/v4/measurements/${expected.id}/receipts`, {});
  const { host } = new URL(server.baseUrl);
  if (answer.status === 404)
    throw new CopyUnverified('no-receipt', `${host} has the files, but gives no receipts. Its Benchport may be older.`);
  if (answer.status !== 200) throw refusal(answer, host);
  const receipt = textIn(answer.body, 'receipt');
  const published = await publishedKeysOf(server, host);
  if (published === null)
    throw new CopyUnverified('receipt-refused', `${host} does not publish the keys of its receipts.`);
  if (!hasKeys(published, known))
    throw new CopyUnverified(
      'receipt-refused',
      `${host} publishes other keys for its receipts than before. Ask its owner whether it was set up anew.`,
    );
  await requireReceipt(receipt, published, expected, host);
  return { receipt, keys: published };
}

/** @returns null when what the server publishes is no set of keys. */
async function publishedKeysOf(server: CopyServer, host: string): Promise<ReceiptKeys | null> {
  const answer = await ask(server, 'GET', '/api/v4/receipts/keys', null);
  if (answer.status === 404) return null;
  if (answer.status !== 200) throw refusal(answer, host);
  return Value.Check(ReceiptKeys, answer.body) ? answer.body : null;
}

async function requireReceipt(
  receipt: string,
  keys: ReceiptKeys,
  expected: ExpectedBytes,
  host: string,
): Promise<void> {
  try {
    const { id, manifest_sha256: digest, files, bytes } = (await verifyReceipt(receipt, keys)).claims.measurement;
    const isSame =
      id === expected.id &&
      digest === (expected.manifestSha256 ?? digest) &&
      files === (expected.files ?? files) &&
      bytes === (expected.bytes ?? bytes);
    if (!isSame) throw new ReceiptRefused('It is about other files.');
  } catch (error) {
    if (!(error instanceof ReceiptRefused)) throw error;
    throw new CopyUnverified('receipt-refused', `The receipt of ${host} is refused. ${error.message}`);
  }
}

/** Gets the receipt of a copy; the keys of its server are known from then on. */
export async function receiptOfCopy(
  copies: Pick<CopiesStore, 'issuerKeys' | 'setIssuerKeys'>,
  server: CopyServer,
  measurement: MeasurementRow,
  now: number,
): Promise<string> {
  const known = readKeys(await copies.issuerKeys(server.baseUrl));
  const { id, archive_tag: manifestSha256, file_count: files, total_bytes: bytes } = measurement;
  const { receipt, keys } = await requestReceipt(server, { id, manifestSha256, files, bytes }, known);
  const all = withKeys(known, keys);
  if (all.keys.length > known.keys.length) await copies.setIssuerKeys(server.baseUrl, JSON.stringify(all), now);
  return receipt;
}

/**
 * Compares random blocks of a copy with those of the measurement here, by hashes that only somebody
 * who has the bytes can compute.
 *
 * @throws CopyUnverified, UploadFailure when the server cannot be asked, or an error of reading
 * the measurement here.
 */
export async function challengeCopy(
  server: CopyServer,
  measurement: MeasurementRow,
  archive: ArchiveReader,
): Promise<void> {
  const challenge = randomChallenge(measurement.archive_bytes);
  const expected = await withinTime(hashRanges(archive, measurement.archive_bytes, challenge));
  const answer = await ask(server, 'POST', `/api/v4/measurements/${measurement.id}/challenge`, challenge);
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

async function ask(
  { send, baseUrl, signal }: CopyServer,
  method: 'GET' | 'POST',
  route: string,
  content: object | null,
): Promise<Answer> {
  const url = new URL(`${baseUrl}${route}`);
  if (content === null) return send(url, { method }, signal);
  const text = Buffer.from(JSON.stringify(content));
  const headers = { 'content-type': 'application/json', 'content-length': text.length };
  return send(url, { method, headers, body: async (take) => take(text) }, signal);
}
