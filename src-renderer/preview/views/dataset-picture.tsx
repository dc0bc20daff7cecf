import { useState } from 'react';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { useDebounced } from '../../ui/hooks/use-debounced.ts';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import type { TreeNode } from '../messages/content.ts';
import { CurveChart } from './curve-chart.tsx';
import { PlanePicture } from './plane-picture.tsx';
import { useAnswer, type ViewSource } from './source.ts';
import styles from './views.module.css';

export interface DatasetPictureProps {
  readonly source: ViewSource;
  readonly node: TreeNode;
}

/** A dataset as a curve or a picture, with a slider for each further dimension. */
export function DatasetPicture({ source, node }: DatasetPictureProps) {
  const isPlane = node.picture === 'plane';
  const leading = node.shape.slice(0, isPlane ? -2 : -1);
  const [at, setAt] = useState<readonly number[]>(leading.map(() => 0));
  const settled = useDebounced(at, 80);
  const { path } = node;
  const plane = useAnswer(source, 'plane', isPlane ? { kind: 'plane', path, at: settled } : null);
  const line = useAnswer(source, 'curve', node.picture === 'line' ? { kind: 'line', path, at: settled } : null);
  if (node.picture === 'none') return null;
  return (
    <>
      {leading.map((length, axis) => (
        // oxlint-disable-next-line react/no-array-index-key -- A dimension is known by its position alone.
        <label key={axis} className={styles['slider']}>
          <span>
            Dimension {axis + 1}: {formatCount((at[axis] ?? 0) + 1)} of {formatCount(length)}
          </span>
          <input
            type="range"
            min={0}
            max={length - 1}
            value={at[axis] ?? 0}
            onChange={(event) => setAt(at.map((place, other) => (other === axis ? Number(event.target.value) : place)))}
          />
        </label>
      ))}
      <NotLoaded of={isPlane ? plane : line} alsoStale className="padded" />
      {isPlane && plane.data !== undefined ? <PlanePicture plane={plane.data} /> : null}
      {!isPlane && line.data !== undefined ? <CurveChart curve={line.data} /> : null}
    </>
  );
}
