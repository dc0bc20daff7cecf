import type { ExternalProject } from '../../contract/errors.ts';
import type { ProjectRow } from '../../projects/projects-store.ts';
import { openText } from '../../secrets/sealed-text.ts';
import { ExternalFailure } from './external-failure.ts';
import { listExternalProjects } from './list-projects.ts';
import { isMasked, tokenForm, tokenPurpose } from './auth-token.ts';
import { readApiHost, readApiUrl, type SentryAddress } from './sentry-address.ts';
import type { OutgoingDeps } from '../../outgoing/outgoing-hosts.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { ErrorStores } from '../store/stores.ts';

type Deps = Pick<ErrorStores, 'errorSettings'> & { readonly secrets: SecretBox };

/**
 * Tests an external server, for the button "Connect" of the settings screen.
 *
 * @param isAdmin whether an administrator asks, who may try private hosts that are not on the list.
 * @param token empty or masked for the stored one, which is sent only to the origin it was saved
 * for.
 * @returns the projects that the token can access.
 * @throws ExternalFailure with the reason why it does not work.
 */
export async function checkConnection(
  deps: Deps & OutgoingDeps,
  { project, isAdmin }: { readonly project: ProjectRow; readonly isAdmin: boolean },
  apiHost: string,
  token: string,
): Promise<ExternalProject[]> {
  const address = readApiHost(apiHost);
  if (!address)
    throw new ExternalFailure(
      'not-sentry',
      'Enter the API URL as an address such as https://sentry.example, without a user name, query or fragment.',
    );
  const usable = isMasked(token) ? await keptToken(deps, project, address) : token.trim();
  if (!tokenForm.test(usable))
    throw new ExternalFailure(
      'token-refused',
      'The auth token has characters that a token cannot have. Copy it again.',
    );
  // An administrator may try any host before he saves it, because saving allows it.
  const guard = await deps.outgoing.guard(isAdmin ? new URL(address.base) : undefined);
  return listExternalProjects({ ...address, token: usable, guard });
}

async function keptToken(deps: Deps, project: ProjectRow, address: SentryAddress): Promise<string> {
  const settings = await deps.errorSettings.of(project.id);
  const kept = readApiUrl(settings?.api_url ?? '');
  if (kept && kept.origin !== address.origin) {
    throw new ExternalFailure(
      'token-missing',
      `The stored auth token is for ${kept.origin} and is sent nowhere else. Enter a token for ${address.origin}.`,
    );
  }
  const token =
    kept && settings?.sealed_token
      ? openText(deps.secrets, tokenPurpose(project.id, address.origin), settings.sealed_token)
      : null;
  if (token === null) throw new ExternalFailure('token-missing', 'Enter the auth token of the external server.');
  return token;
}
