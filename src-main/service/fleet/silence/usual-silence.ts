import type { BenchExpectation } from '../../contract/fleet/fleet.ts';

/** A time in which a bench did not report, whether or not it said so. Milliseconds since 1970. */
export interface Absence {
  readonly from: number;
  readonly until: number;
  /** Whether it said so. */
  readonly announced: boolean;
  /** Whether administrators were told of it as unusual. */
  readonly told: boolean;
}

/** The reporting habits of a bench, as far as they are known. */
export interface Habits {
  readonly expected: BenchExpectation;
  readonly firstHeardAt: number;
  readonly absences: readonly Absence[];
}

/**
 * Below this no silence counts: a network that is away for three minutes, and the longest pause
 * between attempts after it, fit in, and with the pauses of the watch it is noticed in five minutes.
 */
export const minSilenceMs = 270_000;
const rememberedMs = 28 * 86_400_000;
const maxAbsences = 100;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const weekMs = 7 * dayMs;
/** A whole week has been seen, with its weekend. */
const learningMs = 8 * dayMs;
/** A long weekend, with the evening before it. */
const longWeekendMs = 120 * hourMs;
/** Of whom nothing is usual, nothing is concluded sooner. */
const unknownMs = 14 * dayMs;
/** People do not leave at the same minute, and the hour changes twice a year. */
const earlierMs = 3 * hourMs;
const clusterMs = 4 * hourMs;
const recentMs = 14 * dayMs;
const weekly = 20 * hourMs;

/**
 * Milliseconds for which a bench may be silent before that is unusual: `minSilenceMs` where nothing
 * explains a silence that began at this time; a long weekend, and half as long again as its longest
 * absence, where it was absent at this time before; two weeks where it is not known yet or comes and
 * goes. Infinity for one that may be off.
 *
 * @param since when it was last heard.
 */
export function allowedSilenceMs({ expected, firstHeardAt, absences }: Habits, since: number): number {
  if (expected === 'always-on') return minSilenceMs;
  if (expected === 'may-be-off') return Number.POSITIVE_INFINITY;
  const known = absences.filter(({ from, until }) => from >= since - rememberedMs && until <= since);
  const longest = Math.max(0, ...known.map(lengthOf));
  const usual = Math.max(longWeekendMs, 1.5 * longest);
  if (since - firstHeardAt < learningMs || comesAndGoes(known.filter(({ from }) => from >= since - recentMs)))
    return Math.max(unknownMs, usual);
  return isUsualTime(known, since) ? usual : minSilenceMs;
}

/** The absences to be remembered with one more. */
export function withAbsence(known: readonly Absence[], next: Absence, now: number): readonly Absence[] {
  const isAbsence = lengthOf(next) >= minSilenceMs;
  return [...known, ...(isAbsence ? [next] : [])].filter(({ from }) => from >= now - rememberedMs).slice(-maxAbsences);
}

/** Whether it was absent at this time of the day on two days, or at this time of the week. */
function isUsualTime(known: readonly Absence[], since: number): boolean {
  const covering = (period: number) => known.filter((one) => coversTime(one, since, period));
  const daily = covering(dayMs).filter((one) => lengthOf(one) <= weekly);
  if (new Set(daily.map(({ from }) => Math.floor(from / dayMs))).size >= 2) return true;
  const ofWeeks = covering(weekMs).filter((one) => one.announced || lengthOf(one) > weekly);
  // One that was told may have been a failure.
  return ofWeeks.some(({ told }) => !told) || ofWeeks.length >= 2;
}

/** Whether an absence, some whole periods later, covers a time. */
function coversTime({ from, until }: Absence, at: number, period: number): boolean {
  const begin = from - earlierMs;
  const width = until - begin;
  return width >= period || modulo(at - begin, period) < width;
}

/** Whether it leaves at times that have nothing in common: on two days outside the usual hours of leaving. */
function comesAndGoes(recent: readonly Absence[]): boolean {
  const others = recent.map(({ from }) => recent.filter((one) => modulo(one.from - from, dayMs) >= clusterMs));
  const days = others.map((ones) => new Set(ones.map(({ from }) => Math.floor(from / dayMs))).size);
  return days.length > 0 && Math.min(...days) >= 2;
}

function lengthOf({ from, until }: Absence): number {
  return until - from;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
