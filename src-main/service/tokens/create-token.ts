import { scopes as knownScopes } from '../contract/scopes.ts';
import { invalidRequest } from '../common/problem.ts';
import { requireReadable } from '../http/server/require-readable.ts';
import { endOfNewToken } from './expiry-day.ts';
import type { Actor } from '../http/principal.ts';
import { newPersonalAccessToken } from './token-format.ts';
import { secretDigest } from '../secrets/secret-digest.ts';
import type { TokenRow } from './token-rows.ts';
import type { TokenStores } from './stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

export interface NewTokenInput {
  readonly userId: number;
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly string[];
  /**
   * `YYYY-MM-DD`: the token ends at the start of that day in UTC, as GitLab's do. Null for the
   * longest time allowed.
   */
  readonly expiresAt: string | null;
}

type Deps = TokenStores & Pick<AuditStores, 'audit'> & Pick<ServiceContext, 'events'>;

/** @throws HttpProblem 400 that names the invalid value. */
export function checkNewToken({ name, description, scopes, expiresAt }: NewTokenInput): void {
  if (name.trim() === '' || name.length > 255) throw invalidRequest('Give the token a name of 1 to 255 characters.');
  requireReadable('The name of the token', name.trim());
  requireReadable('The description of the token', description.replaceAll(/\r?\n|\t/g, ' '));
  const unknown = scopes.filter((scope) => !(knownScopes as readonly string[]).includes(scope));
  if (unknown.length > 0)
    throw invalidRequest(`Unknown scope: ${unknown.join(', ')}. The scopes are ${knownScopes.join(', ')}.`);
  if (scopes.length === 0) throw invalidRequest(`Choose at least one scope of ${knownScopes.join(', ')}.`);
  endOfNewToken(expiresAt, Date.now());
}

/**
 * Creates a personal access token.
 *
 * @returns its row and the token itself, which is stored nowhere.
 * @throws HttpProblem 400 that names the invalid value.
 */
export async function createToken(
  services: Deps,
  input: NewTokenInput,
  by: Actor,
): Promise<{ readonly row: TokenRow; readonly token: string }> {
  checkNewToken(input);
  const expiresAt = endOfNewToken(input.expiresAt, Date.now());

  const token = newPersonalAccessToken();
  const row = await services.tokens.create({
    userId: input.userId,
    name: input.name.trim(),
    description: input.description,
    scopes: [...new Set(input.scopes)],
    tokenHash: secretDigest(token),
    expiresAt,
  });
  await services.audit.record({
    ...by,
    action: 'token.create',
    subject: `token:${row.id}`,
    detail: `for user:${row.user_id}, ${row.scopes}`,
  });
  services.events.emit('changed', { topic: 'tokens', id: String(row.id) });
  return { row, token };
}
