import type { HttpTimeouts } from '../../../http-client/node-request.ts';
import type { FetchOutcome, FetchPlan, FetchProgress, Journal } from '../types.ts';

export type RunWork = 'fetch' | 'verify';

/** Limits in bytes per second for the total and by base URL; null is unlimited. */
export type EngineLimits = [all: number | null, ofServers: ReadonlyMap<string, number>];

export interface EngineSettings {
  /** Overrides the default timeouts in tests. */
  readonly timeouts: HttpTimeouts | null;
  /** Whether other work on this machine, above all a window, has priority. */
  readonly inBackground: boolean;
  readonly limits: EngineLimits;
}

/** The methods of the worker. */
export interface EngineMethods {
  /** @returns what it came to, with the last progress. */
  run(
    id: number,
    work: RunWork,
    plan: FetchPlan,
    signal: AbortSignal,
  ): { readonly outcome: FetchOutcome; readonly progress: FetchProgress };
  limit(...limits: EngineLimits): void;
}

/** The methods that the worker calls. */
export interface EngineCaller extends Journal {
  progress(run: number, progress: FetchProgress): void;
}
