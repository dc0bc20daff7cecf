import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ErrorRuns, RunErrors } from '../../../src-main/service/contract/timeline/run-errors.ts';
import type { Person } from '../errors/project-fixture.ts';
import { startViewWorld, type ViewWorld } from '../errors/view-world.ts';

/** A time in the middle of a minute and of an hour, two days ago. */
export const began = Math.floor(Date.now() / 3600_000 - 48) * 3600_000 + 30 * 60_000 + 30_000;
export const minuteMs = 60_000;

export interface RunWish {
  readonly times?: readonly [number, number] | null;
  readonly owner?: Person;
  /** Projects whose members may read it. */
  readonly granted?: readonly number[];
  readonly title?: string;
}

export interface TimelineWorld extends ViewWorld {
  /** Adds a measurement with times of its files. */
  run(id: string, wish?: RunWish): Promise<void>;
  errorsOf(id: string, person?: Person, query?: string): Promise<RunErrors>;
  runsOf(errorId: string, person?: Person, query?: string): Promise<ErrorRuns>;
}

/** A service with `lab/qmr`, into which events and measurements can be put. */
export async function startTimelineWorld(): Promise<TimelineWorld> {
  const world = await startViewWorld();
  const { registrations, grants } = world.services;
  const get = async (person: Person, path: string): Promise<unknown> => {
    const { status, body } = await world.as[person]('GET', path);
    expect({ path, status }).toEqual({ path, status: 200 });
    return body;
  };
  return {
    ...world,
    run: async (id, { times = [began, began + minuteMs], owner = 'reporter', granted = [], title = id } = {}) => {
      // Two of one millisecond would be in the order of their ids.
      await setTimeout(2);
      await registrations.reserve({ id, title, ownerId: world.userIds[owner], storage: 'library', root: '/' });
      const archive = { bytes: 22, directoryOffset: 0, tag: '', version: 1 };
      await registrations.total(id, { files: 0, bytes: 0 }, archive);
      await registrations.setTimes(id, times && { beganAt: times[0], endedAt: times[1] });
      await registrations.makeAvailable(id, Date.now());
      for (const projectId of granted) await grants.grant(id, { projectId }, null, null);
    },
    errorsOf: async (id, person = 'reporter', query = '') =>
      (await get(person, `/api/v4/measurements/${id}/errors${query}`)) as RunErrors,
    runsOf: async (errorId, person = 'reporter', query = '') =>
      (await get(person, `${world.errors}/${errorId}/measurements${query}`)) as ErrorRuns,
  };
}

/** Titles and counts of a page. */
export function counted({ errors }: RunErrors): string[] {
  return errors.map(({ title, events }) => `${title} ${events}`);
}
