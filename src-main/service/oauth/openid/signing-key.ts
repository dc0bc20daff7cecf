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
  /** The thumbprint of RFC 7638. */
  readonly kid: string;
  /** What everybody may know of it. */
  readonly publicJwk: JWK;
}

interface Deps {
  readonly settings: SettingsStore;
  readonly secrets: SecretBox;
  readonly log: Logger;
}

/** The key that signs id_tokens, made with the first use and sealed in the settings; it takes a moment only once. */
export function signingKey(deps: Deps): () => Promise<SigningKey> {
  let key: Promise<SigningKey> | null = null;
  return async () => {
    key ??= loadOrMake(deps).catch((error: unknown) => {
      // The next one tries again.
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
      return await described(
        await importPKCS8(deps.secrets.open(purpose, Buffer.from(sealed, 'base64')).toString(), signingAlgorithm, {
          extractable: true,
        }),
      );
    } catch (error) {
      // The key that sealed it is lost, so nobody can use it any more. Id_tokens live for minutes: a new one takes its place.
      deps.log.warn({ err: error }, 'the signing key cannot be read; a new one was made');
    }
  }
  const { privateKey } = await generateKeyPair(signingAlgorithm, { modulusLength: 2048, extractable: true });
  await deps.settings.set(
    setting,
    deps.secrets.seal(purpose, Buffer.from(await exportPKCS8(privateKey))).toString('base64'),
  );
  return described(privateKey);
}

async function described(privateKey: CryptoKey): Promise<SigningKey> {
  const { kty = 'RSA', n = '', e = '' } = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint({ kty, n, e });
  return { privateKey, kid, publicJwk: { kty, n, e, kid, use: 'sig', alg: signingAlgorithm } };
}
