import { Type, type Static } from 'typebox';
import { named, Timestamp } from '../common.ts';

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** A receipt as the service that issued it shows it. */
export const Receipt = named('Receipt', {
  measurement_id: Type.String(),
  manifest_sha256: Type.String({ description: 'Digest of the manifest, see the guide' }),
  issued_at: Timestamp,
  username: Type.String({ description: 'Whom it was issued to' }),
  receipt: Type.String({ description: 'JWS in its compact form (RFC 7515), signed with EdDSA' }),
});
export type Receipt = Static<typeof Receipt>;

/** The payload of a receipt. Times are seconds since 1970 (RFC 7519 section 2). */
export const ReceiptClaims = Type.Object({
  iss: Type.String({ minLength: 1, maxLength: 2048 }),
  sub: Type.String({ minLength: 1, maxLength: 255 }),
  iat: Type.Integer({ minimum: 0 }),
  jti: Type.String({ minLength: 1, maxLength: 100 }),
  measurement: Type.Object({
    id: Type.String({ minLength: 1, maxLength: 128 }),
    manifest_sha256: Sha256,
    files: Type.Integer({ minimum: 0 }),
    bytes: Type.Integer({ minimum: 0 }),
  }),
});
export type ReceiptClaims = Static<typeof ReceiptClaims>;

/** A set of public keys (RFC 7517 section 5). */
export const ReceiptKeys = named('ReceiptKeys', {
  keys: Type.Array(Type.Record(Type.String(), Type.Unknown()), { maxItems: 100 }),
});
export type ReceiptKeys = Static<typeof ReceiptKeys>;

export const maxChallengeRanges = 16;
const maxChallengeRangeBytes = 256 * 1024;

/** Ranges of the archive whose bytes only somebody who has them can hash with this nonce. */
export const Challenge = Type.Object(
  {
    nonce: Type.String({ pattern: '^[0-9a-f]{32,128}$' }),
    ranges: Type.Array(
      Type.Object(
        {
          start: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
          length: Type.Integer({ minimum: 1, maximum: maxChallengeRangeBytes }),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: maxChallengeRanges },
    ),
  },
  { additionalProperties: false },
);
export type Challenge = Static<typeof Challenge>;
export const ChallengeAnswer = named('ChallengeAnswer', {
  manifest_sha256: Sha256,
  sha256: Type.String({ description: 'SHA-256 of the bytes of the nonce, then those of each range' }),
});
export type ChallengeAnswer = Static<typeof ChallengeAnswer>;
