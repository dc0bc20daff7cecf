import type { StartFailure } from '../process/host-protocol.ts';

/** The service cannot start; the message says in one line what the user can do about it. */
export class StartError extends Error {
  readonly code: StartFailure;

  constructor(code: StartFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
    this.code = code;
  }
}
