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

/** Reads the sharing settings; sharing is off by default. */
export async function readSharingSettings(settings: SettingsStore): Promise<SharingSettings> {
  const stored = await settings.get(key);
  if (stored === null) return defaultSettings;
  // Settings from before TLS was added: other machines use an address with http.
  const parsed: unknown = { tls: false, ...(JSON.parse(stored) as object) };
  return Value.Check(SharingSettings, parsed) ? parsed : defaultSettings;
}

/** Stores the sharing settings. */
export async function writeSharingSettings(settings: SettingsStore, value: SharingSettings): Promise<void> {
  await settings.set(key, JSON.stringify(value));
}
