import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface SoftKey {
  readonly id: string;
  /** The response of a browser at `origin` to creation options. */
  register(options: { readonly challenge: string }, origin: string, rpId: string): Record<string, unknown>;
  /** The response to request options; `counter` is the signature counter the key reports. */
  use(
    options: { readonly challenge: string },
    origin: string,
    rpId: string,
    counter: number,
    present?: boolean,
  ): Record<string, unknown>;
}

const base64url = (bytes: Buffer) => bytes.toString('base64url');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

/** A security key in software (WebAuthn section 6): ES256, no attestation. */
export function softKey(): SoftKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(32);
  const id = base64url(credentialId);

  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const counterBytes = (counter: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(counter);
    return bytes;
  };
  const answer = (response: Record<string, unknown>) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    id,
    register: ({ challenge }, origin, rpId) => {
      // COSE key (RFC 9053): {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
      const cose = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const length = Buffer.from([0, credentialId.length]);
      // User present and attested credential data.
      const data = Buffer.concat([
        sha256(rpId),
        Buffer.from([0x41]),
        counterBytes(0),
        Buffer.alloc(16),
        length,
        credentialId,
        cose,
      ]);
      // CBOR {"fmt": "none", "attStmt": {}, "authData": bytes}.
      const head = Buffer.concat([
        Buffer.from([0xa3, 0x63]),
        Buffer.from('fmt'),
        Buffer.from([0x64]),
        Buffer.from('none'),
        Buffer.from([0x67]),
        Buffer.from('attStmt'),
      ]);
      const tail = Buffer.concat([
        Buffer.from([0xa0, 0x68]),
        Buffer.from('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return answer({
        clientDataJSON: base64url(clientData('webauthn.create', challenge, origin)),
        attestationObject: base64url(Buffer.concat([head, tail])),
        transports: ['usb'],
      });
    },
    use: ({ challenge }, origin, rpId, counter, present = true) => {
      const authenticatorData = Buffer.concat([sha256(rpId), Buffer.from([present ? 1 : 0]), counterBytes(counter)]);
      const client = clientData('webauthn.get', challenge, origin);
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(client)]), privateKey);
      return answer({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
      });
    },
  };
}
