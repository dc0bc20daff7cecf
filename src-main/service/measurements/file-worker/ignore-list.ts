import { defaultIgnoreList } from '../../../../src-shared/ignore-patterns.ts';
import type { SettingsStore } from '../../database/settings-store.ts';

const key = 'ignore_list';

/** Reads the patterns of files that new measurements leave out. */
export async function readIgnoreList(settings: SettingsStore): Promise<readonly string[]> {
  const stored = await settings.get(key);
  if (stored === null) return defaultIgnoreList;
  const parsed: unknown = JSON.parse(stored);
  return Array.isArray(parsed) ? parsed.filter((pattern) => typeof pattern === 'string') : defaultIgnoreList;
}

/** Replaces the patterns; existing measurements keep their files. */
export async function writeIgnoreList(
  settings: SettingsStore,
  patterns: readonly string[],
): Promise<readonly string[]> {
  const cleaned = [...new Set(patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== ''))];
  await settings.set(key, JSON.stringify(cleaned));
  return cleaned;
}
