import type { FastifyRequest } from 'fastify';
import type { ChangeCounter } from '../../database/change-counter.ts';
import { QueryCache } from '../../database/query-cache.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { Principal } from '../../http/principal.ts';
import type { GrantsStore } from '../store/grants-store.ts';
import { isMeasurementId } from '../../../../src-shared/measurement-names.ts';
import type { MeasurementRow, MeasurementsStore } from '../store/measurements-store.ts';

export interface MeasurementAccess {
  /**
   * Returns a measurement that can be served to a user who may read it.
   *
   * @throws HttpProblem 404 when there is none, 403 when the user may not read it: in this order,
   * because the specification distinguishes them.
   */
  readable(principal: Principal, id: string): Promise<MeasurementRow>;
  /** Like `readable` if the answer is cached and positive; null otherwise. */
  peek(principal: Principal, id: string): MeasurementRow | null;
  /** Whether the measurement still exists and may still be read. */
  mayStillRead(principal: Principal, id: string): Promise<boolean>;
}

/** Finds a measurement that the user may manage; throws HttpProblem 403 or 404 otherwise. */
export type FindManaged = (request: FastifyRequest, id: string) => Promise<MeasurementRow>;

// More pairs of users and measurements than a lab uses at once.
const capacity = 2000;

/**
 * Decides who may read a measurement: its owner, administrators, and users with a grant. Answers
 * are cached until relevant data changes, in this process or another (see ChangeCounter), or until
 * the grant ends.
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
