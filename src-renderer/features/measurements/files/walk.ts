import { useCallback, useState } from 'react';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { nothingChosen, type Choice } from './choice.ts';
import { fileRowId, newTree, revealed, type Tree } from './tree.ts';

/** Where somebody is in the files of a measurement, for as long as it is open. */
export interface Walk {
  readonly tree: Tree;
  /** Id of the row with the keyboard cursor. */
  readonly cursor: string | null;
  readonly choice: Choice;
}

export interface WalkState {
  readonly walk: Walk;
  readonly change: (change: (walk: Walk) => Walk) => void;
}

/** Keeps a walk while other tabs are shown; files that were registered anew begin another one. */
export function useWalk({ file_count: files, created_at: createdAt }: MeasurementDetail): WalkState {
  const [kept, setKept] = useState<{ readonly createdAt: string | null; readonly walk: Walk } | null>(null);
  const [first] = useState(() => newWalk(files));
  const walk = kept !== null && kept.createdAt === createdAt ? kept.walk : first;
  const change = useCallback(
    (next: (walk: Walk) => Walk) =>
      setKept((before) => {
        const current = before !== null && before.createdAt === createdAt ? before.walk : newWalk(files);
        const changed = next(current);
        return before !== null && changed === before.walk ? before : { createdAt, walk: changed };
      }),
    [createdAt, files],
  );
  return { walk, change };
}

function newWalk(files: number): Walk {
  return { tree: newTree(files), cursor: null, choice: nothingChosen };
}

/** Unfolds the folders of a file and puts the cursor on it. */
export function atFile(walk: Walk, { index, path }: { readonly index: number; readonly path: string }): Walk {
  const cursor = fileRowId(index);
  const tree = revealed(walk.tree, path);
  return tree === walk.tree && walk.cursor === cursor ? walk : { ...walk, tree, cursor };
}
