import type { Database } from '../../database/port/database.ts';
import { inTexts, joinInOrder } from '../../database/port/dialect.ts';
import { read, readValue } from '../../database/port/query.ts';
import { walkList, type FoundPage } from '../../database/walk-list.ts';
import { accessOrder, type ListPosition } from '../../measurements/store/access-order.ts';
import { accessReaders } from '../../measurements/store/access-readers.ts';
import { marginMs, maxSpanByMinuteMs, maxSpanMs, unitMs, type TimeUnit } from './run-window.ts';

export interface TouchedRun {
  readonly id: string;
  readonly title: string;
  readonly began_at: number;
  readonly ended_at: number;
  readonly events: number;
}

export interface TouchedRunsListing {
  /** Null for administrators, who may read all. */
  readonly visibleTo: number | null;
  readonly errorId: number;
  /** Of the events of the error, milliseconds since 1970. */
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** Measurements that were registered before are not looked at. */
  readonly registeredSince: number;
  readonly after: ListPosition | null;
  readonly limit: number;
  readonly now: number;
}

export interface TouchedRunsStore {
  /** The readable measurements in whose windows the error has events, the last registered first. */
  page(
    listing: TouchedRunsListing,
  ): Promise<{ readonly runs: readonly TouchedRun[]; readonly next: ListPosition | null }>;
}

/** A page ends after so many measurements, and its cursor goes on there. */
const maxWalked = 20_000;

// As windowOf computes it; divisions of whole numbers round down.
const unitOf = (unit: TimeUnit) =>
  `${unit} >= (began_at - ${marginMs}) / ${unitMs[unit]} AND ${unit} <= (ended_at + ${marginMs}) / ${unitMs[unit]}`;
const eventsOf = (unit: TimeUnit, select: string) =>
  `(SELECT ${select} FROM error_groups ${joinInOrder} error_${unit}s ON group_id = error_groups.id WHERE error_id = @error AND ${unitOf(unit)})`;
const bySpan = (ofUnit: (unit: TimeUnit) => string) =>
  `CASE WHEN ended_at - began_at <= ${maxSpanByMinuteMs} THEN ${ofUnit('minute')} ELSE ${ofUnit('hour')} END`;
const hasEvents = bySpan((unit) => `EXISTS ${eventsOf(unit, '1')}`);
const sumOfEvents = bySpan((unit) => eventsOf(unit, `ifnull(sum(error_${unit}s.events), 0)`));

// Windows are whole hours at most.
const touching = `began_at IS NOT NULL AND ended_at - began_at <= ${maxSpanMs}
     AND began_at - ${marginMs + unitMs.hour} <= @last AND ended_at + ${marginMs + unitMs.hour} >= @first`;
const fitting = readValue<{ ids: string; error: number; first: number; last: number }, string>(
  `SELECT id FROM measurements WHERE ${inTexts('id', '@ids')} AND ${touching} AND ${hasEvents}`,
);
const shown = read<{ ids: string; error: number }, TouchedRun>(
  `SELECT id, title, began_at, ended_at, ${sumOfEvents} AS events FROM measurements WHERE ${inTexts('id', '@ids')}`,
);

/** Walks the measurements that a user may read, in the order of their registration. */
export function touchedRunsStore(database: Database): TouchedRunsStore {
  const list = accessOrder(database);

  async function walk(listing: TouchedRunsListing): Promise<FoundPage<string>> {
    const { visibleTo, errorId: error, firstSeen: first, lastSeen: last, registeredSince, now, limit } = listing;
    const readers = await accessReaders(database, visibleTo);
    const order = { readers, sort: 'created_at', descending: true, now } as const;
    return walkList({
      steps: database.steps,
      places: async (after, size) =>
        (await list.page({ ...order, after }, size, 0)).filter(({ key }) => Number(key) >= registeredSince),
      fitting: async (ids) => database.all(fitting, { ids: JSON.stringify(ids), error, first, last }),
      after: listing.after,
      limit,
      offset: 0,
      counts: false,
      maxRows: maxWalked,
    });
  }

  return {
    page: async (listing) => {
      const { places, next } = await walk(listing);
      const ids = places.map(({ id }) => id);
      const found = await database.all(shown, { ids: JSON.stringify(ids), error: listing.errorId });
      const rows = new Map(found.map((row) => [row.id, row]));
      return { runs: ids.flatMap((id) => rows.get(id) ?? []), next };
    },
  };
}
