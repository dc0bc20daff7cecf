import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useMemo, useReducer, useRef } from 'react';
import { formatCount } from '../../../../src-shared/format/quantities.ts';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import type { PageLayout, Raster } from '../../messages/raster.ts';
import type { ViewSource } from '../source.ts';
import type { Look } from './colour-raster.ts';
import { drawView, uncoloured } from './draw-view.ts';
import { TileStore } from './tile-store.ts';
import styles from './tiles.module.css';
import { useStage } from './use-stage.ts';
import { levelInView, tilesInView, type Size, type Viewport } from './viewport.ts';

export interface TiledPictureProps {
  readonly source: ViewSource;
  readonly layout: PageLayout;
  /** Null until it has come. */
  readonly coarse: Raster | null;
  readonly at: readonly number[];
  readonly sample: number | null;
  readonly look: Look;
}

/** A page on a canvas: its coarse picture, and the tiles of the level that is sharp at the zoom. */
export function TiledPicture({ source, layout, coarse, at, sample, look }: TiledPictureProps) {
  const [page = { width: 1, height: 1 }] = layout.levels;
  const { stage, screen, viewport, isKnown, handlers, ...zoom } = useStage(page);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const store = useTileStore(source, redraw);
  const picture = JSON.stringify([at, sample]);
  const under = useMemo(() => (coarse === null ? null : uncoloured(coarse)), [coarse]);
  const ratio = window.devicePixelRatio;
  const level = neededLevel(layout, coarse, viewport, isKnown ? screen : null, ratio);
  const wanted = (level === null ? [] : tilesInView(layout.levels, level, viewport, screen)).map((tile) => ({
    ...tile,
    picture,
  }));
  // Everything that is drawn can differ at each turn, and drawing takes less than finding out.
  useEffect(() => {
    if (canvas.current === null || !isKnown) return;
    store.want(wanted);
    drawView(canvas.current, { layout, viewport, screen, ratio, look, picture, level }, under, store);
  });
  const size = `${formatCount(page.width)} × ${formatCount(page.height)} pixels`;
  const failure = store.failureOf(wanted);
  return (
    <>
      <div className={styles['bar']}>
        <IconButton label="Zoom in" icon={<ZoomIn />} onClick={zoom.zoomIn} />
        <IconButton label="Zoom out" icon={<ZoomOut />} onClick={zoom.zoomOut} />
        <IconButton label="Show the whole picture" icon={<Maximize />} onClick={zoom.showAll} />
        <Button look="quiet" onClick={zoom.showPixels}>
          Actual size
        </Button>
        <p className={styles['said']}>
          {size}, at {percent(viewport.scale)}. {wordsFor(coarse, level, layout)}
        </p>
      </div>
      {failure === null ? null : (
        <p role="status" className={`${styles['said']} padded`}>
          A part of the picture is missing: {plainText(failure)}{' '}
          <Button onClick={() => store.retry()}>Try again</Button>
        </p>
      )}
      <div
        ref={stage}
        role="application"
        aria-label="Picture: arrows move it, + and - zoom, 0 shows all of it"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- The picture is moved with keys.
        tabIndex={0}
        className={styles['stage']}
        {...handlers}
      >
        <canvas
          ref={canvas}
          role="img"
          aria-label={`The picture, ${size}, at ${percent(viewport.scale)}`}
          aria-busy={coarse === null || store.countMissing(wanted) > 0}
        />
      </div>
    </>
  );
}

/** Tiles of one open file. */
function useTileStore(source: ViewSource, onChange: () => void): TileStore {
  const store = useMemo(
    () =>
      new TileStore({
        onChange,
        async read({ picture, level, column, row }) {
          const [at, sample] = JSON.parse(picture) as [number[], number | null];
          const answer = await source.ask({ kind: 'tile', at, sample, level, column, row });
          if (answer.kind !== 'raster') throw new Error('Reading the file led to nonsense.');
          return answer;
        },
      }),
    [source, onChange],
  );
  useEffect(() => () => store.close(), [store]);
  return store;
}

/** The level whose tiles are needed; null where the coarse picture is as sharp, or tiles would be too many. */
function neededLevel(
  layout: PageLayout,
  coarse: Raster | null,
  viewport: Viewport,
  screen: Size | null,
  ratio: number,
): number | null {
  const [page] = layout.levels;
  if (screen === null || coarse === null || page === undefined) return null;
  const isSharp = coarse.extent === 'whole' || coarse.width / page.width >= viewport.scale * ratio;
  return isSharp && coarse.extent !== 'sampled' ? null : levelInView(layout.levels, viewport, screen, ratio);
}

function wordsFor(coarse: Raster | null, level: number | null, { levels }: PageLayout): string {
  if (coarse?.extent !== 'sampled' || level !== null) return '';
  return levels.length > 1
    ? 'Parts that are spread over it are shown; zoom in to see the others.'
    : 'It has no smaller forms and is large, so parts that are spread over it are read; zoom in to see the others.';
}

function percent(scale: number): string {
  return `${Number((scale * 100).toPrecision(scale < 0.1 ? 2 : 3))} %`;
}
