import { useCallback, useState, type Ref } from 'react';
import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import { FileGrid } from './file-grid.tsx';
import { folderRowId, withFolded, type Tree } from './tree.ts';
import type { Choosing } from './use-grid-actions.ts';
import { useTreePages, useTreeRows } from './use-tree.ts';
import type { WalkState } from './walk.ts';

export interface FoldersProps extends WalkState {
  readonly measurement: MeasurementDetail;
  readonly choosing: Choosing | null;
  readonly onLook: (file: number) => void;
  readonly ref: Ref<{ focus: () => void }>;
}

/** All files of a measurement as folders that fold. */
export function Folders({ measurement, walk, change, choosing, onLook, ref }: FoldersProps) {
  const rows = useTreeRows(walk.tree);
  const [view, setView] = useState({ first: 0, last: 40 });
  const onView = useCallback((first: number, last: number) => setView({ first, last }), []);
  const onChange = useCallback(
    (next: (tree: Tree) => Tree) =>
      change((before) => {
        const tree = next(before.tree);
        return tree === before.tree ? before : { ...before, tree };
      }),
    [change],
  );
  const failed = useTreePages(measurement.id, { tree: walk.tree, onChange }, rows, view);
  return (
    <>
      {failed === undefined ? null : <NotLoaded of={failed} alsoStale className="padded" />}
      <FileGrid
        ref={ref}
        label="Files"
        measurement={measurement}
        rows={rows}
        flat={false}
        cursor={walk.cursor}
        onCursor={(cursor) => change((before) => ({ ...before, cursor }))}
        choosing={choosing}
        onFold={(path, folded) =>
          change((before) => ({
            ...before,
            tree: withFolded(before.tree, path, folded),
            cursor: folderRowId(path),
          }))
        }
        onLook={onLook}
        onView={onView}
      />
    </>
  );
}
