import type { AuthorizedApplication } from '../../../api/requests/types.ts';

/** What somebody has authorized, by name. Tokens of the password grant come without an application. */
export function nameOf({ application }: Pick<AuthorizedApplication, 'application'>): string {
  return application?.name ?? 'Password sign-in';
}
