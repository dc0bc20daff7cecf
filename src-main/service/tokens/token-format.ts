import { crc32 } from '@node-rs/crc32';
import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const checkLength = 6;
const shape = /^bppat-([0-9A-Za-z]{32,64})([0-9A-Za-z]{6})$/;

/**
 * A new personal access token: `bppat-`, 32 random base62 characters (190 bits), and their CRC-32
 * in six more, by which secret scanners recognise it, and typing errors are found without a
 * look-up.
 */
export function newPersonalAccessToken(): string {
  const random = randomBase62(randomLength);
  return `bppat-${random}${checksum(random)}`;
}

/** Whether a text has the form and the check characters of a personal access token. */
export function isPersonalAccessToken(token: string): boolean {
  const match = shape.exec(token);
  return match !== null && checksum(match[1] ?? '') === match[2];
}

function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    // 248 is the largest multiple of 62 below 256: bytes above it would favour the first
    // characters.
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += alphabet[byte % 62];
  }
  return text;
}

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let i = 0; i < checkLength; i += 1) {
    digits = (alphabet[value % 62] ?? '') + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}
