import type { ChangeCounter } from '../../database/change-counter.ts';
import { QueryCache } from '../../database/query-cache.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { Principal } from '../../http/principal.ts';
import type { GrantsStore } from '../store/grants-store.ts';
import { isMeasurementId } from '../store/measurement-id.ts';
import type { MeasurementRow, MeasurementsStore } from '../store/measurements-store.ts';

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
export function measurementAccess(deps: {
  readonly measurements: MeasurementsStore;
  readonly grants: GrantsStore;
  readonly changes: ChangeCounter;
}): MeasurementAccess {
  const rows = new QueryCache<MeasurementRow>(deps.changes, capacity);
  const until = new QueryCache<number>(deps.changes, capacity);

  async function find(id: string): Promise<MeasurementRow | null> {
    return rows.find(id, async () => {
      const row = isMeasurementId(id) ? await deps.measurements.byId(id) : null;
      return row?.state === 'registering' ? null : row;
    });
  }

  function isKnownReader(principal: Principal, measurement: MeasurementRow): boolean {
    return (
      principal.isAdmin ||
      principal.userId === measurement.owner_id ||
      (until.get(pairOf(principal, measurement)) ?? 0) > Date.now()
    );
  }

  async function mayRead(principal: Principal, measurement: MeasurementRow): Promise<boolean> {
    if (isKnownReader(principal, measurement)) return true;
    const readable = async () => deps.grants.readableUntil(measurement.id, principal.userId, Date.now());
    return ((await until.find(pairOf(principal, measurement), readable)) ?? 0) > Date.now();
  }

  return {
    readable: async (principal, id) => {
      const measurement = await find(id);
      if (!measurement) throw new HttpProblem(404, 'There is no measurement with this id.');
      if (!(await mayRead(principal, measurement))) {
        throw new HttpProblem(403, 'You may not read this measurement. Ask its owner for access.', {
          type: 'no-access',
        });
      }
      return measurement;
    },
    peek: (principal, id) => {
      const measurement = rows.get(id);
      return measurement && isKnownReader(principal, measurement) ? measurement : null;
    },
    mayStillRead: async (principal, id) => {
      const measurement = await find(id);
      return measurement !== null && (await mayRead(principal, measurement));
    },
  };
}

function pairOf(principal: Principal, measurement: MeasurementRow): string {
  return `${principal.userId} ${measurement.id}`;
}
