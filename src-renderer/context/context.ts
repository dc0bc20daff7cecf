import { createContext, useContext, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { ResponseWatch } from '../api/requests/response-watch.ts';
import type { Actions } from '../api/actions/actions.ts';
import type { Desktop } from './desktop.ts';
import type { Queries } from '../api/queries/queries.ts';
import type { Session } from '../api/requests/types.ts';
import type { IdentityRequests } from './identity-requests.ts';
import type { createFirstRunStore } from './first-run-store.ts';
import type { DismissedJobs } from './dismissed-jobs.ts';
import type { Uploads } from '../api/uploads/uploads-store.ts';
import type { DragOut } from './drag-out.ts';
import type { LiveFetches } from './live-fetches.ts';
import type { Removals } from './removals.ts';
import type { SizeUnits } from '../../src-shared/format/quantities.ts';
import type { CommandId } from './command-catalogue.ts';
import type { createRecentStore } from './recent.ts';
import type {
  createCommandStore,
  createLiveStore,
  createPreferenceStore,
  createToastStore,
  ScreenName,
} from './stores.ts';

/** Dependencies of every screen, composed once in main.tsx. */
export interface AppServices {
  readonly queries: Queries;
  readonly actions: Actions;
  readonly desktop: Desktop | null;
  readonly onMac: boolean;
  readonly toasts: ReturnType<typeof createToastStore>;
  readonly responseWatch: ResponseWatch;
  readonly live: ReturnType<typeof createLiveStore>;
  readonly commands: ReturnType<typeof createCommandStore>;
  readonly preferences: ReturnType<typeof createPreferenceStore>;
  readonly recent: ReturnType<typeof createRecentStore>;
  readonly dismissedJobs: DismissedJobs;
  readonly firstRun: ReturnType<typeof createFirstRunStore>;
  readonly dragOut: DragOut;
  readonly uploads: Uploads;
  /** State of transfers that the list does not contain. */
  readonly fetches: { readonly live: LiveFetches; readonly removals: Removals; readonly dragOut: DragOut };
  readonly identity: IdentityRequests;
}

export const AppContext = createContext<AppServices | null>(null);

/** The application around this screen. */
export function useApp(): AppServices {
  const app = useContext(AppContext);
  if (app === null) throw new Error('A screen stands outside of the application');
  return app;
}

export const SessionContext = createContext<Session | null>(null);

/** The session of the signed-in user. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('A screen stands outside of a session');
  return session;
}

/**
 * Registers the handler of a command while this component is mounted; null disables it. A layout
 * effect registers it before the component is painted, so that no key pressed then is lost.
 */
export function useCommand(id: CommandId, handler: (() => void) | null): void {
  const { commands } = useApp();
  const latest = useRef(handler);
  useLayoutEffect(() => {
    latest.current = handler;
  });
  const enabled = handler !== null;
  useLayoutEffect(
    () => (enabled ? commands.getState().register(id, () => latest.current?.()) : undefined),
    [commands, id, enabled],
  );
}

/** Sets the screen whose shortcuts are active. */
export function useScreen(screen: ScreenName): void {
  const { commands } = useApp();
  useLayoutEffect(() => {
    commands.getState().setScreen(screen);
    return () => commands.getState().setScreen('none');
  }, [commands, screen]);
}

/** The user's choice of size units. */
export function useUnits(): SizeUnits {
  return useStore(useApp().preferences, (state) => state.units);
}

/** The function that shows a toast; it returns the toast's number. */
export function useToast(): (toast: Parameters<ReturnType<AppServices['toasts']['getState']>['show']>[0]) => number {
  return useStore(useApp().toasts, (state) => state.show);
}
