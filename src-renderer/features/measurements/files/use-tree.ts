import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useApp } from '../../../context/context.ts';
import { pagesInView, rowsOf, withPage, type Tree, type TreeRow } from './tree.ts';

/** Changes the tree of folders. */
export type ChangeTree = (change: (tree: Tree) => Tree) => void;

/** The rows of a tree. */
export function useTreeRows(tree: Tree): readonly TreeRow[] {
  return useMemo(() => rowsOf(tree), [tree]);
}

/**
 * Loads the pages of folders that are in view, and keeps them up to date; pages that have left the
 * view stay as they were loaded, and are asked for again when they come back.
 *
 * @returns the request that failed, if one did.
 */
export function useTreePages(
  measurementId: string,
  { tree, onChange }: { readonly tree: Tree; readonly onChange: ChangeTree },
  rows: readonly TreeRow[],
  view: { readonly first: number; readonly last: number },
) {
  const { queries } = useApp();
  const wanted = pagesInView(tree, rows, view.first, view.last);
  const found = useQueries({ queries: wanted.map(({ path, after }) => queries.folder(measurementId, path, after)) });
  const fresh = wanted.flatMap(({ path, page }, at) => {
    const data = found[at]?.data;
    return data === undefined || tree.pages.get(path)?.[page] === data ? [] : [{ path, page, data }];
  });
  useEffect(() => {
    if (fresh.length > 0)
      onChange((before) => fresh.reduce((next, { path, page, data }) => withPage(next, path, page, data), before));
  });
  return found.find(({ error }) => error !== null);
}
