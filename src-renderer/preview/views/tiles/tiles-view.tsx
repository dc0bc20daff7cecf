import { useState } from 'react';
import { useDebounced } from '../../../ui/hooks/use-debounced.ts';
import { NotLoaded } from '../../../ui/notes/not-loaded.tsx';
import type { PageLayout, Raster } from '../../messages/raster.ts';
import type { ColourMap } from '../colours.ts';
import { useAnswer, type ViewProps } from '../source.ts';
import { automaticRange } from './colour-raster.ts';
import { ContrastControls, type Range } from './contrast-controls.tsx';
import { PlaneChoices } from './plane-choices.tsx';
import { TiledPicture } from './tiled-picture.tsx';
import styles from './tiles.module.css';

/** A picture of any size, of which the tiles in view are read. */
export function TilesView({ source }: ViewProps) {
  const [at, setAt] = useState<readonly number[]>([]);
  const [sample, setSample] = useState<number | null>(null);
  const [chosen, setChosen] = useState<Range | null>(null);
  const [map, setMap] = useState<ColourMap>('grey');
  const settled = useDebounced(at, 80);
  const layout = useAnswer(source, 'layout', { kind: 'layout', at: settled });
  const coarse = useAnswer(source, 'raster', { kind: 'coarse', at: settled, sample });
  const { data } = layout;
  const automatic = automaticRange(data, coarse.data);
  const range = chosen ?? automatic;
  const isLost = coarse.data === undefined && coarse.error !== null;
  return (
    <div className={styles['panel']}>
      <NotLoaded of={layout} alsoStale className="padded" />
      {data === undefined ? null : (
        <>
          <div className={styles['choices']}>
            <PlaneChoices layout={data} at={at} sample={sample} onPlace={setAt} onSample={setSample} />
            {isLost ? null : (
              <ContrastControls
                limits={limitsOf(data, coarse.data)}
                range={range}
                isAutomatic={chosen === null}
                map={coarse.data?.channels === 3 ? null : map}
                onRange={setChosen}
                onMap={setMap}
              />
            )}
          </div>
          <NotLoaded of={coarse} alsoStale className="padded" />
          {isLost ? null : (
            <TiledPicture
              source={source}
              layout={data}
              coarse={coarse.data ?? null}
              at={settled}
              sample={sample}
              look={{ low: range[0], high: range[1], map, isInverted: data.isInverted }}
            />
          )}
        </>
      )}
    </div>
  );
}

function limitsOf({ maxValue }: PageLayout, coarse: Raster | undefined): Range {
  if (maxValue !== null) return [0, maxValue];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of coarse?.values ?? []) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return Number.isFinite(low) && Number.isFinite(high) ? [low, high] : [0, 1];
}
