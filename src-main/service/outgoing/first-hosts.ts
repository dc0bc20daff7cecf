import type { Logger } from 'pino';
import type { SettingsStore } from '../database/settings-store.ts';
import { judgeAddress } from '../http-client/address-kind.ts';
import { entryOf, hostOf } from '../http-client/allowed-hosts.ts';
import { isIP } from 'node:net';
import { outgoingSetting } from './outgoing-hosts.ts';

/**
 * Makes the list at the first start of a version that has it, with the hosts of the external
 * backends that are stored: they were saved when private addresses needed no allowance.
 */
export async function makeFirstHosts(
  { settings, log }: { readonly settings: SettingsStore; readonly log: Logger },
  apiUrls: () => Promise<readonly string[]>,
): Promise<void> {
  if ((await settings.get(outgoingSetting)) !== null) return;
  const urls = (await apiUrls()).flatMap((text) => (URL.canParse(text) ? [new URL(text)] : []));
  const hosts = [...new Set(urls.filter((url) => mayBePrivate(url)).map(entryOf))];
  await settings.addIfAbsent(outgoingSetting, JSON.stringify(hosts));
  if (hosts.length > 0) log.info({ hosts }, 'requests to the hosts of external backends are allowed as before');
}

/** Names may lead anywhere, and the name server need not answer at a start. */
function mayBePrivate(url: URL): boolean {
  const host = hostOf(url);
  return isIP(host) === 0 || judgeAddress(host).kind === 'private';
}
