import type { ListedToken } from '../../api/requests/types.ts';
import { countOf } from '../../../src-shared/format/quantities.ts';

const ownersNamed = 5;

/** A token and its owner, as the question to administrators names them. */
export function nameWithOwner({ name, username, user_id: userId }: ListedToken): string {
  return `${name} of ${username ?? `user ${userId}`}`;
}

/** The owners of several tokens, the first few by name. */
export function ownersOf(tokens: readonly ListedToken[]): string {
  const owners = [...new Set(tokens.map(({ username, user_id: userId }) => username ?? `user ${userId}`))].toSorted();
  const rest = owners.length - ownersNamed;
  const named = owners.slice(0, ownersNamed);
  if (rest > 0) return `${named.join(', ')} and ${countOf(rest, 'other user')}`;
  return named.length < 2 ? named.join('') : `${named.slice(0, -1).join(', ')} and ${named.at(-1) ?? ''}`;
}
