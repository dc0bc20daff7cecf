import { countOf } from '../../common/count-of.ts';
import type { Condition } from '../store/conditions-store.ts';
import type { HourCount } from '../store/error-rates-store.ts';
import type { NotificationStores } from '../store/stores.ts';

export type ErrorStormsDeps = Pick<NotificationStores, 'conditions' | 'errorRates'>;

const hourMs = 3_600_000;
/** Fewer events within an hour are no storm, however unusual. */
const minOfProject = 500;
const minOfError = 300;
/** How many times the mean hour of the week before. */
const stormFactor = 10;
const baselineHours = 168;

/**
 * Tells of projects and errors of which far more events come than usual: a storm is an hour with at
 * least 500 events of a project, or 300 of an error, and with ten times the mean hour of the week
 * before it. It is over when a whole hour had less than half of that. An error is told of only where
 * its project as a whole has no storm.
 */
export async function tellOfErrorStorms({ errorRates, conditions }: ErrorStormsDeps, now: number): Promise<void> {
  const hour = Math.floor(now / hourMs);
  const known = await conditions.known('error-storm');
  const found: Condition[] = [];
  for (const project of await errorRates.busyProjects(hour, minOfError / 2)) {
    const storm = stormOf(await errorRates.ofProject(project.id, hour - 1 - baselineHours), hour);
    const subject = `project:${project.id}`;
    if (isStorm(storm, minOfProject, known.has(subject))) {
      found.push(conditionOf(subject, project.id, project.name, storm));
      continue;
    }
    for (const { id, type, value } of await errorRates.busyErrors(project.id, (hour - 1) * hourMs, minOfError / 2)) {
      const ofError = stormOf(await errorRates.ofError(id, hour - 1 - baselineHours), hour);
      const name = [type, value].filter((part) => part !== '').join(': ');
      if (isStorm(ofError, minOfError, known.has(`error:${id}`)))
        found.push(conditionOf(`error:${id}`, project.id, name, ofError));
    }
  }
  await conditions.observe('error-storm', found, 0);
}

interface Rates {
  /** Events of this hour or the one before, whichever has more. */
  readonly recent: number;
  /** Mean of the hours before these. */
  readonly usual: number;
}

function stormOf(counts: readonly HourCount[], hour: number): Rates {
  const recent = Math.max(0, ...counts.filter((one) => one.hour >= hour - 1).map(({ count }) => count));
  const before = counts.filter((one) => one.hour < hour - 1).reduce((sum, { count }) => sum + count, 0);
  return { recent, usual: before / baselineHours };
}

function isStorm({ recent, usual }: Rates, min: number, wasStorm: boolean): boolean {
  const threshold = Math.max(min, usual * stormFactor);
  return recent >= (wasStorm ? threshold / 2 : threshold);
}

function conditionOf(subject: string, projectId: number, name: string, { recent, usual }: Rates): Condition {
  const rate = `${countOf(recent, 'event')} within an hour, usually ${Math.round(usual)}`;
  return {
    subject,
    mark: 'storm',
    afterMs: 0,
    happening: {
      subject,
      measurement_id: null,
      project_id: projectId,
      user_id: null,
      title: `${name.slice(0, 200)} (${rate})`,
    },
  };
}
