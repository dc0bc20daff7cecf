import type { Job } from '../contract/jobs.ts';
import type { ServiceContext } from '../http/service-context.ts';
import type { JobRow } from './jobs-store.ts';
import type { JobStores } from './stores.ts';

const announceEveryMs = 250;
const maxRemembered = 200;

/** Tells screens how jobs are, each at most four times a second. */
export function jobAnnouncements(
  { jobs, events, log }: JobStores & Pick<ServiceContext, 'events' | 'log'>,
  shape: (row: JobRow) => Job,
): { readonly announce: (row: JobRow) => void; readonly stop: () => void } {
  const announced = new Map<number, { at: number; timer: NodeJS.Timeout | null }>();
  let stopping = false;

  async function announceNow(id: number): Promise<void> {
    const row = await jobs.byId(id);
    if (row && !stopping) events.emit('job', shape(row));
  }

  return {
    announce: (row) => {
      if (stopping) return;
      const last = announced.get(row.id) ?? { at: 0, timer: null };
      announced.set(row.id, last);
      if (last.timer) return;
      const inMs = Math.max(0, last.at + announceEveryMs - performance.now());
      last.timer = setTimeout(() => {
        last.timer = null;
        last.at = performance.now();
        // Bounded: an old job has no further progress to announce.
        if (announced.size > maxRemembered) announced.delete(announced.keys().next().value ?? 0);
        void announceNow(row.id).catch((error: unknown) => log.warn({ err: error }, 'a job was not announced'));
      }, inMs);
      last.timer.unref();
    },
    stop: () => {
      stopping = true;
      for (const { timer } of announced.values()) clearTimeout(timer ?? undefined);
    },
  };
}
