/**
 * The control messages between the desktop shell and the service it supervises. Plain values only: they
 * travel over `utilityProcess` or `child_process` alike. Data goes by HTTP, never through here.
 */

/** How the shell starts the service. `secret` is made anew at every launch and never leaves the two processes. */
export interface StartOptions {
  readonly dataDir: string;
  readonly socketPath: string;
  readonly secret: string;
  readonly host: string;
  readonly port: number;
  readonly assetsDir: string;
  readonly rendererDir: string;
}

export type ToService = { readonly type: 'start'; readonly options: StartOptions } | { readonly type: 'stop' };

export type FromService =
  | { readonly type: 'ready'; readonly url: string; readonly socketPath: string; readonly version: string }
  /** The service cannot start; restarting would not help. `message` says what to do, in one line. */
  | { readonly type: 'failed'; readonly code: StartFailure; readonly message: string }
  /** The start takes long, and goes on. */
  | { readonly type: 'progress'; readonly message: string }
  /** The service is to be stopped and started again. */
  | { readonly type: 'restart' }
  | { readonly type: 'stopped' };

export type StartFailure = 'data-in-use' | 'data-unusable' | 'data-newer' | 'port-in-use' | 'unexpected';
