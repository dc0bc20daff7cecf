import {
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importPKCS8,
  type CryptoKey,
  type JWK,
} from 'jose';
import type { Logger } from 'pino';
import type { SettingsStore } from '../../database/settings-store.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';

export const signingAlgorithm = 'RS256';
const setting = 'oauth.signing_key';
const purpose = 'signing-key';

export interface SigningKey {
  readonly privateKey: CryptoKey;
  /** JWK thumbprint (RFC 7638). */
  readonly kid: string;
  /** The public part, safe to publish. */
  readonly publicJwk: JWK;
}

interface Deps {
  readonly settings: SettingsStore;
  readonly secrets: SecretBox;
  readonly log: Logger;
}

/**
 * Loads the key that signs id_tokens on first use. It is generated once and stored sealed in the
 * settings.
 */
export function signingKey(deps: Deps): () => Promise<SigningKey> {
  let key: Promise<SigningKey> | null = null;
  return async () => {
    key ??= loadOrMake(deps).catch((error: unknown) => {
      // Lets the next call retry.
      key = null;
      throw error;
    });
    return key;
  };
}

async function loadOrMake(deps: Deps): Promise<SigningKey> {
  const sealed = await deps.settings.get(setting);
  if (sealed !== null) {
    try {
      return await opened(deps, sealed);
    } catch (error) {
      // The secret key that sealed it is lost. Id_tokens live for minutes, so a new signing key
      // replaces it.
      deps.log.warn({ err: error }, 'the signing key cannot be read; a new one was made');
    }
  }
  const { privateKey } = await generateKeyPair(signingAlgorithm, { modulusLength: 2048, extractable: true });
  const made = deps.secrets.seal(purpose, Buffer.from(await exportPKCS8(privateKey))).toString('base64');
  // Of two replicas that make one at once, both use the one that was stored first.
  const stored =
    sealed === null
      ? await deps.settings.addIfAbsent(setting, made)
      : await deps.settings.replace(setting, sealed, made);
  return opened(deps, stored);
}

async function opened({ secrets }: Deps, sealed: string): Promise<SigningKey> {
  const pkcs8 = secrets.open(purpose, Buffer.from(sealed, 'base64')).toString();
  return described(await importPKCS8(pkcs8, signingAlgorithm, { extractable: true }));
}

async function described(privateKey: CryptoKey): Promise<SigningKey> {
  const { kty = 'RSA', n = '', e = '' } = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint({ kty, n, e });
  return { privateKey, kid, publicJwk: { kty, n, e, kid, use: 'sig', alg: signingAlgorithm } };
}
