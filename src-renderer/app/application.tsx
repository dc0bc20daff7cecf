import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { createResponseWatch } from '../api/requests/response-watch.ts';
import { createActions } from '../api/actions/actions.ts';
import { findDesktop } from '../context/desktop.ts';
import { ApiError } from '../api/requests/problem.ts';
import { createQueries } from '../api/queries/queries.ts';
import { createApi, isAway, isWorthRetrying } from '../api/requests/request.ts';
import type { Session } from '../api/requests/types.ts';
import { createIdentityRequests } from '../context/identity-requests.ts';
import { createFirstRunStore } from '../context/first-run-store.ts';
import { createDismissedJobs } from '../context/dismissed-jobs.ts';
import { createDragOut } from '../context/drag-out.ts';
import { createLiveFetches } from '../context/live-fetches.ts';
import { createUploadApi } from '../api/uploads/upload-api.ts';
import { createUploads } from '../api/uploads/uploads-store.ts';
import { createRemovals } from '../context/removals.ts';
import { useHeldTab } from '../ui/hooks/use-held-tab.ts';
import { NowContext, useClock } from '../ui/hooks/use-now.ts';
import { AppContext, type AppServices } from '../context/context.ts';
import { createRecentStore } from '../context/recent.ts';
import { createAppRouter } from './router.tsx';
import { createCommandStore, createLiveStore, createPreferenceStore, createToastStore } from '../context/stores.ts';

function storageOrNull(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

function createClient(live: ReturnType<typeof createLiveStore>): QueryClient {
  const queryClient: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        // The session ended elsewhere: refetching it leads to the sign-in page.
        if (error instanceof ApiError && error.status === 401 && query.queryKey[0] !== 'session')
          void queryClient.invalidateQueries({ queryKey: ['session'] });
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5000,
        // All queries are refetched when the connection is back; until then each screen shows what
        // it waits for (`ui/not-loaded.tsx`).
        retry: (count, error) =>
          count < 3 && isWorthRetrying(error) && !(live.getState().connection === 'lost' && isAway(error)),
        refetchOnWindowFocus: false,
      },
    },
  });
  return queryClient;
}

function compose() {
  const live = createLiveStore();
  const queryClient = createClient(live);
  const identity = createIdentityRequests();
  const responseWatch = createResponseWatch({
    probe: (signal) => fetch('/-/health', { signal, cache: 'no-store' }),
    onSilence: (silence) => {
      live.getState().setSilence(silence);
      // Aborted queries are refetched automatically.
      if (silence === null) void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
    },
  });
  const csrfToken = (): string | null => queryClient.getQueryData<Session>(['session'])?.csrf_token ?? null;
  const api = createApi({ csrfToken, confirmIdentity: identity.ask, responseWatch });
  const storage = storageOrNull();
  const shared = {
    actions: createActions(api),
    desktop: findDesktop(),
    toasts: createToastStore(),
    live,
    responseWatch,
  };
  const services: AppServices = {
    ...shared,
    identity,
    queries: createQueries(api),
    onMac: /mac/i.test(navigator.userAgent),
    dragOut: createDragOut(shared, shared.actions.stage),
    uploads: createUploads({
      // Without the watch for silence: a part takes minutes on a slow line.
      api: createUploadApi(createApi({ csrfToken })),
      // A registration tells its end by itself.
      onDone: ({ names }, wasThere) => {
        void queryClient.invalidateQueries({ queryKey: ['measurements'] });
        if (wasThere) shared.toasts.getState().show({ kind: 'plain', text: `${names.id} was there already` });
      },
    }),
    fetches: {
      live: createLiveFetches(),
      removals: createRemovals(shared, async () => queryClient.invalidateQueries({ queryKey: ['fetches', 'list'] })),
      dragOut: createDragOut(shared, async (id, index) => shared.actions.stageFetch(Number(id), index)),
    },
    commands: createCommandStore(),
    preferences: createPreferenceStore(storage),
    recent: createRecentStore(storage),
    dismissedJobs: createDismissedJobs(storage),
    firstRun: createFirstRunStore(storage),
  };
  return { queryClient, services, router: createAppRouter() };
}

/** The whole user interface. */
export function Application() {
  const [{ queryClient, services, router }] = useState(compose);
  const now = useClock();
  useHeldTab();
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <AppContext value={services}>
          <NowContext value={now}>
            <RouterProvider router={router} />
          </NowContext>
        </AppContext>
      </QueryClientProvider>
    </CSPProvider>
  );
}
