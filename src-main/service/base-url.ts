import { defaultPort } from './common/default-port.ts';
import type { SettingsStore } from './database/settings-store.ts';

const setting = 'base_url';

/** Keeps the base URL that the service runs with, for commands that print addresses while no service is asked. */
export async function storeBaseUrl(settings: SettingsStore, url: string): Promise<void> {
  if ((await settings.get(setting)) !== url) await settings.set(setting, url);
}

/** The base URL that the service ran with last; the default address before its first start. */
export async function storedBaseUrl(settings: SettingsStore): Promise<string> {
  return (await settings.get(setting)) ?? `http://127.0.0.1:${defaultPort}`;
}
