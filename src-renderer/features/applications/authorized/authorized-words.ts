import type { AuthorizedApplication } from '../../../api/requests/types.ts';

/** Names of authorized applications. Tokens of the password grant have no application. */
export function nameOf({ application }: Pick<AuthorizedApplication, 'application'>): string {
  return application?.name ?? 'Password sign-in';
}
