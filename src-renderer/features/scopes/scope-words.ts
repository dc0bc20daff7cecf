import { scopeMeanings, type Scope } from '../../../src-main/service/contract/scope-meanings.ts';

/** The scopes that a personal access token may be given here, the safest first. */
export const scopesOfTokens: readonly Scope[] = ['read_measurement', 'read_api', 'api', 'read_user', 'self_rotate'];

/** Those that an application may ask its users for. Only a token can replace itself. */
export const scopesOfApplications: readonly Scope[] = [
  'read_measurement',
  'read_api',
  'api',
  'read_user',
  'openid',
  'profile',
  'email',
];

/** One line that says what a scope allows. */
export function meaningOf(scope: string): string {
  return (scopeMeanings as Readonly<Record<string, string>>)[scope] ?? scope;
}
