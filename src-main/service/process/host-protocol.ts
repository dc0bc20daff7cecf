/**
 * The control messages between the desktop shell and the service it supervises: plain values only,
 * for both `utilityProcess` and `child_process`. Data goes by HTTP, never through here.
 */

/**
 * Options of a start by the shell. `secret` is created at every launch and never leaves the two
 * processes.
 */
export interface StartOptions {
  readonly dataDir: string;
  readonly socketPath: string;
  readonly secret: string;
  readonly host: string;
  readonly port: number;
  readonly assetsDir: string;
  readonly rendererDir: string;
}

/** What happens to the computer. */
export type PowerEvent = 'suspend' | 'resume';

export type ToService =
  | { readonly type: 'start'; readonly options: StartOptions }
  | { readonly type: 'stop' }
  | { readonly type: 'power'; readonly event: PowerEvent };

export type FromService =
  | { readonly type: 'ready'; readonly url: string; readonly socketPath: string; readonly version: string }
  /**
   * The service cannot start; restarting would not help. `message` says what to do, in one line.
   */
  | { readonly type: 'failed'; readonly code: StartFailure; readonly message: string }
  /** The start takes long but is still under way. */
  | { readonly type: 'progress'; readonly message: string }
  /** Requests a restart of the service. */
  | { readonly type: 'restart' }
  | { readonly type: 'stopped' };

export type StartFailure = 'data-in-use' | 'data-unusable' | 'data-newer' | 'port-in-use' | 'unexpected';
