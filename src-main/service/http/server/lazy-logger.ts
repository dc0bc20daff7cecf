import type { FastifyBaseLogger } from 'fastify';
import type { Bindings, Logger } from 'pino';

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

/**
 * A request's logger that is created when the request first logs. Few requests do, and creating a
 * child of a logger with redaction takes a tenth of the time of a small range; so does an object of
 * closures, which is why the methods are on the prototype.
 */
class LazyLogger {
  readonly #parent: Logger;
  readonly #bindings: Bindings;
  #made: Logger | null = null;

  constructor(parent: Logger, bindings: Bindings) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get level(): string {
    return this.#parent.level;
  }

  get made(): Logger {
    return (this.#made ??= this.#parent.child(this.#bindings));
  }

  child(...args: Parameters<Logger['child']>): unknown {
    return this.made.child(...args);
  }

  silent(): void {}

  static {
    for (const level of levels) {
      Object.defineProperty(this.prototype, level, {
        value(this: LazyLogger, ...args: unknown[]) {
          Reflect.apply(this.made[level], this.made, args);
        },
      });
    }
  }
}

/** Fastify's logger of one request, over the service's. */
export function lazyLogger(parent: Logger, bindings: Bindings): FastifyBaseLogger {
  return new LazyLogger(parent, bindings) as unknown as FastifyBaseLogger;
}
