import { retain } from '../../../src-main/service/errors/retention/retention.ts';
import type { RetentionStore } from '../../../src-main/service/errors/store/retention-store.ts';
import { spreadRow, type Goal } from '../goals/goal.ts';
import { spreadOf } from '../statistics.ts';
import { integratedSettings } from '../../service/errors/integrated-settings.ts';
import { withServices } from './errors-database.ts';
import type { ErrorsBench } from './errors-bench.ts';

/** Removal of expired data. */
export const purge: Goal<ErrorsBench> = {
  name: 'purge',
  method:
    'Our retention over the whole database, in the process of the bench while the service is stopped: the project with many events is told to keep only the first of each error. Each call of its store is timed, the commit to disk included (synchronous=FULL); what is shown is the longest of all.',
  run: async (bench) => {
    const { many, fixture } = bench;
    await bench.stopService();
    const { taken: times, removed } = await withServices(bench.dataDir, 'FULL', async (services) => {
      await services.errorSettings.put({ ...integratedSettings, project_id: fixture.manyId, most_events: 1 });
      const { retention, ...seen } = timed(services.retention);
      await retain({ ...services, retention, freeBytes: async () => Infinity, stopped: () => false }, Date.now());
      return { taken: seen.taken, removed: seen.removed() };
    });
    if (removed !== many.events - many.errors)
      throw new Error(`the purge left the first event of each error and others: it removed ${removed}`);
    const work = `purge of ${removed.toLocaleString('en')} events`;
    const { median, min, max } = spreadOf(times);
    return {
      rows: [
        spreadRow(`${work}: the longest transaction`, '-', { median: max, min: max, max }, { atMost: 100, unit: 'ms' }),
      ],
      details: [
        {
          work,
          variant: `each of ${times.length.toLocaleString('en')} steps`,
          figure: `${median.toFixed(2)} ms`,
          spread: `${min.toFixed(2)} to ${max.toFixed(2)}`,
          cpu: '-',
          others: '-',
        },
      ],
    };
  },
};

function timed(store: RetentionStore): {
  readonly retention: RetentionStore;
  readonly taken: number[];
  readonly removed: () => number;
} {
  const taken: number[] = [];
  let removed = 0;
  const retention = new Proxy(store, {
    get:
      (target, name: keyof RetentionStore) =>
      async (...values: unknown[]) => {
        const begin = performance.now();
        const result: unknown = await Reflect.apply(target[name], target, values);
        taken.push(performance.now() - begin);
        if (name === 'removeOldest') removed += Number(result);
        return result;
      },
  });
  return { retention, taken, removed: () => removed };
}
