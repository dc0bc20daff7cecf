import { compactVerify } from 'jose';
import { AuthorizeFault } from '../consent/authorize-fault.ts';
import type { AuthorizeRequest } from '../consent/authorize-request.ts';
import { idTokenKey, type SigningKey } from '../../secrets/signing-key.ts';

type Deps = { readonly signingKey: () => Promise<SigningKey>; readonly baseUrl: () => string };

/**
 * The user id that the client expects, read from the `id_token_hint` (OpenID Connect Core section
 * 3.1.2.1), which may have expired. Null when the request has no hint.
 *
 * @throws AuthorizeFault when this server did not issue the hint for this client.
 */
export async function hintedUser(deps: Deps, wanted: AuthorizeRequest): Promise<number | null> {
  if (wanted.idTokenHint === null) return null;
  const claims = await claimsOf(deps, wanted.idTokenHint);
  if (claims?.['iss'] !== deps.baseUrl() || claims['aud'] !== wanted.application.clientId) {
    throw new AuthorizeFault(
      'invalid_request',
      'The id_token_hint is not one of this server for this client.',
      wanted.back,
    );
  }
  return Number(claims['sub']);
}

async function claimsOf(deps: Deps, token: string): Promise<Record<string, unknown> | null> {
  const { publicJwk } = await deps.signingKey();
  try {
    const { payload } = await compactVerify(token, publicJwk, { algorithms: [idTokenKey.algorithm] });
    return JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown>;
  } catch {
    return null;
  }
}
