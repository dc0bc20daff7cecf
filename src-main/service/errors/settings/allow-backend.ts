import type { ErrorSettingsChange } from '../../contract/projects.ts';
import { invalidRequest } from '../../common/problem.ts';
import { OutgoingRefused } from '../../http-client/outgoing-guard.ts';
import { HttpRequestError } from '../../http-client/http-request-error.ts';
import { requireAllowable } from '../../outgoing/change-hosts.ts';
import type { OutgoingDeps } from '../../outgoing/outgoing-hosts.ts';
import { readApiUrl } from '../external/sentry-address.ts';
import type { ErrorSettingsRow } from '../store/settings-store.ts';

/**
 * Judges the address of an external backend that a change switches on or gives.
 *
 * @returns the URL that has to be put on the list of allowed hosts with the change, because an
 * administrator makes it; null if there is nothing to allow.
 * @throws HttpProblem 400 for an address that is refused, and when the list is full.
 */
export async function backendToAllow(
  { outgoing }: OutgoingDeps,
  before: ErrorSettingsRow | null,
  change: ErrorSettingsChange,
  isAdmin: boolean,
): Promise<URL | null> {
  const isExternal = change.active && !(change.integrated ?? before?.integrated !== 0);
  const wasExternal = before?.active === 1 && before.integrated === 0;
  if (!isExternal || (wasExternal && change.api_url === undefined)) return null;
  const address = readApiUrl((change.api_url === undefined ? before?.api_url : change.api_url)?.trim() ?? '');
  if (address === null) return null;
  const url = new URL(address.base);
  try {
    await (await outgoing.guard()).check(url);
    return null;
  } catch (error) {
    // A name that cannot be found now is judged again with each request.
    if (!(error instanceof OutgoingRefused)) {
      if (error instanceof HttpRequestError) return null;
      throw error;
    }
    // An address that a maintainer stored is not allowed by switching it on.
    const isOwnChoice = isAdmin && change.api_url !== undefined;
    if (!error.canBeAllowed || !isOwnChoice) throw invalidRequest(error.message);
  }
  await requireAllowable({ outgoing }, url);
  return url;
}
