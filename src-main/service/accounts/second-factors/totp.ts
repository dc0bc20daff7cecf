import { generateSecret, generateSync, generateURI } from 'otplib';
import { sameText } from '../../http/csrf.ts';

// The RFC 6238 parameters that every authenticator app supports: SHA-1, 30 seconds, six digits.
const period = 30;
const digits = 6;
// One step each way tolerates clock drift and slow typing (RFC 6238 section 5.2).
const offsets = [-1, 0, 1];

/** A new key of 160 bits in Base32. */
export function newTotpKey(): string {
  return generateSecret({ length: 20 });
}

/** The otpauth address that an authenticator app reads from a QR code. */
export function totpUri(key: string, username: string, host: string): string {
  return generateURI({ issuer: 'Benchport', label: `${username}@${host}`, secret: key, digits, period });
}

/**
 * The time step of a code, among the current one and its neighbours; null when none matches. All of
 * them are compared, in constant time.
 *
 * @param now milliseconds since 1970.
 */
export function totpStep(key: string, code: string, now: number): number | null {
  const current = Math.floor(now / 1000 / period);
  const fitting = offsets
    .map((offset) => current + offset)
    .filter((step) => sameText(generateSync({ secret: key, epoch: step * period, period, digits }), code));
  return fitting.at(-1) ?? null;
}
