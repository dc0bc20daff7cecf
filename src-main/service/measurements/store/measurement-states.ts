import { offers, statesBefore, type Transitions } from '../../../../src-shared/states/transitions.ts';
import { stateList } from '../../database/transition-sql.ts';

/**
 * A measurement that is `removing` has the state `registering` in its row, and a time of
 * registration: nobody but its owner sees either.
 */
export type MeasurementStage = 'registering' | 'available' | 'degraded' | 'removing';

/**
 * `freeze` completes the registration, `degrade` and `recover` are checks that find problems or
 * none, `remove` begins a removal or gives a registration up.
 */
export type MeasurementEvent = 'freeze' | 'degrade' | 'recover' | 'remove';

/** The next state of a measurement for each event; a finished removal deletes the row. */
export const measurementTransitions: Transitions<MeasurementStage, MeasurementEvent> = {
  registering: {
    freeze: 'available',
    // The check of an earlier measurement of this id, which was removed meanwhile.
    degrade: 'ignored',
    recover: 'ignored',
    remove: 'removing',
  },
  available: { freeze: 'impossible', degrade: 'degraded', recover: 'ignored', remove: 'removing' },
  degraded: { freeze: 'impossible', degrade: 'ignored', recover: 'available', remove: 'removing' },
  // A removal that a kill interrupted continues at the next start, and is never undone.
  removing: { freeze: 'ignored', degrade: 'ignored', recover: 'ignored', remove: 'ignored' },
};

/** The stage of a row of `measurements`, as an expression of SQL. */
export const stageSql = `CASE WHEN measurements.state = 'registering' AND measurements.registered_at IS NOT NULL THEN 'removing' ELSE measurements.state END`;

/** The condition that an event changes a row. */
export function changedBy(event: MeasurementEvent): string {
  return `${stageSql} IN ${stateList(statesBefore(measurementTransitions, event))}`;
}

/** The stage of a row. */
export function stageOf(row: {
  readonly state: Exclude<MeasurementStage, 'removing'>;
  readonly registered_at: number | null;
}): MeasurementStage {
  return row.state === 'registering' && row.registered_at !== null ? 'removing' : row.state;
}

/** Whether others may read it: only then do checks of its files count. */
export function isServed(stage: MeasurementStage): boolean {
  return offers(measurementTransitions, stage, 'degrade') || offers(measurementTransitions, stage, 'recover');
}
