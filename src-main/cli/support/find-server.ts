import { HttpRequestError } from '../../service/http-client/http-request-error.ts';
import { parseServerUrl } from '../../service/http-client/server-url.ts';
import type { RemoteServerRow } from '../../service/servers/servers-store.ts';
import type { ServerStores } from '../../service/servers/stores.ts';
import { CommandError } from './terminal.ts';

/**
 * The server in the list with that name or base URL.
 *
 * @returns null for a server that is not in the list; the base URL is null unless the text is one.
 * @throws CommandError (bad usage) for a name that several servers have, and an unusable URL.
 */
export async function findServer(
  { servers }: ServerStores,
  text: string,
): Promise<{ readonly known: RemoteServerRow | null; readonly baseUrl: string | null }> {
  const [first, ...others] = (await servers.all()).filter(({ name }) => name === text);
  if (others.length > 0) throw new CommandError(`Several servers have the name ${text}: give the base URL.`, 2);
  const baseUrl = baseUrlOf(text);
  return { known: first ?? (baseUrl === null ? null : await servers.byBaseUrl(baseUrl)), baseUrl };
}

function baseUrlOf(text: string): string | null {
  // A name with a port, such as bench:7420, is a URL to the parser.
  if (!/^https?:\/\//i.test(text)) return null;
  try {
    return parseServerUrl(text).href.replace(/\/$/, '');
  } catch (error) {
    if (error instanceof HttpRequestError) throw new CommandError(`${text} cannot be used. ${error.message}`, 2);
    throw error;
  }
}
