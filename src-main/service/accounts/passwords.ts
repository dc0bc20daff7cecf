import { hash, verify } from '@node-rs/argon2';

// Argon2id with 19 MiB, 2 passes, 1 lane: OWASP's Password Storage Cheat Sheet. The library runs it on its own thread pool.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The PHC string of a password, argon2id. */
export async function hashPassword(password: string): Promise<string> {
  return hash(normalised(password), parameters);
}

let decoy: Promise<string> | undefined;

/**
 * Whether a password fits. A user without a password, or none at all, costs the same time as a wrong password:
 * the time of an answer must not tell which user names exist.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  if (passwordHash !== null) return verify(passwordHash, normalised(password));
  decoy ??= hashPassword('no such user');
  await verify(await decoy, password);
  return false;
}

// The same characters typed on two systems may come composed or not (RFC 8265 section 4.2: OpaqueString uses NFC).
function normalised(password: string): string {
  return password.normalize('NFC');
}
