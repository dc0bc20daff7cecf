import { watchedBenchStates } from '../../src-shared/states/bench-states.ts';
import { afterJudgement, afterReport, type BenchCondition } from '../../src-main/service/fleet/silence/after-report.ts';
import {
  lookEveryMs,
  SilenceWatch,
  type Judgement,
  type Sighting,
} from '../../src-main/service/fleet/silence/silence-watch.ts';
import { minSilenceMs, type Habits } from '../../src-main/service/fleet/silence/usual-silence.ts';
import { nextReportMs, reportTimeoutMs } from '../../src-main/service/fleet/reporting/report-pace.ts';
import { minuteMs, Random } from './random.ts';
import { begin, end, simulatedBenches, type Run, type SimulatedBench } from './simulated-benches.ts';
import { blipsOf, clockAhead, cutOff, downtimes, isWithin, paused } from './simulated-network.ts';

const lostReports = 0.005;
const lostSuspends = 0.3;

/** A bench as it is at a time of the simulation. */
interface Live {
  readonly bench: SimulatedBench;
  readonly blips: readonly (readonly [number, number])[];
  runAt: number;
  nextAt: number;
  failures: number;
}

/** A bench as the server knows it. */
interface Known extends BenchCondition {
  readonly sequence: number;
  readonly firstHeardAt: number;
  /** Of the simulation, for its verdict. */
  readonly heardAt: number;
}

export interface Alarm {
  readonly id: string;
  readonly at: number;
  /** Until when its last report was received. */
  readonly heardAt: number;
}

export interface Simulated {
  readonly benches: readonly SimulatedBench[];
  readonly alarms: readonly Alarm[];
  /** How often the server was said to hear nobody. */
  readonly muted: readonly Alarm[];
  readonly reports: number;
  /** When each bench was last heard before a failure, by bench. */
  readonly heardBefore: ReadonlyMap<string, number>;
}

interface Watch {
  look: SilenceWatch['look'];
}

/** Begins to watch; `listenedUntil` is when the one before stopped. */
export type MakeWatch = (moment: { wallMs: number; uptimeMs: number }, listenedUntil: number) => Watch;

export const realWatch: MakeWatch = (moment, listenedUntil) => new SilenceWatch(moment, listenedUntil);

/** A month of a hundred benches and their server, in steps of the watch. */
export async function simulate(seed: number, makeWatch: MakeWatch): Promise<Simulated> {
  const random = new Random(seed);
  const benches = simulatedBenches(random);
  const server = new SimulatedServer(makeWatch);
  const live = benches.map((bench): Live => {
    const first = bench.runs[0]?.from ?? Number.POSITIVE_INFINITY;
    return { bench, blips: blipsOf(random), runAt: 0, nextAt: first + random.between(0, minuteMs), failures: 0 };
  });
  const heardBefore = new Map<string, number>();
  for (let at = begin; at < end; at += lookEveryMs) {
    for (const one of live) advance(one, at, server, random, heardBefore);
    await server.look(at);
  }
  return { benches, alarms: server.alarms, muted: server.muted, reports: server.reports, heardBefore };
}

/** Has a bench do what it does up to a time. */
function advance(
  one: Live,
  to: number,
  server: SimulatedServer,
  random: Random,
  heardBefore: Map<string, number>,
): void {
  for (;;) {
    const run = one.bench.runs[one.runAt];
    if (run === undefined) return;
    if (Math.min(one.nextAt, run.until) > to) return;
    if (one.nextAt >= run.until) endRun(one, run, server, random, heardBefore);
    else report(one, server, random);
  }
}

function endRun(one: Live, run: Run, server: SimulatedServer, random: Random, heardBefore: Map<string, number>): void {
  const { id } = one.bench;
  if (run.ends === 'failure') heardBefore.set(id, server.heardAt(id));
  const isLost = run.ends === 'asleep' && random.chance(lostSuspends);
  if ((run.ends === 'closing' || run.ends === 'asleep') && !isLost && reaches(one, run.until, random))
    server.hear(id, run.ends === 'closing' ? 'close' : 'sleep', run.until);
  one.runAt += 1;
  one.failures = 0;
  one.nextAt = (one.bench.runs[one.runAt]?.from ?? Number.POSITIVE_INFINITY) + random.between(1000, 20_000);
}

function report(one: Live, server: SimulatedServer, random: Random): void {
  if (reaches(one, one.nextAt, random)) {
    server.hear(one.bench.id, 'report', one.nextAt);
    one.failures = 0;
    one.nextAt += nextReportMs(0, random.next());
  } else {
    one.failures += 1;
    one.nextAt += random.between(0, reportTimeoutMs) + nextReportMs(one.failures, random.next());
  }
}

function reaches({ blips }: Live, at: number, random: Random): boolean {
  return ![downtimes, cutOff, paused, blips].some((spans) => isWithin(spans, at)) && !random.chance(lostReports);
}

class SimulatedServer {
  readonly alarms: Alarm[] = [];
  readonly muted: Alarm[] = [];
  reports = 0;
  readonly #makeWatch: MakeWatch;
  readonly #known = new Map<string, Known>();
  #watch: Watch | null = null;
  #listenedUntil = begin;

  constructor(makeWatch: MakeWatch) {
    this.#makeWatch = makeWatch;
  }

  heardAt(id: string): number {
    return this.#known.get(id)?.heardAt ?? 0;
  }

  hear(id: string, event: 'report' | 'close' | 'sleep', at: number): void {
    this.reports += 1;
    const now = at + clockAhead(at);
    const before = this.#known.get(id);
    const next: BenchCondition = before
      ? afterReport(before, event, now)
      : { state: 'reporting', since: now, missed_since: null, absences: [] };
    const { sequence, firstHeardAt } = before ?? { sequence: 0, firstHeardAt: now };
    this.#known.set(id, { ...next, sequence: sequence + 1, firstHeardAt, heardAt: at });
  }

  async look(at: number): Promise<void> {
    if (isWithin(paused, at)) return;
    if (isWithin(downtimes, at)) {
      this.#watch = null;
      return;
    }
    const moment = { wallMs: at + clockAhead(at), uptimeMs: at - begin };
    this.#watch ??= this.#makeWatch(moment, this.#listenedUntil);
    const judgements = await this.#watch.look(this.#sightings(), moment, async (ids) => this.#habitsOf(ids));
    for (const judgement of judgements) this.#apply(judgement, at);
    this.#listenedUntil = moment.wallMs;
  }

  #sightings(): readonly Sighting[] {
    return [...this.#known].flatMap(([id, { state, sequence, missed_since }]) => {
      const watched = watchedBenchStates.find((one) => one === state);
      return watched === undefined ? [] : [{ id, state: watched, sequence, expected: 'usual' as const, missed_since }];
    });
  }

  #habitsOf(ids: readonly string[]): ReadonlyMap<string, Habits> {
    const known = ids.flatMap((id) => {
      const one = this.#known.get(id);
      return one ? [[id, { expected: 'usual', ...one }] as const] : [];
    });
    return new Map(known);
  }

  #apply({ id, event, since }: Judgement, at: number): void {
    const before = this.#known.get(id);
    if (!before) return;
    const next = afterJudgement(before, event, since, at + clockAhead(at));
    if (next.state === before.state) return;
    this.#known.set(id, { ...before, ...next });
    const alarm = { id, at, heardAt: before.heardAt };
    if (event === 'overdue') this.alarms.push(alarm);
    if (event === 'mute') this.muted.push(alarm);
  }
}

/** A watch as one would write it first: five minutes without a report are too long. */
export const naiveWatch: MakeWatch = () => {
  const heard = new Map<string, { sequence: number; at: number }>();
  return {
    look: async (sightings, { wallMs }) =>
      sightings.flatMap(({ id, sequence }) => {
        const before = heard.get(id);
        if (before?.sequence !== sequence) heard.set(id, { sequence, at: wallMs });
        const at = heard.get(id)?.at ?? wallMs;
        return wallMs - at >= minSilenceMs ? [{ id, event: 'overdue' as const, since: at }] : [];
      }),
  };
};
