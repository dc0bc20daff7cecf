import { createPublicKey, verify } from 'node:crypto';
import { UnprovenUpdate } from './update-rules.ts';

/**
 * Makes sure that a feed's file was signed with the key of whoever makes our releases (Ed25519, RFC 8032): it names each package by its SHA-512, so that it
 * proves them as well. Neither https nor the code signatures of a system do that everywhere: Linux packages have none.
 *
 * @param text the file as it came.
 * @param signature base64.
 * @param key base64 of the public key (SubjectPublicKeyInfo, DER).
 * @throws UnprovenUpdate when it is not proven
 */
export function proveFeed(text: string, signature: string, key: string): void {
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  const isSigned = publicKey.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(text), publicKey, Buffer.from(signature.trim(), 'base64'));
  if (!isSigned) throw new UnprovenUpdate('The update server offers what nobody has signed for Benchport. Nothing was fetched.');
}
