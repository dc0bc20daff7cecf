import { errorCode } from '../common/error-code.ts';

/** An error as it crosses threads: structured cloning would lose its code. */
export interface SentError {
  readonly message: string;
  readonly stack: string;
  /** Of the system call or the library; an empty text without one. */
  readonly code: string;
}

/** A method failed in the other thread. Its class stays there: expected failures are results. */
export class RemoteError extends Error {
  readonly code: string;

  constructor({ message, stack, code }: SentError) {
    super(message);
    this.stack = stack;
    this.code = code;
  }
}

/** The thread ended, or was ended because it hung, before it answered. */
export class WorkerEndedError extends Error {
  /** @param cause the uncaught error of the thread, if it had one. */
  constructor(name: string, cause?: unknown) {
    super(`the thread ${name} has ended${cause instanceof Error ? `: ${cause.name}: ${cause.message}` : ''}`, {
      cause,
    });
  }
}

export function sentError(error: unknown): SentError {
  const message = error instanceof Error ? error.message : String(error);
  return { message, stack: (error instanceof Error && error.stack) || message, code: errorCode(error) };
}
