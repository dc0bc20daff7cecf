import type { Intake } from '../../contract/error-views.ts';
import { isoTime } from '../../common/iso-time.ts';
import { defaultIngestLimits } from '../../config/ingest-limit-settings.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { ErrorStores } from '../store/stores.ts';

const hour = 3600_000;
const shownHours = 24;

/**
 * Returns the counts of the last 24 hours of a project: events stored, and events dropped by
 * reason.
 */
export async function ingestStatsOf(
  deps: Pick<ErrorStores, 'intake'> & { readonly config: ServiceConfig },
  projectId: number,
): Promise<Intake> {
  const first = Math.floor(Date.now() / hour) - shownHours + 1;
  const rows = await deps.intake.since(projectId, first);
  return {
    limit_per_second: deps.config.ingestLimits?.keyPerSecond ?? defaultIngestLimits.keyPerSecond,
    hours: Array.from({ length: shownHours }, (_, index) => {
      const ofHour = rows.filter((row) => row.hour === first + index);
      return {
        hour: isoTime((first + index) * hour),
        accepted: ofHour.find(({ outcome }) => outcome === 'accepted')?.count ?? 0,
        dropped: Object.fromEntries(
          ofHour.flatMap(({ outcome, count }) => (outcome === 'accepted' ? [] : [[outcome, count]])),
        ),
      };
    }),
  };
}
