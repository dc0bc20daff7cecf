import { FetchSettings } from '../../contract/fetch-settings.ts';
import type { SettingsStore } from '../../database/settings-store.ts';
import { Value } from 'typebox/value';

const key = 'fetching';

const defaultSettings: FetchSettings = { at_most: 3, connections: 4, speed_limit: null, schedule: null, target: null };

/**
 * Reads the stored settings. Invalid ones, from an older or newer version, are replaced by the
 * defaults.
 */
export async function readFetchSettings(settings: SettingsStore): Promise<FetchSettings> {
  const text = await settings.get(key);
  if (text === null) return defaultSettings;
  const stored: unknown = { ...defaultSettings, ...(JSON.parse(text) as object) };
  return Value.Check(FetchSettings, stored) ? stored : defaultSettings;
}

export async function writeFetchSettings(settings: SettingsStore, wanted: FetchSettings): Promise<void> {
  await settings.set(key, JSON.stringify(wanted));
}
