import { randomBytes } from 'node:crypto';
import { secretDigest } from '../../secrets/secret-digest.ts';

const codeCount = 10;
const groups = 4;
const groupLength = 5;
// Crockford's Base32, without characters that are confused on paper. 20 characters of 5 bits are
// 100 bits.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Ten new recovery codes, such as `7k2mx-0ht9e-v3wqa-pd81n`. */
export function newRecoveryCodes(): readonly string[] {
  return Array.from({ length: codeCount }, newCode);
}

/** The digest under which a code is stored and looked up; case, dashes and spaces are ignored. */
export function recoveryCodeDigest(code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return secretDigest(plain);
}

function newCode(): string {
  const text = [...randomBytes(groups * groupLength)].map((byte) => alphabet[byte % alphabet.length]).join('');
  return Array.from({ length: groups }, (_, index) => text.slice(index * groupLength, (index + 1) * groupLength)).join(
    '-',
  );
}
