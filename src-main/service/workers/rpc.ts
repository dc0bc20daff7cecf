import type { TransferListItem } from 'node:worker_threads';
import { RemoteError, sentError, type SentError } from './worker-errors.ts';

/**
 * Constraint of an interface of methods that another thread implements. Arguments and results are
 * cloned; an AbortSignal as the last argument is aborted there as well.
 */
export type Methods<T> = { readonly [M in keyof T]: (...args: never[]) => unknown };

type Result<F> = F extends (...args: never[]) => infer R ? Awaited<R> : never;

/** An implementation of methods. Each returns its result or a promise of it. */
export type Handlers<T extends Methods<T>> = {
  readonly [M in keyof T]: (...args: Parameters<T[M]>) => Result<T[M]> | Promise<Result<T[M]>>;
};

/** The methods of another thread. */
export interface Remote<T extends Methods<T>> {
  /**
   * @param transfer buffers to transfer instead of cloning them.
   * @throws RemoteError what the method threw, or the reason of its signal; WorkerEndedError when
   * the thread ends first.
   */
  call<M extends keyof T & string>(
    method: M,
    args: Parameters<T[M]>,
    transfer?: readonly TransferListItem[],
  ): Promise<Result<T[M]>>;
  /** Calls a method without waiting for it; its result is dropped. */
  notify<M extends keyof T & string>(method: M, args: Parameters<T[M]>): void;
}

/** A request, the abort of one, a response, or a notification. Each side numbers its requests. */
export type RpcMessage =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly method: string;
      readonly args: readonly unknown[];
      readonly isAbortable: boolean;
    }
  | { readonly kind: 'notify'; readonly method: string; readonly args: readonly unknown[] }
  | { readonly kind: 'abort'; readonly id: number }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: SentError };

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly signal: AbortSignal | null;
}

interface PeerDeps<Local extends Methods<Local>> {
  readonly post: (message: RpcMessage, transfer?: readonly TransferListItem[]) => void;
  /** The methods that the other side may call. */
  readonly handlers: Handlers<Local>;
  /** Receives errors of handlers, which the other side gets as well. */
  readonly onError?: ((error: unknown, method: string) => void) | undefined;
}

/** One of two threads that call methods of each other. */
export class RpcPeer<T extends Methods<T>, Local extends Methods<Local>> implements Remote<T> {
  readonly #deps: PeerDeps<Local>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #running = new Map<number, AbortController>();
  #next = 0;

  constructor(deps: PeerDeps<Local>) {
    this.#deps = deps;
  }

  async call<M extends keyof T & string>(
    method: M,
    args: Parameters<T[M]>,
    transfer?: readonly TransferListItem[],
    onAbort?: () => void,
  ): Promise<Result<T[M]>> {
    const last: unknown = args.at(-1);
    const signal = last instanceof AbortSignal ? last : null;
    signal?.throwIfAborted();
    this.#next += 1;
    const id = this.#next;
    const sent = signal === null ? args : args.slice(0, -1);
    // Throws for values that cannot be cloned, such as deeply nested lists; then no promise may be
    // left pending.
    this.#deps.post({ kind: 'call', id, method, args: sent, isAbortable: signal !== null }, transfer);
    const abort = (): void => {
      this.#deps.post({ kind: 'abort', id });
      onAbort?.();
    };
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const value = await new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject, signal }));
      return value as Result<T[M]>;
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  notify<M extends keyof T & string>(method: M, args: Parameters<T[M]>): void {
    this.#deps.post({ kind: 'notify', method, args });
  }

  /** Handles a message of the other side. */
  readonly receive = (message: RpcMessage): void => {
    switch (message.kind) {
      case 'call':
        return void this.#answer(message);
      case 'notify':
        return void this.#handle(message.method, message.args);
      case 'abort':
        return this.#running.get(message.id)?.abort();
      case 'result':
        return this.#take(message.id)?.resolve(message.value);
      case 'error': {
        const one = this.#take(message.id);
        return one?.reject(one.signal?.aborted ? one.signal.reason : new RemoteError(message.error));
      }
    }
  };

  /** Rejects all pending calls: the other side is gone. */
  end(error: Error): void {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const one of all) one.reject(error);
  }

  #take(id: number): Waiting | undefined {
    const one = this.#waiting.get(id);
    this.#waiting.delete(id);
    return one;
  }

  #handle(method: string, args: readonly unknown[]): unknown {
    const handler = this.#deps.handlers[method as keyof Local] as (...args: readonly unknown[]) => unknown;
    return handler(...args);
  }

  async #answer({ id, method, args, isAbortable }: Extract<RpcMessage, { kind: 'call' }>): Promise<void> {
    const { post, onError } = this.#deps;
    const stop = isAbortable ? new AbortController() : null;
    if (stop) this.#running.set(id, stop);
    try {
      const value = await this.#handle(method, stop ? [...args, stop.signal] : args);
      // Throws as well, when the result cannot be cloned.
      post({ kind: 'result', id, value });
    } catch (error) {
      onError?.(error, method);
      post({ kind: 'error', id, error: sentError(error) });
    } finally {
      this.#running.delete(id);
    }
  }
}
