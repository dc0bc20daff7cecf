import { parseJson } from '../common/parse-json.ts';
import type { SettingsStore } from '../database/settings-store.ts';
import { entryOf, parseAllowedHost, type AllowedHost } from '../http-client/allowed-hosts.ts';
import { outgoingGuard, type OutgoingGuard } from '../http-client/outgoing-guard.ts';

/** The setting with the allowed hosts, as a list in JSON. */
export const outgoingSetting = 'outgoing.allowed';

/** The private hosts that an administrator allows, and the guard that follows from them. */
export interface OutgoingHosts {
  readonly list: () => Promise<readonly string[]>;
  /** @param also a URL that this guard allows too, for what an administrator tries before saving. */
  readonly guard: (also?: URL) => Promise<OutgoingGuard>;
}

export interface OutgoingDeps {
  readonly outgoing: OutgoingHosts;
}

/**
 * Reads the list with each request, because another replica may have changed it; only the same text
 * is not read again.
 */
export function outgoingHosts(settings: Pick<SettingsStore, 'get'>): OutgoingHosts {
  let known: { readonly text: string | null; readonly hosts: readonly AllowedHost[] } = { text: null, hosts: [] };
  async function hosts(): Promise<readonly AllowedHost[]> {
    const text = await settings.get(outgoingSetting);
    if (text !== known.text) known = { text, hosts: hostsIn(text) };
    return known.hosts;
  }
  return {
    list: async () => (await hosts()).map(({ text }) => text),
    guard: async (also) => outgoingGuard([...(await hosts()), ...(also === undefined ? [] : readable(entryOf(also)))]),
  };
}

/** The hosts of a stored list; entries that cannot be read allow nothing. */
function hostsIn(text: string | null): readonly AllowedHost[] {
  const stored = parseJson(text ?? '');
  return Array.isArray(stored) ? stored.flatMap((entry) => (typeof entry === 'string' ? readable(entry) : [])) : [];
}

function readable(entry: string): readonly AllowedHost[] {
  try {
    return [parseAllowedHost(entry)];
  } catch {
    return [];
  }
}
