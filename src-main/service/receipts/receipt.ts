import { compactVerify, CompactSign, createLocalJWKSet, errors, type JWK } from 'jose';
import { Value } from 'typebox/value';
import { parseJson } from '../common/parse-json.ts';
import { ReceiptClaims, type ReceiptKeys } from '../contract/copies/receipts.ts';
import type { KeyUse, SigningKey } from '../secrets/signing-key.ts';

/** The key that signs receipts. */
export const receiptKey = {
  setting: 'receipts.signing_key',
  purpose: 'receipts',
  algorithm: 'EdDSA',
} as const satisfies KeyUse;

const type = 'benchport-receipt';

/** Signs what a receipt says, as a JWS in its compact form (RFC 7515). */
export async function signReceipt(key: SigningKey, claims: ReceiptClaims): Promise<string> {
  return new CompactSign(Buffer.from(JSON.stringify(claims)))
    .setProtectedHeader({ alg: receiptKey.algorithm, kid: key.kid, typ: type })
    .sign(key.privateKey);
}

/** A receipt that cannot be believed; the message says why. */
export class ReceiptRefused extends Error {
  override readonly name = 'ReceiptRefused';
}

export interface VerifiedReceipt {
  readonly claims: ReceiptClaims;
  /** Thumbprint of the key that signed it. */
  readonly kid: string;
}

/**
 * Verifies the signature of a receipt with keys that its issuer published, and what it consists of.
 *
 * @throws ReceiptRefused
 */
export async function verifyReceipt(receipt: string, { keys }: ReceiptKeys): Promise<VerifiedReceipt> {
  let verified;
  try {
    const known = createLocalJWKSet({ keys: keys.map((key) => ({ ...key })) });
    verified = await compactVerify(receipt, known, { algorithms: [receiptKey.algorithm] });
  } catch (error) {
    throw new ReceiptRefused(reasonOf(error));
  }
  const { protectedHeader: header } = verified;
  const claims = parseJson(Buffer.from(verified.payload).toString('utf8'));
  if (header.typ !== type || header.kid === undefined || !Value.Check(ReceiptClaims, claims))
    throw new ReceiptRefused('It is signed, but it is not a receipt of a measurement.');
  return { claims, kid: header.kid };
}

function reasonOf(error: unknown): string {
  if (error instanceof errors.JWKSNoMatchingKey) return 'It is signed with a key that is not among the published ones.';
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'Its signature is wrong: it was changed after it was signed, or by somebody else.';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'It is not signed in the way of receipts (EdDSA).';
  return 'It is not a receipt: it cannot be read.';
}

/** Keys with those of another set that are not among them. */
export function withKeys(known: ReceiptKeys, others: ReceiptKeys): ReceiptKeys {
  const kids = new Set(known.keys.map(kidOf));
  return { keys: [...known.keys, ...others.keys.filter((key) => !kids.has(kidOf(key)))] };
}

/** Whether all keys of one set are in another one as they were. */
export function hasKeys(all: ReceiptKeys, some: ReceiptKeys): boolean {
  const there = new Map(all.keys.map((key) => [kidOf(key), key['x']]));
  return some.keys.every((key) => there.get(kidOf(key)) === key['x']);
}

function kidOf(key: JWK | Readonly<Record<string, unknown>>): unknown {
  return key['kid'];
}
