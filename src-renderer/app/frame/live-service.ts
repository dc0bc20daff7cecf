import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listenToService } from '../../api/events/events.ts';
import type { EventHandlers } from '../../api/events/follow-events.ts';
import type { ChangedEvent, Job } from '../../api/requests/types.ts';
import { failuresToShow } from '../../context/dismissed-jobs.ts';
import { tellEndOfJob } from '../../features/jobs/tell-end-of-job.ts';
import { tellEndOfFetch } from '../../features/transfers/adding/tell-end-of-fetch.ts';
import { useApp, useSession, type AppServices } from '../../context/context.ts';
import { nothingIncoming } from '../../context/stores.ts';

/** Milliseconds. Rates arrive once a second while something is sent; longer silence means zero. */
const silence = 2500;
const gatherFor = 200;

/**
 * Invalidates the queries that a change made stale. Several changes within a moment (a registration
 * of thousands of files) cause one refetch.
 */
function createInvalidator(client: QueryClient): (event: ChangedEvent) => void {
  const waiting = new Map<string, ChangedEvent>();
  const held = new Set<string>();
  /**
   * Errors, fetches and watched folders may change for hours without a pause: a running refetch is not restarted,
   * but repeated once when it is done.
   */
  const refreshGently = (queryKey: readonly string[]): void => {
    const name = queryKey.join(' ');
    if (held.has(name)) return;
    if (client.isFetching({ queryKey }) === 0) return void client.invalidateQueries({ queryKey });
    held.add(name);
    setTimeout(() => {
      held.delete(name);
      refreshGently(queryKey);
    }, 500);
  };
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = (): void => {
    timer = null;
    // Events of several fetches share one refetch of the list.
    const gently = new Map<string, readonly string[]>();
    for (const { topic, id } of waiting.values()) {
      if (topic === 'measurements' && id !== undefined) {
        void client.invalidateQueries({
          queryKey: ['measurements'],
          predicate: ({ queryKey }) => queryKey[1] === 'list' || queryKey[2] === id,
        });
      } else if (topic === 'errors') {
        gently.set(`errors ${id ?? ''}`, id === undefined ? ['errors'] : ['errors', id]);
      } else if (topic === 'captures' || topic === 'happenings' || topic === 'benches') {
        gently.set(topic, [topic]);
      } else if (topic === 'fetches') {
        gently.set('fetches', ['fetches', 'list']);
        if (id === undefined)
          void client.invalidateQueries({ queryKey: ['fetches'], predicate: ({ queryKey }) => queryKey[1] !== 'list' });
        else void client.invalidateQueries({ queryKey: ['fetches'], predicate: ({ queryKey }) => queryKey[2] === id });
      } else {
        void client.invalidateQueries({ queryKey: id === undefined ? [topic] : [topic, id] });
        // These lists are refetched whole.
        if (topic === 'tokens' || topic === 'applications' || topic === 'projects')
          void client.invalidateQueries({ queryKey: [topic] });
        if (topic === 'users' || topic === 'account') void client.invalidateQueries({ queryKey: [topic] });
      }
    }
    waiting.clear();
    for (const queryKey of gently.values()) refreshGently(queryKey);
  };
  return (event) => {
    waiting.set(`${event.topic} ${event.id ?? ''}`, event);
    timer ??= setTimeout(flush, gatherFor);
  };
}

/** Keeps the loaded data up to date with the service. */
export function useLiveService(): void {
  const app = useApp();
  const client = useQueryClient();
  const session = useSession();
  const inWindow = session.door === 'window';
  const userId = session.user?.id ?? 0;
  const active = useQuery(app.queries.activeJobs());

  useEffect(() => {
    if (active.data !== undefined) app.live.getState().replaceActiveJobs(active.data);
  }, [active.data, app.live]);

  const ended = useQuery(app.queries.endedJobs());
  useEffect(() => {
    if (ended.data !== undefined)
      app.live.getState().addFailedJobs(failuresToShow(ended.data, app.dismissedJobs, Date.now()));
  }, [ended.data, app]);

  useEffect(() => {
    const invalidate = createInvalidator(client);
    let quiet: ReturnType<typeof setTimeout> | undefined;
    let still: ReturnType<typeof setTimeout> | undefined;
    const onJob = (job: Job): void => {
      // A registered measurement is in the list before its job ends, and replaces the job there.
      if (job.kind === 'register' && job.state === 'done')
        void client.invalidateQueries({ queryKey: ['measurements', 'list'] }).finally(() => takeJob(job));
      else takeJob(job);
    };
    const takeJob = (job: Job): void => {
      const before = app.live.getState().jobs.get(job.id);
      app.live.getState().putJob(job);
      if (job.state === 'done') {
        // A success makes an earlier failure of the same work obsolete.
        for (const old of app.live.getState().jobs.values())
          if (old.state === 'failed' && old.kind === job.kind && old.measurement_id === job.measurement_id)
            app.live.getState().forgetJob(old.id);
      }
      if (
        job.ended_at !== null && before?.ended_at === undefined
          ? isRecent(job.ended_at)
          : before?.ended_at === null && job.ended_at !== null
      )
        tellEndOfJob(app, job);
    };
    const handlers: EventHandlers = {
      changed: invalidate,
      job: onJob,
      rates: (rates) => {
        app.live.getState().setRates(rates);
        clearTimeout(quiet);
        quiet = setTimeout(() => app.live.getState().setRates({ up_bytes_per_second: 0, up_clients: 0 }), silence);
      },
      fetch: (fetch) => {
        if (app.fetches.live.put(fetch)) invalidate({ topic: 'fetches', id: String(fetch.id) });
        tellEndOfFetch(app, fetch);
      },
      incoming: (incoming) => {
        app.live.getState().setIncoming(incoming);
        clearTimeout(still);
        still = setTimeout(() => app.live.getState().setIncoming(nothingIncoming), silence);
      },
      adding: (adding) => app.live.setState({ adding }),
      heartbeat: () => app.responseWatch.heardEvent(),
      connection: (state) => {
        app.live.getState().setConnection(state);
        // The service may be away, or the session may have ended: fetching the session shows which,
        // and leads to the sign-in page.
        if (state === 'lost') void client.invalidateQueries({ queryKey: ['session'] });
      },
      resynchronise: () => {
        app.fetches.live.forget();
        void client.invalidateQueries();
        void readJobsAgain(app, client).catch(() => {});
      },
    };
    const stop = listenToService(handlers, { inWindow, userId });
    return () => {
      clearTimeout(quiet);
      clearTimeout(still);
      stop();
    };
  }, [app, client, inWindow, userId]);
}

/** Failures are ignored: the data is fetched when the service is back. */
async function readJobsAgain(app: AppServices, client: QueryClient): Promise<void> {
  const [active, ended] = await Promise.all([
    client.fetchQuery({ ...app.queries.activeJobs(), staleTime: 0 }),
    client.fetchQuery({ ...app.queries.endedJobs(), staleTime: 0 }),
  ]);
  app.live.getState().beginAnew(active, failuresToShow(ended, app.dismissedJobs, Date.now()));
}

function isRecent(endedAt: string | null): boolean {
  return endedAt !== null && Date.now() - new Date(endedAt).getTime() < 10_000;
}
