import { useState } from 'react';
import { useDebounced } from '../../ui/hooks/use-debounced.ts';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import type { TreeNode } from '../messages/content.ts';
import { CurveChart } from './curve-chart.tsx';
import { DimensionBar } from './dimension-bar.tsx';
import { PlanePicture } from './plane-picture.tsx';
import { useAnswer, type ViewSource } from './source.ts';

export interface DatasetPictureProps {
  readonly source: ViewSource;
  readonly node: TreeNode;
}

/** A dataset as a curve or a picture, with a choice of the place in each further dimension. */
export function DatasetPicture({ source, node }: DatasetPictureProps) {
  const isPlane = node.picture === 'plane';
  const leading = node.shape.slice(0, isPlane ? -2 : -1);
  const [at, setAt] = useState<readonly number[]>(leading.map(() => 0));
  const [isSliding, setSliding] = useState(false);
  const settled = useDebounced(at, isSliding ? 80 : 0);
  const { path } = node;
  const plane = useAnswer(source, 'plane', isPlane ? { kind: 'plane', path, at: settled } : null);
  const line = useAnswer(source, 'curve', node.picture === 'line' ? { kind: 'line', path, at: settled } : null);
  if (node.picture === 'none') return null;
  return (
    <>
      {leading.map((length, axis) => (
        <DimensionBar
          // oxlint-disable-next-line react/no-array-index-key -- A dimension is known by its position alone.
          key={axis}
          dimension={axis + 1}
          length={length}
          place={at[axis] ?? 0}
          onChange={(wanted, bySlider) => {
            setSliding(bySlider);
            setAt(at.map((place, other) => (other === axis ? wanted : place)));
          }}
        />
      ))}
      <NotLoaded of={isPlane ? plane : line} alsoStale className="padded" />
      {isPlane && plane.data !== undefined ? <PlanePicture plane={plane.data} /> : null}
      {!isPlane && line.data !== undefined ? <CurveChart curve={line.data} /> : null}
    </>
  );
}
