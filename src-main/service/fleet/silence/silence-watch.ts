import type { BenchEvent, BenchState } from '../../../../src-shared/states/bench-states.ts';
import type { BenchExpectation } from '../../contract/fleet/fleet.ts';
import { allowedSilenceMs, minSilenceMs, type Habits } from './usual-silence.ts';
import { SteadyTime, type Moment } from './steady-time.ts';

/** A bench whose reports are awaited. */
export interface Sighting {
  readonly id: string;
  readonly state: Extract<BenchState, 'reporting' | 'away' | 'unheard'>;
  /** Of its last report. */
  readonly sequence: number;
  readonly expected: BenchExpectation;
  readonly missed_since: number | null;
}

export interface Judgement {
  readonly id: string;
  readonly event: Extract<BenchEvent, 'miss' | 'mute' | 'overdue'>;
  /** When it was last heard. */
  readonly since: number;
}

interface Watched {
  sequence: number;
  expected: BenchExpectation;
  heardAt: number;
  /** Of the clocks of the watch. */
  heardAwake: number;
  heardListening: number;
  allowedMs: number | null;
}

/** How often benches are looked at. */
export const lookEveryMs = 10_000;
// A longer gap between two looks was a pause of this process, in which no report could be received.
const maxStepMs = 3 * lookEveryMs;
/** Without any report for as long as this, this server rather than all benches is cut off. */
const nobodyHeardMs = 100_000;
/** Of many benches some report within this, unless this server was cut off just now. */
const manyHeardMs = 30_000;
const many = 10;
/** Within this all benches report again once they can. */
const calmMs = 120_000;

/**
 * Judges which benches are silent, by how long this process listened to them. A start, a pause of
 * this process, a clock that is set and a time in which no bench at all is heard are not their
 * silence.
 */
export class SilenceWatch {
  readonly #time: SteadyTime;
  readonly #watched = new Map<string, Watched>();
  readonly #listenedUntil: number;
  /** Milliseconds in which this process ran, and of them those in which some bench was heard. */
  #awake = 0;
  #listening = 0;
  #anyHeard = 0;
  #isCutOff = false;
  /** Whether it may have been cut off just now, so that nothing is concluded yet. */
  #isInDoubt = false;
  #calmUntil = minSilenceMs;
  #isFirst = true;

  /** @param listenedUntil when a watch before this one last looked, in milliseconds since 1970. */
  constructor(start: Moment, listenedUntil: number) {
    this.#time = new SteadyTime(start);
    this.#listenedUntil = listenedUntil;
  }

  /** The time that habits are measured in, in milliseconds since 1970. */
  get now(): number {
    return this.#time.now;
  }

  /**
   * Judges all benches whose reports are awaited.
   *
   * @param habitsOf looks habits up by id; those that are gone are left out.
   */
  async look(
    sightings: readonly Sighting[],
    moment: Moment,
    habitsOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, Habits>>,
  ): Promise<readonly Judgement[]> {
    this.#advance(moment);
    this.#hear(sightings);
    this.#isFirst = false;
    this.#noteCutOff(sightings);
    if (this.#awake < this.#calmUntil) return [];
    const silent = sightings.filter(({ id }) => this.#silenceOf(id) >= minSilenceMs);
    const unknown = silent.filter(({ id }) => this.#watched.get(id)?.allowedMs === null).map(({ id }) => id);
    const habits = unknown.length === 0 ? new Map<string, Habits>() : await habitsOf(unknown);
    return silent.flatMap((sighting) => this.#judge(sighting, habits.get(sighting.id)) ?? []);
  }

  #advance(moment: Moment): void {
    const elapsed = this.#time.advance(moment);
    const step = Math.min(elapsed, maxStepMs);
    this.#awake += step;
    if (!this.#isCutOff) this.#listening += step;
    if (elapsed > maxStepMs) this.#calmUntil = Math.max(this.#calmUntil, this.#awake + calmMs);
  }

  /** Notes which benches have reported since the last look. */
  #hear(sightings: readonly Sighting[]): void {
    const ids = new Set(sightings.map(({ id }) => id));
    // One that said goodbye was heard.
    let isAnyHeard = this.#isFirst;
    for (const id of this.#watched.keys()) if (!ids.has(id) && this.#watched.delete(id)) isAnyHeard = true;
    for (const sighting of sightings) {
      const before = this.#watched.get(sighting.id);
      if (before?.sequence === sighting.sequence) {
        if (before.expected !== sighting.expected) before.allowedMs = null;
        before.expected = sighting.expected;
        continue;
      }
      this.#watched.set(sighting.id, this.#heard(sighting));
      isAnyHeard = true;
    }
    if (isAnyHeard) this.#anyHeard = this.#awake;
  }

  #heard({ sequence, expected, missed_since: missedSince }: Sighting): Watched {
    const isOld = this.#isFirst && missedSince !== null;
    const before = isOld ? Math.max(0, this.#listenedUntil - missedSince) : 0;
    return {
      sequence,
      expected,
      heardAt: isOld ? missedSince : this.#time.now,
      heardAwake: this.#awake - before,
      heardListening: this.#listening - before,
      allowedMs: null,
    };
  }

  #noteCutOff(sightings: readonly Sighting[]): void {
    const awaited = sightings.filter(({ state }) => state !== 'away').length;
    const was = this.#isCutOff;
    this.#isInDoubt = awaited >= many && this.#awake - this.#anyHeard > manyHeardMs;
    this.#isCutOff = this.#awake - this.#anyHeard > nobodyHeardMs && (was || awaited >= 2);
    if (was && !this.#isCutOff) this.#calmUntil = Math.max(this.#calmUntil, this.#awake + calmMs);
  }

  #silenceOf(id: string): number {
    const one = this.#watched.get(id);
    if (!one) return 0;
    return this.#isCutOff ? this.#awake - one.heardAwake : this.#listening - one.heardListening;
  }

  #judge({ id, state }: Sighting, habits: Habits | undefined): Judgement | null {
    const one = this.#watched.get(id);
    if (!one) return null;
    if (habits) one.allowedMs = allowedSilenceMs(habits, one.heardAt);
    const { allowedMs, heardAt: since } = one;
    if (allowedMs === null) return null;
    if (state !== 'away' && allowedMs > minSilenceMs) return { id, event: 'miss', since };
    if (this.#isCutOff) return state === 'reporting' ? { id, event: 'mute', since } : null;
    if (this.#isInDoubt || this.#silenceOf(id) < allowedMs) return null;
    // It is awaited no longer; one that is taken for heard instead begins anew.
    this.#watched.delete(id);
    return { id, event: 'overdue', since };
  }
}
