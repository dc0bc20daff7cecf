import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { isIP } from 'node:net';
import type { UserRow } from '../store/user-rows.ts';
import type { NewWebauthnKeyRow, WebauthnKeyRow } from '../store/webauthn-keys-store.ts';

/** The relying party of WebAuthn: the host name of the base URL. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

// The key is a second factor after a password, so its PIN (a third factor) is not required.
const userVerification = 'discouraged';
// COSE algorithms EdDSA, ES256 and RS256, which every runtime verifies; support of newer ones
// depends on the version of Node or Electron.
const supportedAlgorithmIDs = [-8, -7, -257];

/**
 * Loads the WebAuthn library on first use: it takes ten megabytes that most services never need.
 */
async function securityKeys() {
  // The library imports it too, but a bundle evaluates that import too late.
  await import('reflect-metadata');
  return import('@simplewebauthn/server');
}

/**
 * @returns the relying party of a base URL, or the reason why security keys cannot be used there.
 */
export function relyingParty(baseUrl: string): RelyingParty | string {
  const url = new URL(baseUrl);
  const name = url.hostname;
  if (isIP(name.replaceAll(/[[\]]/g, '')) !== 0) {
    // WebAuthn section 5.1.3: a relying party is a domain.
    return `Security keys work only if this server has a host name. Its address is ${url.origin}. Start it with a base URL such as https://bench.example.`;
  }
  if (url.protocol !== 'https:' && name !== 'localhost' && !name.endsWith('.localhost')) {
    return `Browsers use security keys only over HTTPS. The address of this server is ${url.origin}.`;
  }
  return { id: name, origin: url.origin };
}

/** Options for registering a key in a browser; keys that are already registered are excluded. */
export async function registrationOptions(
  party: RelyingParty,
  user: UserRow,
  keys: readonly WebauthnKeyRow[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await securityKeys();
  return generateRegistrationOptions({
    rpName: 'Benchport',
    rpID: party.id,
    userName: user.username,
    userDisplayName: user.name,
    // Without the user's name: the key stores it and reveals it to anyone who holds the key
    // (WebAuthn section 14.6.1).
    userID: new Uint8Array(Buffer.from(`benchport-user-${user.id}`)),
    attestationType: 'none',
    excludeCredentials: keys.map(descriptor),
    authenticatorSelection: { residentKey: 'discouraged', userVerification },
    supportedAlgorithmIDs,
  });
}

/** @returns the registered key, or null when the browser's response is invalid. */
export async function registeredKey(
  party: RelyingParty,
  challenge: string,
  response: unknown,
): Promise<Pick<NewWebauthnKeyRow, 'credential_id' | 'public_key' | 'counter' | 'transports'> | null> {
  const { verifyRegistrationResponse } = await securityKeys();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      // Untrusted; the library validates every member that it uses.
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs,
    });
    if (!verified) return null;
    const { credential } = registrationInfo;
    return {
      credential_id: Buffer.from(credential.id, 'base64url'),
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: (credential.transports ?? []).filter(isTransport).join(' '),
    };
  } catch {
    return null;
  }
}

/** Options for signing in with one of a user's keys. @param challenge random bytes in base64url. */
export async function authenticationOptions(
  party: RelyingParty,
  keys: readonly WebauthnKeyRow[],
  challenge: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await securityKeys();
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    allowCredentials: keys.map(descriptor),
    userVerification,
  });
}

/** @returns the used key with its counter, or null when the response is invalid. */
export async function usedKey(
  party: RelyingParty,
  challenge: string,
  keys: readonly WebauthnKeyRow[],
  response: unknown,
): Promise<{ readonly key: WebauthnKeyRow; readonly counter: number } | null> {
  const { verifyAuthenticationResponse } = await securityKeys();
  try {
    const answer = response as AuthenticationResponseJSON;
    const key = keys.find((one) => one.credential_id.toString('base64url') === answer.id);
    if (!key) return null;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      // The counter is compared in the SQL statement that stores the new one, so that of two
      // concurrent uses one fails.
      credential: { id: answer.id, publicKey: new Uint8Array(key.public_key), counter: 0 },
      requireUserVerification: false,
    });
    return verified ? { key, counter: authenticationInfo.newCounter } : null;
  } catch {
    return null;
  }
}

function descriptor(key: WebauthnKeyRow): { readonly id: string; readonly transports: AuthenticatorTransport[] } {
  return { id: key.credential_id.toString('base64url'), transports: key.transports.split(' ').filter(isTransport) };
}

const transports: readonly string[] = ['ble', 'hybrid', 'internal', 'nfc', 'usb'] satisfies AuthenticatorTransport[];

function isTransport(text: string): text is AuthenticatorTransport {
  return transports.includes(text);
}
