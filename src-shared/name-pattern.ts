import { matchesPattern } from './ignore-patterns.ts';

/** Files in one folder that share the `{name}` of a pattern, such as `{name}.wiff*`. */
export interface NameGroup {
  readonly pattern: string;
  readonly name: string;
}

const place = '{name}';

/**
 * The `{name}` of a file in a pattern, which may have `*` and `?` before and after it; null when the
 * file does not match. A pattern without `{name}` gives the whole file name.
 *
 * The name is the shortest that fits, so that the files of one run share it.
 */
export function nameInPattern(pattern: string, file: string): string | null {
  const at = pattern.indexOf(place);
  if (at < 0) return matchesPattern(pattern, file) ? file : null;
  const before = pattern.slice(0, at);
  const after = pattern.slice(at + place.length);
  for (let start = 0; start < file.length; start += 1) {
    if (!matchesPattern(before, file.slice(0, start))) continue;
    for (let end = start + 1; end <= file.length; end += 1)
      if (matchesPattern(after, file.slice(end))) return file.slice(start, end);
  }
  return null;
}

/** Whether an entry of a folder is a file of a group. */
export function groupMatcher({
  pattern,
  name,
}: NameGroup): (entry: { readonly name: string; isDirectory(): boolean }) => boolean {
  return (entry) => !entry.isDirectory() && nameInPattern(pattern, entry.name) === name;
}
