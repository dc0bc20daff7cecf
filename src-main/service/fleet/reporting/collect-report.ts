import os from 'node:os';
import type { DataPaths } from '../../common/data-paths.ts';
import { isoTime } from '../../common/iso-time.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { BenchReport } from '../../contract/fleet/fleet.ts';
import type { FleetStores } from '../store/stores.ts';
import type { DiskSizes, MeasuredFolder } from './disk-sizes.ts';

export interface CollectDeps extends Pick<FleetStores, 'reported'> {
  readonly config: Pick<ServiceConfig, 'dataDir' | 'version'>;
  readonly paths: Pick<DataPaths, 'library'>;
  readonly diskSizes: DiskSizes;
}

/** The fields of a report that are the same for every server. */
export type SharedContent = Omit<
  BenchReport,
  'to' | 'sequence' | 'sent_at' | 'round_trip_ms' | 'next_report_ms' | 'going' | 'copies'
>;

const hourMs = 3_600_000;
const failedJobsMs = 7 * 24 * hourMs;
const maxTitle = 300;
const maxShort = 60;
const maxName = 100;

/** The part of a report that is the same for every server. */
export async function collectReport(deps: CollectDeps, now: number): Promise<SharedContent> {
  const { reported, config } = deps;
  const [runs, folders, jobsFailed, lastRun, errors] = [
    await reported.runs(),
    await reported.folders(),
    await reported.failedJobs(now - failedJobsMs),
    await reported.lastRun(),
    await reported.errors(now - hourMs),
  ];
  const count = (state: string): number => folders.filter((one) => one.state === state).length;
  const rules = { paused: count('paused'), unreachable: count('unreachable') };
  const measured: readonly MeasuredFolder[] = [
    { what: 'data', name: '', path: config.dataDir },
    { what: 'library', name: '', path: deps.paths.library },
    ...folders
      .filter(({ state }) => state === 'watching')
      .map(({ name, folder }) => ({ what: 'watched', name: name.slice(0, maxName), path: folder }) as const),
  ];
  return {
    name: os.hostname().slice(0, maxName) || 'bench',
    version: config.version.slice(0, maxShort),
    platform: `${process.platform} ${os.release()}`.slice(0, maxShort),
    uptime_seconds: Math.floor(process.uptime()),
    disks: [...(await deps.diskSizes.of(measured))],
    runs: { ...runs },
    rules: { ...rules, watching: folders.length - rules.paused - rules.unreachable },
    jobs_failed: jobsFailed,
    last_run: lastRun && {
      id: lastRun.id,
      title: lastRun.title.slice(0, maxTitle),
      registered_at: isoTime(lastRun.registered_at),
    },
    errors,
  };
}

/** The copies for one server that have not arrived. */
export async function collectCopies({ reported }: Pick<CollectDeps, 'reported'>, baseUrl: string) {
  const { oldest_since: oldest, ...numbers } = await reported.copies(baseUrl);
  return { ...numbers, oldest_since: isoTime(oldest) };
}

/** Whether something changed that should not wait for the next report. */
export function isImportant(
  before: SharedContent | null,
  { runs, rules, jobs_failed: jobs, last_run: run }: SharedContent,
): boolean {
  return (
    before !== null &&
    (before.runs.stuck !== runs.stuck ||
      before.rules.unreachable !== rules.unreachable ||
      before.jobs_failed !== jobs ||
      before.last_run?.id !== run?.id)
  );
}
