import { defaultPort } from './common/default-port.ts';
import type { SettingsStore } from './database/settings-store.ts';
import { isWildcard, machineAddresses } from './http/server/host-check.ts';

const setting = 'base_url';

/** Stores the current base URL, for commands that print addresses without a running service. */
export async function storeBaseUrl(settings: SettingsStore, url: string): Promise<void> {
  if ((await settings.get(setting)) !== url) await settings.set(setting, url);
}

/** The base URL of the last run; the default address before the first start. */
export async function storedBaseUrl(settings: SettingsStore): Promise<string> {
  return (await settings.get(setting)) ?? `http://127.0.0.1:${defaultPort}`;
}

/**
 * The host of the base URL when none was configured: an address that other machines can reach, with
 * brackets around IPv6.
 */
export function reachableHost(listenHost: string): string {
  const host = isWildcard(listenHost) ? (machineAddresses()[0] ?? '127.0.0.1') : listenHost;
  return host.includes(':') ? `[${host}]` : host;
}
