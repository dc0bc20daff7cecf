import { calculateJwkThumbprint, compactVerify, CompactSign, EmbeddedJWK } from 'jose';
import { Value } from 'typebox/value';
import { parseJson } from '../../common/parse-json.ts';
import { BenchReport } from '../../contract/fleet/fleet.ts';
import type { KeyUse, SigningKey } from '../../secrets/signing-key.ts';

/** The key that signs the reports of a bench. Its thumbprint is the bench's id. */
export const benchKey = {
  setting: 'fleet.signing_key',
  purpose: 'fleet',
  algorithm: 'EdDSA',
} as const satisfies KeyUse;

const type = 'benchport-bench';

/** Signs a report, as a JWS in its compact form (RFC 7515) with its public key. */
export async function signReport(key: SigningKey, report: BenchReport): Promise<string> {
  const { kty = '', crv = '', x = '' } = key.publicJwk;
  return new CompactSign(Buffer.from(JSON.stringify(report)))
    .setProtectedHeader({ alg: benchKey.algorithm, typ: type, jwk: { kty, crv, x } })
    .sign(key.privateKey);
}

/** A report that cannot be believed; the message says why. */
export class ReportRefused extends Error {
  override readonly name = 'ReportRefused';
}

export interface VerifiedReport {
  readonly benchId: string;
  readonly report: BenchReport;
}

/**
 * Verifies the signature of a report, and what it consists of.
 *
 * @throws ReportRefused
 */
export async function verifyReport(signed: string): Promise<VerifiedReport> {
  const verified = await compactVerify(signed, EmbeddedJWK, { algorithms: [benchKey.algorithm] }).catch(() => null);
  const jwk = verified?.protectedHeader.jwk;
  if (!verified || !jwk || verified.protectedHeader.typ !== type)
    throw new ReportRefused('The signature of the report is wrong: it was changed on its way, or it is no report.');
  const report = parseJson(Buffer.from(verified.payload).toString('utf8'));
  if (!Value.Check(BenchReport, report)) {
    const [fault] = Value.Errors(BenchReport, report);
    throw new ReportRefused(`The report cannot be read: ${fault?.instancePath ?? ''} ${fault?.message ?? ''}.`);
  }
  return { benchId: await calculateJwkThumbprint(jwk), report };
}
