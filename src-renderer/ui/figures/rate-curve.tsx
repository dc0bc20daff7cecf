import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef, useState } from 'react';
import { useUnits } from '../../context/context.ts';
import { formatRate, type SizeUnits } from '../../../src-shared/format/quantities.ts';
import { keepChart } from './keep-chart.ts';
import styles from './rate-curve.module.css';
import { curveSeconds, ratesBySecond, scaleOf, type RatePoint } from '../../context/rate-history.ts';
import { useElementWidth } from '../hooks/use-element-width.ts';
import { useStable } from '../hooks/use-stable.ts';

export interface RateCurveProps {
  /** Label of the curve, such as `Coming in`. */
  readonly label: string;
  /** Oldest first. */
  readonly points: readonly RatePoint[];
  /** Pixels. */
  readonly height: number;
}

const seconds = Array.from({ length: curveSeconds + 1 }, (_, second) => second - curveSeconds);

/**
 * The rate of the last minute as a curve that advances once a second; also as a text, and exact at
 * the pointer.
 */
export function RateCurve({ label, points, height }: RateCurveProps) {
  const units = useUnits();
  const rates = useRates(points);
  // Includes the rate displayed beside the curve, which enters it up to a second later.
  const highest = Math.max(...rates, points.at(-1)?.bytesPerSecond ?? 0);
  const scale = scaleOf(highest);
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const width = useElementWidth(place);
  const [pointed, setPointed] = useState<number | null>(null);

  useEffect(() => {
    const target = place.current;
    if (target === null) return undefined;
    // Sizes are set through the style object, which the content security policy allows, unlike
    // style attributes in HTML.
    return keepChart(plot, new uPlot(optionsOf(target, setPointed), [seconds, seconds.map(() => 0)], target));
  }, []);
  useEffect(() => plot.current?.setSize({ width, height }), [width, height]);
  useEffect(() => {
    plot.current?.batch(() => {
      plot.current?.setData([seconds, rates], false);
      plot.current?.setScale('x', { min: -curveSeconds, max: 0 });
      plot.current?.setScale('y', { min: 0, max: scale });
    });
  }, [rates, scale]);

  return (
    <div className={styles['curve']}>
      <div
        ref={place}
        role="img"
        aria-label={inWords(label, rates, units)}
        className={styles['plot']}
        style={{ height }}
      />
      <span aria-hidden className={styles['scale']}>
        {pointed === null
          ? highest > 0 && formatRate(scale, units)
          : `${agoWords(pointed)}: ${formatRate(rates[pointed] ?? 0, units)}`}
      </span>
    </div>
  );
}

function agoWords(second: number): string {
  const ago = curveSeconds - second;
  return ago === 0 ? 'now' : `${ago} s ago`;
}

function inWords(label: string, rates: readonly number[], units: SizeUnits): string {
  const average = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const said = (rate: number): string => formatRate(rate, units);
  return `${label}: now ${said(rates.at(-1) ?? 0)}; in the last minute at most ${said(Math.max(...rates))}, on average ${said(average)}`;
}

function optionsOf(target: HTMLElement, onPoint: (second: number | null) => void): uPlot.Options {
  const token = (name: string) => (): string => getComputedStyle(target).getPropertyValue(name).trim();
  return {
    width: Math.max(1, target.clientWidth),
    height: Math.max(1, target.clientHeight),
    padding: [2, 0, 0, 0],
    legend: { show: false },
    axes: [
      { show: false },
      {
        size: 0,
        ticks: { show: false },
        values: () => [],
        splits: (plot) => [0, (plot.scales['y']?.max ?? 0) / 2],
        grid: { stroke: token('--line'), width: 1 },
      },
    ],
    scales: { x: { time: false, auto: false }, y: { auto: false } },
    series: [{}, { stroke: token('--accent'), fill: token('--selected'), width: 1.5, points: { show: false } }],
    cursor: { y: false, drag: { x: false, y: false, setScale: false }, points: { size: 6 } },
    hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? null)] },
  };
}

/**
 * The rates of the last minute, once a second: drawing is the most expensive part of its screen, so
 * points in between wait for the next second.
 */
function useRates(points: readonly RatePoint[]): number[] {
  const read = useStable(() => ratesBySecond(points, Date.now()));
  const [rates, setRates] = useState(() => ratesBySecond(points, Date.now()));
  useEffect(() => {
    const timer = setInterval(() => setRates(read()), 1000);
    return () => clearInterval(timer);
  }, [read]);
  return rates;
}
