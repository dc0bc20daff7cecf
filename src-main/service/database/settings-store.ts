import type Database from 'better-sqlite3';

export interface SettingsStore {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
}

/** Installation-wide settings, one text a key. */
export function settingsStore(database: Database.Database): SettingsStore {
  const get = database.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck();
  const set = database.prepare<[string, string]>(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  return {
    get: async (key) => get.get(key) ?? null,
    set: async (key, value) => void set.run(key, value),
  };
}
