import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { lineText } from '../../../src-shared/format/shown-text.ts';
import type { Plane } from '../messages/content.ts';
import { ColourMapChoice } from './colour-map-choice.tsx';
import { colourValues, rangeOf, type ColourMap } from './colours.ts';
import styles from './views.module.css';

/** A plane of values as a picture, with a choice of colours. */
export function PlanePicture({ plane }: { readonly plane: Plane }) {
  const [map, setMap] = useState<ColourMap>('heat');
  const [isLogarithmic, setLogarithmic] = useState(false);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height, values } = plane;
  useEffect(() => {
    const target = canvas.current;
    if (target === null || width === 0 || height === 0) return;
    target.width = width;
    target.height = height;
    const pixels = new ImageData(colourValues(values, { map, isLogarithmic }), width, height);
    target.getContext('2d')?.putImageData(pixels, 0, 0);
  }, [width, height, values, map, isLogarithmic]);
  const [low, high] = rangeOf(values);
  const size = `${formatCount(plane.fullWidth)} × ${formatCount(plane.fullHeight)}`;
  const range = `${short(low)} to ${short(high)}`;
  return (
    <>
      <div className={styles['choices']}>
        <ColourMapChoice map={map} first="heat" onMap={setMap} />
        <label className={styles['check']}>
          <input type="checkbox" checked={isLogarithmic} onChange={(event) => setLogarithmic(event.target.checked)} />
          Logarithmic
        </label>
      </div>
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${lineText(plane.name)}, ${size} values from ${range}`}
        className={styles['plane']}
      />
      <p className={styles['said']}>
        {size} values, colours from {range}.{' '}
        {plane.extent === 'corner'
          ? `Only the first rows and columns are read, because the whole is more than a preview reads.`
          : plane.extent === 'reduced'
            ? 'Each point is the mean of its neighbours.'
            : ''}
      </p>
    </>
  );
}

const short = (value: number): string => String(Number(value.toPrecision(4)));
