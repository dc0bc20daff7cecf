import { scopeMeanings, type Scope } from '../../../src-main/service/contract/scope-meanings.ts';

/** The scopes that a token may be given here, the safest first. */
export const offeredScopes: readonly Scope[] = ['read_measurement', 'read_api', 'api', 'read_user', 'self_rotate'];

/** One line that says what a scope allows. */
export function meaningOf(scope: string): string {
  return (scopeMeanings as Readonly<Record<string, string>>)[scope] ?? scope;
}
