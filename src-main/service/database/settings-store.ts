import type { Database } from './port/database.ts';
import { readValue, write } from './port/query.ts';

export interface SettingsStore {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
}

const get = readValue<[string], string>('SELECT value FROM settings WHERE key = ?');
const set = write<[string, string]>(
  'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
);

/** Installation-wide settings, one text a key. */
export function settingsStore(database: Database): SettingsStore {
  return {
    get: async (key) => database.one(get, key),
    set: async (key, value) => void (await database.run(set, key, value)),
  };
}
