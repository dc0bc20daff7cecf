import type { ChangeCounter } from '../database/change-counter.ts';
import { HttpProblem } from '../http/problem.ts';
import { putWithin } from '../put-within.ts';
import type { Principal } from '../tokens/principal.ts';
import type { GrantsStore } from './grants-store.ts';
import { isMeasurementId } from './measurement-id.ts';
import type { MeasurementRow, MeasurementsStore } from './measurements-store.ts';

export interface MeasurementAccess {
  /**
   * A measurement that can be served, for someone who may read it.
   *
   * @throws HttpProblem 404 when there is none, 403 when it is not theirs to read: in this order, as the specification keeps them apart.
   */
  readable(principal: Principal, id: string): Promise<MeasurementRow>;
  /** The same when the answer is known and is yes; null for whatever has to be looked up. */
  peek(principal: Principal, id: string): MeasurementRow | null;
  /** Whether it is still there and still theirs to read. */
  mayStillRead(principal: Principal, id: string): Promise<boolean>;
}

// A lab has fewer pairs of users and measurements in use at once.
const capacity = 2000;

/**
 * Who may read a measurement: its owner, administrators, and whom a grant reaches. Answers are kept until anything that could change them changes, here
 * or in another process (see ChangeCounter), or until the grant ends.
 */
export function measurementAccess(needs: {
  readonly measurements: MeasurementsStore;
  readonly grants: GrantsStore;
  readonly changes: ChangeCounter;
}): MeasurementAccess {
  const rows = new Map<string, MeasurementRow>();
  const until = new Map<string, number>();
  let keptAt = needs.changes.current();

  function forgetWhatChanged(): void {
    const now = needs.changes.current();
    if (now === keptAt) return;
    keptAt = now;
    rows.clear();
    until.clear();
  }

  async function find(id: string): Promise<MeasurementRow | null> {
    const kept = rows.get(id);
    if (kept) return kept;
    if (!isMeasurementId(id)) return null;
    const row = await needs.measurements.byId(id);
    if (!row || row.state === 'registering') return null;
    putWithin(rows, capacity, id, row);
    return row;
  }

  function isKnownReader(principal: Principal, measurement: MeasurementRow): boolean {
    return principal.isAdmin || principal.userId === measurement.owner_id || (until.get(pairOf(principal, measurement)) ?? 0) > Date.now();
  }

  async function mayRead(principal: Principal, measurement: MeasurementRow): Promise<boolean> {
    if (isKnownReader(principal, measurement)) return true;
    const end = await needs.grants.readableUntil(measurement.id, principal.userId, Date.now());
    if (end === null) return false;
    putWithin(until, capacity, pairOf(principal, measurement), end);
    return true;
  }

  return {
    readable: async (principal, id) => {
      forgetWhatChanged();
      const measurement = await find(id);
      if (!measurement) throw new HttpProblem(404, 'There is no measurement with this id.');
      if (!(await mayRead(principal, measurement))) {
        throw new HttpProblem(403, 'You may not read this measurement. Ask its owner for access.', { type: 'no-access' });
      }
      return measurement;
    },
    peek: (principal, id) => {
      forgetWhatChanged();
      const measurement = rows.get(id);
      return measurement && isKnownReader(principal, measurement) ? measurement : null;
    },
    mayStillRead: async (principal, id) => {
      forgetWhatChanged();
      const measurement = await find(id);
      return measurement !== null && (await mayRead(principal, measurement));
    },
  };
}

function pairOf(principal: Principal, measurement: MeasurementRow): string {
  return `${principal.userId} ${measurement.id}`;
}
