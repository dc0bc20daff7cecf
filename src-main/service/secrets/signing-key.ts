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
import type { SecretBox } from './secret-box.ts';

/** Where keys are stored, one text a name. */
interface KeyTexts {
  get(name: string): Promise<string | null>;
  /** Sets what is not set yet. @returns the value that is stored now. */
  addIfAbsent(name: string, value: string): Promise<string>;
  /** Sets a value in place of one that was read. @returns the value that is stored now. */
  replace(name: string, before: string, value: string): Promise<string>;
}

export interface SigningKey {
  readonly privateKey: CryptoKey;
  /** JWK thumbprint (RFC 7638). */
  readonly kid: string;
  /** The public part, safe to publish. */
  readonly publicJwk: JWK;
}

interface Deps {
  readonly settings: KeyTexts;
  readonly secrets: SecretBox;
  readonly log: Pick<Logger, 'warn'>;
}

/** One of the keys of an installation: where it is stored and how it signs. */
export interface KeyUse {
  /** Name of the setting that holds it. */
  readonly setting: string;
  readonly purpose: string;
  readonly algorithm: 'RS256' | 'EdDSA';
}

/** The key that signs id_tokens (OpenID Connect Core section 15.1 requires RS256). */
export const idTokenKey = { setting: 'oauth.signing_key', purpose: 'signing-key', algorithm: 'RS256' } as const;

/**
 * Loads a key on first use. It is generated once and stored sealed in the settings; one whose
 * secret key is lost is replaced.
 */
export function signingKey(deps: Deps, use: KeyUse): () => Promise<SigningKey> {
  let key: Promise<SigningKey> | null = null;
  return async () => {
    key ??= loadOrMake(deps, use).catch((error: unknown) => {
      // Lets the next call retry.
      key = null;
      throw error;
    });
    return key;
  };
}

async function loadOrMake(deps: Deps, use: KeyUse): Promise<SigningKey> {
  const { setting, purpose, algorithm } = use;
  const sealed = await deps.settings.get(setting);
  if (sealed !== null) {
    try {
      return await opened(deps, use, sealed);
    } catch (error) {
      deps.log.warn({ err: error, setting }, 'the signing key cannot be read; a new one was made');
    }
  }
  const { privateKey } = await generateKeyPair(algorithm, { modulusLength: 2048, extractable: true });
  const made = deps.secrets.seal(purpose, Buffer.from(await exportPKCS8(privateKey))).toString('base64');
  // Of two replicas that make one at once, both use the one that was stored first.
  const stored =
    sealed === null
      ? await deps.settings.addIfAbsent(setting, made)
      : await deps.settings.replace(setting, sealed, made);
  return opened(deps, use, stored);
}

async function opened({ secrets }: Deps, { purpose, algorithm }: KeyUse, sealed: string): Promise<SigningKey> {
  const pkcs8 = secrets.open(purpose, Buffer.from(sealed, 'base64')).toString();
  const privateKey = await importPKCS8(pkcs8, algorithm, { extractable: true });
  const { kty = '', n = '', e = '', crv = '', x = '' } = await exportJWK(privateKey);
  const publicParts = kty === 'RSA' ? { kty, n, e } : { kty, crv, x };
  const kid = await calculateJwkThumbprint(publicParts);
  return { privateKey, kid, publicJwk: { ...publicParts, kid, use: 'sig', alg: algorithm } };
}
