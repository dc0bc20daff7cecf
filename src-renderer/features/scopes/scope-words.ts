import { scopeMeanings, type Scope } from '../../../src-main/service/contract/scope-meanings.ts';

/** Scopes available for personal access tokens, the safest first. */
export const scopesOfTokens: readonly Scope[] = [
  'read_measurement',
  'write_measurement',
  'read_api',
  'api',
  'read_user',
  'self_rotate',
];

/** Scopes available to applications. Only a token can rotate itself. */
export const scopesOfApplications: readonly Scope[] = [
  'read_measurement',
  'write_measurement',
  'read_api',
  'api',
  'read_user',
  'openid',
  'profile',
  'email',
];

/** One line on what a scope allows. */
export function meaningOf(scope: string): string {
  return (scopeMeanings as Readonly<Record<string, string>>)[scope] ?? scope;
}
