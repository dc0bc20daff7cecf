import type { ServiceConfig } from '../../config/config.ts';
import { serverEndings } from '../../servers/server-endings.ts';
import type { ServerStores } from '../../servers/stores.ts';
import type { NamedEndings } from './ending-soon.ts';

const askAgainMs = 12 * 3_600_000;

type Deps = Pick<ServerStores, 'servers'> & { readonly config: Pick<ServiceConfig, 'database'> };

/** @returns a function that asks each server twice a day when what it is reached with expires. */
export function askServers({ servers, config }: Deps): () => Promise<readonly NamedEndings[]> {
  const known = new Map<string, { readonly askedAt: number; readonly endings: NamedEndings }>();
  return async () => {
    // A facility fetches from no servers.
    if (config.database) return [];
    const rows = await servers.all();
    const names = new Map(rows.map((row) => [`${row.id} ${row.base_url} ${row.certificate} ${row.has_token}`, row]));
    for (const name of known.keys()) if (!names.has(name)) known.delete(name);
    for (const [name, { id, name: shown }] of names) {
      if (performance.now() - (known.get(name)?.askedAt ?? Number.NEGATIVE_INFINITY) < askAgainMs) continue;
      const source = await servers.source(id);
      if (!source) continue;
      const endings = { id, name: shown, ...(await serverEndings(source)) };
      // A server that cannot be reached is asked again later, and its last answer holds until then.
      const before = known.get(name)?.endings;
      known.set(name, {
        askedAt: performance.now(),
        endings: {
          ...endings,
          certificate: endings.certificate ?? before?.certificate ?? null,
          token: endings.token ?? before?.token ?? null,
        },
      });
    }
    return [...known.values()].map(({ endings }) => endings);
  };
}
