import type { Database } from './port/database.ts';
import { readValue, write } from './port/query.ts';
import { one, run } from './port/steps.ts';

export interface SettingsStore {
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<void>;
  /** Sets what is not set yet. @returns the value that is stored now. */
  addIfAbsent(key: string, value: string): Promise<string>;
  /** Sets a value in place of one that was read. @returns the value that is stored now. */
  replace(key: string, before: string, value: string): Promise<string>;
}

const get = readValue<[string], string>('SELECT value FROM settings WHERE key = ?');
const set = write<[string, string]>(
  'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
);
const add = write<[string, string]>('INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING');
const update = write<[string, string, string]>('UPDATE settings SET value = ? WHERE key = ? AND value = ?');

/** Installation-wide settings, one text a key. */
export function settingsStore(database: Database): SettingsStore {
  return {
    get: async (key) => database.one(get, key),
    set: async (key, value) => void (await database.run(set, key, value)),
    addIfAbsent: async (key, value) =>
      database.transaction(function* () {
        yield* run(add, key, value);
        return (yield* one(get, key)) ?? value;
      }),
    replace: async (key, before, value) =>
      database.transaction(function* () {
        yield* run(update, value, key, before);
        return (yield* one(get, key)) ?? value;
      }),
  };
}
