import type { SettingsStore } from '../database/settings-store.ts';

const key = 'ignore_list';

/** What operating systems and office programs leave behind, and what is still being written. */
export const defaultIgnoreList: readonly string[] = ['.DS_Store', '._*', 'Thumbs.db', 'desktop.ini', '~$*', '*.tmp', '*.partial'];

/** The patterns by which files are left out of new measurements. */
export async function readIgnoreList(settings: SettingsStore): Promise<readonly string[]> {
  const stored = await settings.get(key);
  if (stored === null) return defaultIgnoreList;
  const parsed: unknown = JSON.parse(stored);
  return Array.isArray(parsed) ? parsed.filter((pattern) => typeof pattern === 'string') : defaultIgnoreList;
}

/** Replaces the patterns; measurements that exist keep their files. */
export async function writeIgnoreList(settings: SettingsStore, patterns: readonly string[]): Promise<readonly string[]> {
  const cleaned = [...new Set(patterns.map((pattern) => pattern.trim()).filter((pattern) => pattern !== ''))];
  await settings.set(key, JSON.stringify(cleaned));
  return cleaned;
}

/**
 * Whether a pattern fits the name of a file, without regard to case: `*` stands for any characters, `?` for one.
 * A pattern that ends with `/` fits folders instead, so that data is never left out by the name of its folder by chance.
 */
export function ignoreMatcher(patterns: readonly string[]): (name: string, folder: boolean) => boolean {
  const files = patterns.filter((pattern) => !pattern.endsWith('/')).map(toExpression);
  const folders = patterns.filter((pattern) => pattern.endsWith('/')).map((pattern) => toExpression(pattern.slice(0, -1)));
  return (name, folder) => (folder ? folders : files).some((expression) => expression.test(name));
}

function toExpression(pattern: string): RegExp {
  // A run of stars is one star: many of them in a row would make the match take exponential time.
  const source = pattern
    .replaceAll(/\*+/g, '*')
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '[^]*')
    .replaceAll('?', '[^]');
  return new RegExp(`^${source}$`, 'iu');
}
