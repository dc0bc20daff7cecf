import { Value } from 'typebox/value';
import { parseJson } from '../../common/parse-json.ts';
import { CopySettings } from '../../contract/copies/copies.ts';
import type { SettingsStore } from '../../database/settings-store.ts';

const key = 'copies';
const defaultSettings: CopySettings = { at_most: 2, speed_limit: null, schedule: null };

/** The stored settings; invalid ones, of an older or newer version, are replaced by the defaults. */
export async function readCopySettings(settings: SettingsStore): Promise<CopySettings> {
  const text = await settings.get(key);
  const stored: unknown = text === null ? null : parseJson(text);
  return Value.Check(CopySettings, stored) ? stored : defaultSettings;
}

export async function writeCopySettings(settings: SettingsStore, wanted: CopySettings): Promise<void> {
  await settings.set(key, JSON.stringify(wanted));
}
