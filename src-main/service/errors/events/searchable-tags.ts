import type { ErrorEvent } from '../../contract/errors.ts';

/**
 * Returns the sender's tags together with the fields that can be searched and counted like tags.
 *
 * @param more further fields; null values are omitted.
 */
export function searchableTags(
  event: ErrorEvent,
  more: readonly (readonly [string, string | null])[] = [],
): [string, string][] {
  const tags = new Map(event.tags);
  for (const name of ['level', 'environment', 'release', 'server_name', 'logger'] as const)
    if (event[name] !== null) tags.set(name, event[name]);
  for (const [name, value] of more) if (value !== null) tags.set(name, value);
  return [...tags];
}
