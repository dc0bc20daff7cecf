import type { FileStatus, FolderPage, FolderSummary } from '../../../api/requests/types.ts';
import type { Item } from './choice.ts';

/** Folders of a measurement as far as they are loaded, and which of them are unfolded. */
export interface Tree {
  /** Pages of folders by path; the uppermost folder is the empty path. The list never changes. */
  readonly pages: ReadonlyMap<string, readonly FolderPage[]>;
  readonly unfolded: ReadonlySet<string>;
  /** Whether folders unfold when they first appear, because there are few files. */
  readonly opensAll: boolean;
}

interface Place {
  readonly id: string;
  /** 1 for what is directly in the measurement. */
  readonly level: number;
  /** Path of the folder that it is directly in, and the number of its page there. */
  readonly folder: string;
  readonly page: number;
}

export interface FolderTreeRow extends Place {
  readonly kind: 'folder';
  readonly path: string;
  readonly name: string;
  readonly unfolded: boolean;
  readonly summary: FolderSummary;
}

export interface FileTreeRow extends Place {
  readonly kind: 'file';
  readonly name: string;
  readonly file: FileStatus;
}

/** Stands for what is not loaded yet of a folder. */
export interface MoreTreeRow extends Place {
  readonly kind: 'more';
}

export type TreeRow = FolderTreeRow | FileTreeRow | MoreTreeRow;

/** With at most so many files, all folders are unfolded at first. */
const maxOpened = 30;
/** Folders below this level are unfolded by hand only. */
const maxOpenedLevel = 12;

export function newTree(files: number): Tree {
  return { pages: new Map(), unfolded: new Set(), opensAll: files <= maxOpened };
}

/**
 * Puts a page of a folder in its place; one that was there is replaced, because states of files
 * change. A folder that is alone in another one is unfolded with it.
 */
export function withPage(tree: Tree, path: string, page: number, loaded: FolderPage): Tree {
  const before = tree.pages.get(path) ?? [];
  if (page > before.length || before[page] === loaded) return tree;
  const pages = new Map(tree.pages).set(path, [...before.slice(0, page), loaded, ...before.slice(page + 1)]);
  if (page < before.length || path.split('/').length > maxOpenedLevel) return { ...tree, pages };
  const alone = page === 0 && loaded.entries.length === 1 && loaded.next === null;
  const opened = tree.opensAll || alone ? loaded.entries.filter(({ folder }) => folder !== null) : [];
  return {
    ...tree,
    pages,
    unfolded: new Set([...tree.unfolded, ...opened.map(({ name }) => below(path, name))]),
  };
}

/** Folds or unfolds a folder; what is unfolded below it stays so. */
export function withFolded(tree: Tree, path: string, folded: boolean): Tree {
  const unfolded = new Set(tree.unfolded);
  if (folded) unfolded.delete(path);
  else unfolded.add(path);
  return { ...tree, unfolded };
}

/** Unfolds all folders above a path. */
export function revealed(tree: Tree, path: string): Tree {
  const unfolded = new Set(tree.unfolded);
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) unfolded.add(path.slice(0, at));
  return unfolded.size === tree.unfolded.size ? tree : { ...tree, unfolded };
}

/** The path of what is in a folder. */
function below(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}

export const fileRowId = (index: number): string => `file-${index}`;
export const folderRowId = (path: string): string => `folder-${path}`;

/** The rows of a tree from top to bottom: unfolded folders are followed by what is in them. */
export function rowsOf({ pages, unfolded }: Tree): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (path: string, level: number): void => {
    const loaded = pages.get(path) ?? [];
    for (const [page, { entries }] of loaded.entries()) {
      const place = { level, folder: path, page };
      for (const { name, file, folder } of entries) {
        if (file !== null) rows.push({ kind: 'file', id: fileRowId(file.index), ...place, name, file });
        if (folder === null) continue;
        const at = below(path, name);
        const open = unfolded.has(at);
        rows.push({ kind: 'folder', id: folderRowId(at), ...place, path: at, name, unfolded: open, summary: folder });
        if (open) add(at, level + 1);
      }
    }
    if (loaded.at(-1)?.next !== null)
      rows.push({ kind: 'more', id: `more-${path}`, level, folder: path, page: loaded.length });
  };
  add('', 1);
  return rows;
}

/** The item of a choice that a row stands for; null for a row that is not loaded. */
export function itemOf(row: TreeRow): Item | null {
  if (row.kind === 'more') return null;
  if (row.kind === 'folder') {
    const { first, last, bytes, problem_count: problems } = row.summary;
    return { first, last, bytes, problems };
  }
  const { index, length, state } = row.file;
  return { first: index, last: index, bytes: length, problems: state === 'ok' ? 0 : 1 };
}

/** A page of a folder that is to be loaded, or to be kept up to date. */
export interface PageOfFolder {
  readonly path: string;
  readonly page: number;
  readonly after: number;
}

/** The pages of the rows from `first` to `last`, and the next page of a folder whose end is among them. */
export function pagesInView(
  tree: Tree,
  rows: readonly TreeRow[],
  first: number,
  last: number,
): readonly PageOfFolder[] {
  const wanted = new Map<string, PageOfFolder>();
  for (const { folder: path, page } of rows.slice(first, last + 1)) {
    const after = page === 0 ? -1 : (tree.pages.get(path)?.[page - 1]?.next ?? -1);
    wanted.set(`${page} ${path}`, { path, page, after });
  }
  return [...wanted.values()];
}
