import type { KeyResponse } from '../../api/actions/account-actions.ts';
import { refusalOfKey } from './refusal-of-key.ts';

/** Why this browser cannot add security keys; null when it can. */
export function keysUnsupported(): string | null {
  if (!('PublicKeyCredential' in window)) return 'This browser does not offer security keys at this address.';
  const supported = 'parseCreationOptionsFromJSON' in PublicKeyCredential && 'toJSON' in PublicKeyCredential.prototype;
  return supported ? null : 'This browser is too old for security keys here. Update it, or use another one.';
}

/**
 * Lets the browser create a key.
 *
 * @returns what the service checks and stores.
 * @throws ApiError that says in words why no key was created.
 */
export async function createKey(options: PublicKeyCredentialCreationOptionsJSON): Promise<KeyResponse> {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const created = await navigator.credentials.create({ publicKey });
    if (created instanceof PublicKeyCredential) return created.toJSON();
    throw new Error('The browser answered with something else than a key.');
  } catch (error) {
    throw refusalOfKey(error);
  }
}
