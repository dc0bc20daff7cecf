import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import { lineText } from '../../../src-shared/format/shown-text.ts';
import { keepChart } from '../../ui/figures/keep-chart.ts';
import { useElementWidth } from '../../ui/hooks/use-element-width.ts';
import type { Curve } from '../messages/content.ts';
import styles from './views.module.css';

const height = 280;

/** A curve with the spread of the values that share a place; dragging zooms, a double click shows all. */
export function CurveChart({ curve }: { readonly curve: Curve }) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const width = useElementWidth(place);
  useEffect(() => {
    const target = place.current;
    if (target === null) return undefined;
    return keepChart(plot, new uPlot(optionsOf(target, curve), dataOf(curve), target));
  }, [curve]);
  useEffect(() => plot.current?.setSize({ width, height }), [width]);
  return (
    <>
      <div ref={place} role="img" aria-label={inWords(curve)} className={styles['chart']} />
      <p className={styles['said']}>
        {curve.isSampled
          ? `Drawn from places spread over all ${formatCount(curve.of)} values; what lies between them is not read.`
          : `${formatCount(curve.of)} values.`}{' '}
        Drag to zoom, double-click to see all.
      </p>
    </>
  );
}

/** Gaps are null for uPlot, not NaN. */
function dataOf({ x, low, high }: Curve): uPlot.AlignedData {
  const withGaps = (values: Float64Array): (number | null)[] =>
    Array.from(values, (value) => (Number.isNaN(value) ? null : value));
  return [Array.from(x), withGaps(low), withGaps(high)];
}

function inWords(curve: Curve): string {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of curve.low) if (value < low) low = value;
  for (const value of curve.high) if (value > high) high = value;
  const values = low > high ? 'no values' : `values from ${short(low)} to ${short(high)}`;
  const range = `${short(curve.x[0] ?? 0)} to ${short(curve.x.at(-1) ?? 0)}`;
  return `${lineText(curve.yName)} over ${lineText(curve.xName)}, ${range}: ${values}`;
}

const short = (value: number): string => String(Number(value.toPrecision(4)));

function optionsOf(target: HTMLElement, curve: Curve): uPlot.Options {
  const token = (name: string) => (): string => getComputedStyle(target).getPropertyValue(name).trim();
  const axis = (label: string): uPlot.Axis => ({
    label: lineText(label, 60),
    labelSize: 20,
    stroke: token('--muted'),
    grid: { stroke: token('--line'), width: 1 },
    ticks: { stroke: token('--line'), width: 1 },
    font: '11px system-ui',
    labelFont: '11px system-ui',
  });
  const series: uPlot.Series = {
    stroke: token('--accent'),
    width: 1.5,
    points: { show: curve.x.length < 60, size: 4 },
  };
  return {
    width: Math.max(1, target.clientWidth),
    height,
    legend: { show: false },
    scales: { x: { time: false } },
    axes: [axis(curve.xName), { ...axis(curve.yName), size: 64 }],
    series: [{}, series, series],
    bands: [{ series: [2, 1], fill: token('--selected') }],
    cursor: { drag: { x: true, y: false } },
  };
}
