import { randomInt } from 'node:crypto';

// Without vowels, so that codes spell no words, and without similar characters (RFC 8628 section
// 6.1).
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;
const shape = /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/;

/** A random code that a person reads from one screen and types into another, such as WDJB-MJHT. */
export function newUserCode(): string {
  const letters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');
  return dashed(letters);
}

/**
 * Normalizes a typed code: upper case, with one dash, other separators removed; null when it cannot
 * be a code.
 */
export function readUserCode(typed: string): string | null {
  const letters = typed.toUpperCase().replaceAll(/[\s\-_.]/g, '');
  return shape.test(letters) ? dashed(letters) : null;
}

function dashed(letters: string): string {
  return `${letters.slice(0, length / 2)}-${letters.slice(length / 2)}`;
}
