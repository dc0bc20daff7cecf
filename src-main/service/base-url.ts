import { defaultPort } from './common/default-port.ts';
import type { SettingsStore } from './database/settings-store.ts';

const setting = 'base_url';

/** Stores the current base URL, for commands that print addresses without a running service. */
export async function storeBaseUrl(settings: SettingsStore, url: string): Promise<void> {
  if ((await settings.get(setting)) !== url) await settings.set(setting, url);
}

/** The base URL of the last run; the default address before the first start. */
export async function storedBaseUrl(settings: SettingsStore): Promise<string> {
  return (await settings.get(setting)) ?? `http://127.0.0.1:${defaultPort}`;
}
