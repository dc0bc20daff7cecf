import { hash } from 'node:crypto';

/**
 * SHA-256, the stored form of secrets of high entropy. A slow hash would protect nothing here (190
 * random bits) and cost 20 ms a request.
 */
export function secretDigest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
