import type { FileStatus, FolderPage } from '../../../src-renderer/api/requests/types.ts';
import { answer, refused, type FakeAnswer } from './fake-answer.ts';

type Entry = FolderPage['entries'][number];

const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const entriesByFiles = new WeakMap<readonly FileStatus[], Map<string, readonly Entry[]>>();

/** The entries of a folder of these files, in natural order, in pages. */
export function fakeFolder(files: readonly FileStatus[], query: URLSearchParams): FakeAnswer {
  const path = query.get('path') ?? '';
  const after = Number(query.get('after') ?? -1);
  const limit = Number(query.get('limit') ?? 100);
  const known = entriesByFiles.get(files) ?? new Map<string, readonly Entry[]>();
  entriesByFiles.set(files, known);
  const entries = known.get(path) ?? entriesIn(files, path === '' ? '' : `${path}/`);
  known.set(path, entries);
  if (entries.length === 0 && path !== '') return refused(404, 'Not found', 'There is no folder with this path.');
  const end = after + 1 + limit;
  return answer(200, { entries: entries.slice(after + 1, end), next: end < entries.length ? end - 1 : null });
}

function entriesIn(files: readonly FileStatus[], prefix: string): readonly Entry[] {
  const folders = new Map<string, NonNullable<Entry['folder']>>();
  const entries: Entry[] = [];
  for (const file of files) {
    if (!file.path.startsWith(prefix)) continue;
    const slash = file.path.indexOf('/', prefix.length);
    const name = file.path.slice(prefix.length, slash < 0 ? undefined : slash);
    if (slash < 0) entries.push({ name, file, folder: null });
    else {
      const {
        first,
        bytes,
        problem_count: problems,
      } = folders.get(name) ?? { first: file.index, bytes: 0, problem_count: 0 };
      folders.set(name, {
        first,
        last: file.index,
        bytes: bytes + file.length,
        problem_count: problems + (file.state === 'ok' ? 0 : 1),
      });
    }
  }
  entries.push(...[...folders].map(([name, folder]) => ({ name, file: null, folder })));
  return entries.toSorted((a, b) => natural.compare(a.name, b.name));
}
