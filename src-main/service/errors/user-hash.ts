import { createHmac } from 'node:crypto';
import type { Buffer } from 'node:buffer';
import type { SecretBox } from '../secrets/secret-box.ts';

const length = 16;

/** Digests of who was hit: names and addresses of people are short, so that a digest without a key could be searched. */
export function userHasher(secrets: SecretBox): (projectId: number, identity: string | null) => Buffer | null {
  let key: Buffer | undefined;
  return (projectId, identity) => {
    if (identity === null) return null;
    key ??= secrets.mac('error-users', '');
    return createHmac('sha256', key).update(`${projectId}:${identity}`).digest().subarray(0, length);
  };
}
