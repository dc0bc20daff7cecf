import { createStore } from 'zustand/vanilla';
import type { Silence } from '../api/requests/response-watch.ts';
import type { Connection } from '../api/events/event-stream.ts';
import type { AddingEvent, IncomingEvent, Job, RatesEvent } from '../api/requests/types.ts';
import { withRate, type RatePoint } from './rate-history.ts';
import type { CommandId } from './command-catalogue.ts';
import { readPreferences, writePreferences, type Preferences } from './preferences.ts';

export interface Toast {
  readonly id: number;
  readonly kind: 'plain' | 'bad';
  readonly text: string;
  readonly detail?: string;
  readonly action?: { readonly label: string; readonly run: () => void };
  /** Shows the progress of this job and stays until it has ended. */
  readonly jobId?: number;
  /** Reports that this fetch has begun, and is replaced by the message of its end. */
  readonly fetchId?: number;
  /** Progress of work without a job, from 0 to 1; the message stays until it is dismissed. */
  readonly fraction?: number;
}

/** Toasts; each is also announced to screen readers. */
export function createToastStore() {
  let lastId = 0;
  return createStore<{
    toasts: readonly Toast[];
    show: (toast: Omit<Toast, 'id'>) => number;
    /** Replaces a message by another, if it is still shown. */
    replace: (id: number, toast: Omit<Toast, 'id'>) => void;
    /** Changes a message in place, if it is still shown. */
    update: (id: number, change: Pick<Toast, 'fraction'>) => void;
    dismiss: (id: number) => void;
  }>()((set) => ({
    toasts: [],
    show: (toast) => {
      lastId += 1;
      const id = lastId;
      set((state) => ({ toasts: [...state.toasts.slice(-3), { ...toast, id }] }));
      return id;
    },
    replace: (old, toast) => {
      lastId += 1;
      const id = lastId;
      set((state) => ({ toasts: state.toasts.map((one) => (one.id === old ? { ...toast, id } : one)) }));
    },
    update: (id, change) =>
      set((state) => ({ toasts: state.toasts.map((toast) => (toast.id === id ? { ...toast, ...change } : toast)) })),
    dismiss: (id) => set((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) })),
  }));
}

export const nothingIncoming: IncomingEvent = {
  down_bytes_per_second: 0,
  running: 0,
  seconds_left: null,
  unknown_sizes: 0,
};

/** Live values from the events of the service. */
export function createLiveStore() {
  const ended = new Map<number, Job>();
  return createStore<{
    connection: Connection;
    /** Set while a request is outstanding and the service is silent. */
    silence: Silence | null;
    rates: RatesEvent;
    /** Incoming rate; in the window only. */
    incoming: IncomingEvent;
    /** Last known progress of adding many fetches; in the window only. */
    adding: AddingEvent | null;
    /** Both rates of the last minute, for their curves. */
    upRates: readonly RatePoint[];
    downRates: readonly RatePoint[];
    jobs: ReadonlyMap<number, Job>;
    setConnection: (connection: Connection) => void;
    setSilence: (silence: Silence | null) => void;
    setRates: (rates: RatesEvent) => void;
    setIncoming: (incoming: IncomingEvent) => void;
    putJob: (job: Job) => void;
    /** A job that has ended, if this page knows it. */
    endedJob: (id: number) => Job | undefined;
    forgetJob: (id: number) => void;
    replaceActiveJobs: (jobs: readonly Job[]) => void;
    /** Failures that happened while this page received no events. */
    addFailedJobs: (jobs: readonly Job[]) => void;
    /** The service may have restarted with other data: the known state of its jobs is invalid. */
    beginAnew: (active: readonly Job[], failed: readonly Job[]) => void;
  }>()((set) => ({
    connection: 'connecting',
    rates: { up_bytes_per_second: 0, up_clients: 0 },
    incoming: nothingIncoming,
    adding: null,
    upRates: [],
    downRates: [],
    jobs: new Map(),
    silence: null,
    setConnection: (connection) => set({ connection }),
    setSilence: (silence) => set({ silence }),
    setRates: (rates) =>
      set(({ upRates }) => ({
        rates,
        upRates: withRate(upRates, { at: Date.now(), bytesPerSecond: rates.up_bytes_per_second }),
      })),
    setIncoming: (incoming) =>
      set(({ downRates }) => ({
        incoming,
        downRates: withRate(downRates, { at: Date.now(), bytesPerSecond: incoming.down_bytes_per_second }),
      })),
    putJob: (job) => {
      // A response may arrive after the event that the job ended: the end takes precedence.
      if (job.ended_at === null && ended.has(job.id)) return;
      if (job.ended_at !== null) ended.set(job.id, job);
      set((state) => ({ jobs: new Map(state.jobs).set(job.id, job) }));
    },
    endedJob: (id) => ended.get(id),
    forgetJob: (id) =>
      set((state) => {
        const jobs = new Map(state.jobs);
        jobs.delete(id);
        return { jobs };
      }),
    replaceActiveJobs: (active) =>
      set((state) => ({
        jobs: new Map([
          ...[...state.jobs].filter(([, job]) => job.ended_at !== null),
          ...active.filter((job) => !ended.has(job.id)).map((job) => [job.id, job] as const),
        ]),
      })),
    addFailedJobs: (failed) => {
      for (const job of failed) ended.set(job.id, job);
      if (failed.length > 0)
        set((state) => ({ jobs: new Map([...failed.map((job) => [job.id, job] as const), ...state.jobs]) }));
    },
    beginAnew: (active, failed) => {
      ended.clear();
      for (const job of failed) ended.set(job.id, job);
      set({ jobs: new Map([...failed, ...active].map((job) => [job.id, job] as const)) });
    },
  }));
}

export type ScreenName =
  | 'measurements'
  | 'transfers'
  | 'copies'
  | 'capture'
  | 'benches'
  | 'errors'
  | 'servers'
  | 'sharing'
  | 'projects'
  | 'project'
  | 'tokens'
  | 'applications'
  | 'account'
  | 'notifications'
  | 'users'
  | 'audit'
  | 'settings';

/** The current handler of each command: a visible screen registers its handlers here. */
export function createCommandStore() {
  return createStore<{
    handlers: ReadonlyMap<CommandId, () => void>;
    screen: ScreenName | 'none';
    register: (id: CommandId, handler: () => void) => () => void;
    setScreen: (screen: ScreenName | 'none') => void;
  }>()((set) => ({
    handlers: new Map(),
    screen: 'none',
    setScreen: (screen) => set({ screen }),
    register: (id, handler) => {
      set((state) => ({ handlers: new Map(state.handlers).set(id, handler) }));
      return () =>
        set((state) => {
          if (state.handlers.get(id) !== handler) return state;
          const handlers = new Map(state.handlers);
          handlers.delete(id);
          return { handlers };
        });
    },
  }));
}

/** The user's settings for this window: appearance and widths. */
export function createPreferenceStore(storage: Storage | null) {
  return createStore<Preferences & { change: (change: Partial<Preferences>) => void }>()((set, get) => ({
    ...readPreferences(storage),
    change: (change) => {
      set(change);
      const { change: _, ...preferences } = get();
      writePreferences(storage, preferences);
    },
  }));
}
