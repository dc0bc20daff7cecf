import type { Bench } from '../bench.ts';
import type { Measured } from '../rounds.ts';
import { ratios, spreadOf, type Spread } from '../statistics.ts';

/** One line of the goal table. */
export interface Row {
  readonly work: string;
  readonly against: string;
  readonly wanted: string;
  readonly measured: string;
  readonly spread: string;
  readonly met: boolean;
}

/** Absolute figures of one variant, for the second table. */
export interface Detail {
  readonly work: string;
  readonly variant: string;
  readonly figure: string;
  readonly spread: string;
  readonly cpu: string;
  /** Share of the processors that other programs used meanwhile. */
  readonly others: string;
}

export interface Findings {
  readonly rows: readonly Row[];
  readonly details: readonly Detail[];
}

export interface Goal<Subject = Bench> {
  readonly name: string;
  /** The client, its requests and their verification; a line for the report. */
  readonly method: string;
  run(bench: Subject): Promise<Findings>;
}

type Unit = 'bytes' | 'requests';

const valuesOf = (measured: Measured, unit: Unit) =>
  unit === 'bytes' ? measured.bytesPerSecond : measured.requestsPerSecond;

/** One of the measured variants. */
export function variantOf(measured: ReadonlyMap<string, Measured>, name: string): Measured {
  const one = measured.get(name);
  if (!one) throw new Error(`${name} was not measured`);
  return one;
}

/** A line that compares rates: the median of the ratios of each round. */
export function ratioRow(work: string, ours: Measured, against: string, theirs: Measured, wanted: number): Row {
  return spreadRow(work, against, ratios(ours.bytesPerSecond, theirs.bytesPerSecond), { atLeast: wanted, unit: 'x' });
}

/** A line with a limit or a minimum. */
export function spreadRow(
  work: string,
  against: string,
  spread: Spread,
  limit: { readonly unit: string } & ({ readonly atLeast: number } | { readonly atMost: number }),
): Row {
  const show = (value: number) => `${digits(value)}${limit.unit === 'x' ? '' : ' '}${limit.unit}`;
  const met = 'atLeast' in limit ? spread.median >= limit.atLeast : spread.median <= limit.atMost;
  return {
    work,
    against,
    wanted: 'atLeast' in limit ? `at least ${show(limit.atLeast)}` : `at most ${show(limit.atMost)}`,
    measured: show(spread.median),
    spread: `${digits(spread.min)} to ${digits(spread.max)}`,
    met,
  };
}

/** The absolute figures of some variants. */
export function details(work: string, measured: Iterable<Measured>, unit: Unit): readonly Detail[] {
  return Array.from(measured, (one) => {
    const spread = spreadOf(valuesOf(one, unit).map((value) => value / (unit === 'bytes' ? 1e6 : 1)));
    return {
      work,
      variant: one.name,
      figure: `${digits(spread.median)} ${unit === 'bytes' ? 'MB/s' : 'requests/s'}`,
      spread: `${digits(spread.min)} to ${digits(spread.max)}`,
      cpu:
        unit === 'bytes'
          ? `${digits(one.cpuPerGigabyte.median)} s/GB`
          : `${digits(one.cpuPerRequest.median * 1e6)} µs/request`,
      others: `${Math.round(spreadOf(one.disturbance).median * 100)} %`,
    };
  });
}

function digits(value: number): string {
  if (!Number.isFinite(value)) return '-';
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
