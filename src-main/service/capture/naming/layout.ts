import { matchesPattern } from '../../../../src-shared/ignore-patterns.ts';

/** One level of folders: a pattern with at most one field, such as `{user}`, `run_{name}` or `data`. */
export interface Level {
  readonly before: string;
  /** Null for a level that only has to match. */
  readonly field: string | null;
  readonly after: string;
}

const fieldPattern = /\{([a-z][a-z0-9_]{0,39})\}/g;

/**
 * Reads a layout such as `{user}/{project}/{name}`.
 *
 * @throws RangeError that says what is wrong with it.
 */
export function parseLayout(layout: string): readonly Level[] {
  const levels = layout.split('/').map(levelOf);
  const fields = levels.flatMap(({ field }) => field ?? []);
  if (levels.at(-1)?.field !== 'name') throw new RangeError('The last level of the layout needs {name}.');
  if (new Set(fields).size < fields.length) throw new RangeError('Each field of the layout needs a name of its own.');
  if (levels.length > 8) throw new RangeError('A layout has at most eight levels.');
  return levels;
}

function levelOf(text: string): Level {
  if (text === '' || text === '.' || text === '..') throw new RangeError('A level of the layout is empty.');
  const fields = [...text.matchAll(fieldPattern)];
  const [first] = fields;
  if (fields.length > 1) throw new RangeError(`The level ${text} has more than one field.`);
  if (!first) return { before: text, field: null, after: '' };
  return {
    before: text.slice(0, first.index),
    field: first[1] ?? null,
    after: text.slice(first.index + first[0].length),
  };
}

/** The field of a name at a level; null when the name does not match. */
export function fieldAt({ before, field, after }: Level, name: string): string | null {
  if (field === null) return matchesPattern(before, name) ? name : null;
  for (let start = 0; start < name.length; start += 1) {
    if (!matchesPattern(before, name.slice(0, start))) continue;
    // The longest field, because names that end alike are rare and dots within them are not.
    for (let end = name.length; end > start; end -= 1)
      if (matchesPattern(after, name.slice(end))) return name.slice(start, end);
  }
  return null;
}

/** The fields that the path of a run gives; names of folders below the watched one. */
export function fieldsOfPath(levels: readonly Level[], path: string): Readonly<Record<string, string>> {
  const parts = path.split('/');
  const fields: Record<string, string> = {};
  for (const [at, level] of levels.entries()) {
    const value = fieldAt(level, parts[at] ?? '');
    if (level.field !== null && value !== null) fields[level.field] = value;
  }
  return fields;
}
