import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { defaultPort } from '../common/default-port.ts';
import { Nullable } from '../contract/common.ts';
import type { SettingsStore } from '../database/settings-store.ts';

const key = 'sharing';

const SharingSettings = Type.Object({
  wanted: Type.Boolean(),
  address: Nullable(Type.String()),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  announce: Type.Boolean(),
  tls: Type.Boolean(),
});
export type SharingSettings = Readonly<Static<typeof SharingSettings>>;

const defaultSettings: SharingSettings = { wanted: false, address: null, port: defaultPort, announce: true, tls: true };

/** How sharing is set up; off until somebody has switched it on. */
export async function readSharingSettings(settings: SettingsStore): Promise<SharingSettings> {
  const stored = await settings.get(key);
  if (stored === null) return defaultSettings;
  // Set up before there was a choice: the addresses that others have begin with http.
  const parsed: unknown = { tls: false, ...(JSON.parse(stored) as object) };
  return Value.Check(SharingSettings, parsed) ? parsed : defaultSettings;
}

/** Keeps how the service is shared. */
export async function writeSharingSettings(settings: SettingsStore, value: SharingSettings): Promise<void> {
  await settings.set(key, JSON.stringify(value));
}
