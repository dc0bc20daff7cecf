import { redirectUriFault } from '../../contract/redirect-uri-fault.ts';
import { scopes as knownScopes } from '../../contract/scopes.ts';
import { invalidRequest } from '../../common/problem.ts';
import { hasUnseen } from '../../common/unseen-characters.ts';
import { signInSettings } from './sign-in-settings.ts';
import type { Application } from '../shared/types.ts';
import type { ServiceContext } from '../../http/service-context.ts';

export type ApplicationInput = Pick<
  Application,
  'name' | 'redirectUris' | 'scopes' | 'confidential' | 'trusted' | 'deviceGrant'
>;

/**
 * Scopes that an application may have. `self_rotate` has no meaning for tokens that are refreshed.
 */
export const applicationScopes: readonly string[] = knownScopes.filter((scope) => scope !== 'self_rotate');

const maxRedirectUris = 50;
const visibleCharacter = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Validates the fields of an application.
 *
 * @returns the input with whitespace trimmed and duplicates removed.
 * @throws HttpProblem 400 that names the invalid field.
 */
export async function checkApplication<Wish extends ApplicationInput>(
  services: Pick<ServiceContext, 'settings'>,
  input: Wish,
): Promise<Wish> {
  const name = input.name.trim();
  if (!visibleCharacter.test(name) || name.length > 255 || hasUnseen(name))
    throw invalidRequest(
      'Give the application a name of 1 to 255 characters, on one line and without invisible characters.',
    );

  const scopes = [...new Set(input.scopes)];
  const unknown = scopes.filter((scope) => !applicationScopes.includes(scope));
  if (unknown.length > 0)
    throw invalidRequest(
      `Applications cannot have the scope ${unknown.join(', ')}. They can have ${applicationScopes.join(', ')}.`,
    );
  if (scopes.length === 0) throw invalidRequest(`Choose at least one scope of ${applicationScopes.join(', ')}.`);

  const redirectUris = [...new Set(input.redirectUris.map((uri) => uri.trim()).filter((uri) => uri !== ''))];
  if (redirectUris.length === 0 && !input.deviceGrant) throw invalidRequest('Give at least one redirect URI.');
  if (redirectUris.length > maxRedirectUris) throw invalidRequest(`Give at most ${maxRedirectUris} redirect URIs.`);
  const { development_redirects: development } = await signInSettings(services);
  const fault = redirectUris.map((uri) => redirectUriFault(uri, development)).find((found) => found !== null);
  if (fault !== undefined) throw invalidRequest(fault);

  // RFC 8252 section 8.6: any program can impersonate a client that has no secret.
  if (input.trusted && !input.confidential) {
    throw invalidRequest(
      'A public application cannot be trusted: without a secret it cannot prove that it is the one its users know.',
    );
  }
  return { ...input, name, scopes, redirectUris };
}
