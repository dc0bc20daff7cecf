import { Value } from 'typebox/value';
import { ReceiptKeys } from '../contract/copies/receipts.ts';
import { requestJson, type JsonServer } from '../upload-client/json-request.ts';
import { refusal, textIn } from '../upload-client/upload-failure.ts';
import { readKeys } from './receipt-keys.ts';
import { hasKeys, ReceiptRefused, verifyReceipt, withKeys } from './receipt.ts';

/** A server gave no receipt, or one that cannot be believed; the message says why. */
export class ReceiptUnavailable extends Error {
  override readonly name = 'ReceiptUnavailable';
  readonly reason: 'no-receipt' | 'receipt-refused' | 'no-answer';

  constructor(reason: ReceiptUnavailable['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

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

/** The keys of servers' receipts as they were known first, as JSON. */
export interface IssuerKeys {
  issuerKeys(baseUrl: string): Promise<string | null>;
  setIssuerKeys(baseUrl: string, keys: string, now: number): Promise<void>;
}

// RFC 9110 sections 15.5.5, 15.5.6 and 15.6.2: the server knows no such route.
const noRoute: ReadonlySet<number> = new Set([404, 405, 501]);

/**
 * Gets the receipt of a measurement and verifies it: the signature, the keys, which are those that
 * were known before or more of them, and that it is about these bytes.
 *
 * @throws ReceiptUnavailable, or UploadFailure or HttpRequestError when the server cannot be asked.
 */
export async function requestReceipt(
  server: JsonServer,
  expected: ExpectedBytes,
  known: ReceiptKeys,
): Promise<ObtainedReceipt> {
  const route = `/api/v4/measurements/${encodeURIComponent(expected.id)}/receipts`;
  const answer = await requestJson(server, 'POST', route, {});
  const { host } = new URL(server.baseUrl);
  if (noRoute.has(answer.status))
    throw new ReceiptUnavailable(
      'no-receipt',
      `${host} has the files, but gives no receipts. It may be an older Benchport, or another program.`,
    );
  if (answer.status !== 200) throw refusal(answer, host);
  const receipt = textIn(answer.body, 'receipt');
  const published = await publishedKeysOf(server, host);
  if (published === null)
    throw new ReceiptUnavailable('receipt-refused', `${host} does not publish the keys of its receipts.`);
  if (!hasKeys(published, known))
    throw new ReceiptUnavailable(
      'receipt-refused',
      `${host} publishes other keys for its receipts than before. Ask its owner whether it was set up anew.`,
    );
  await requireReceipt(receipt, published, expected, host);
  return { receipt, keys: published };
}

/** Gets a receipt; the keys of its server are known from then on. @throws As {@link requestReceipt}. */
export async function receiptOfKnownIssuer(
  issuers: IssuerKeys,
  server: JsonServer,
  expected: ExpectedBytes,
  now: number,
): Promise<ObtainedReceipt> {
  const known = readKeys(await issuers.issuerKeys(server.baseUrl));
  const obtained = await requestReceipt(server, expected, known);
  const all = withKeys(known, obtained.keys);
  if (all.keys.length > known.keys.length) await issuers.setIssuerKeys(server.baseUrl, JSON.stringify(all), now);
  return obtained;
}

/** @returns null when what the server publishes is no set of keys. */
async function publishedKeysOf(server: JsonServer, host: string): Promise<ReceiptKeys | null> {
  const answer = await requestJson(server, 'GET', '/api/v4/receipts/keys', null);
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
    throw new ReceiptUnavailable('receipt-refused', `The receipt of ${host} is refused. ${error.message}`);
  }
}
