import type { HttpTimeouts } from '../../../http-client/node-request.ts';
import type { FetchOutcome, FetchPlan, FetchProgress, Journal } from '../types.ts';

/** A call of a journal method. */
export type JournalCall = {
  [Method in keyof Journal]: { readonly method: Method; readonly args: Parameters<Journal[Method]> };
}[keyof Journal];

export type ToEngine =
  | { readonly kind: 'run'; readonly run: number; readonly work: 'fetch' | 'verify'; readonly plan: FetchPlan }
  | { readonly kind: 'stop'; readonly run: number }
  | { readonly kind: 'limit'; readonly all: number | null; readonly ofServers: ReadonlyMap<string, number> }
  | { readonly kind: 'answer'; readonly call: number; readonly value?: unknown; readonly error?: string };

export type FromEngine =
  | { readonly kind: 'call'; readonly call: number; readonly of: JournalCall }
  | { readonly kind: 'progress'; readonly run: number; readonly progress: FetchProgress }
  | { readonly kind: 'ended'; readonly run: number; readonly progress: FetchProgress; readonly outcome: FetchOutcome };

export interface EngineSettings {
  /** Overrides the default timeouts in tests. */
  readonly timeouts: HttpTimeouts | null;
  /** Whether other work on this machine, above all a window, has priority. */
  readonly inBackground: boolean;
}
