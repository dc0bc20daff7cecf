import type { FastifyBaseLogger } from 'fastify';
import type { Logger } from 'pino';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/**
 * A request's logger that is made when something is logged. A download seldom logs anything, and making a child of a logger with redaction costs a
 * tenth of a small range.
 */
export function lazyLogger(parent: Logger, bindings: Record<string, unknown>): FastifyBaseLogger {
  let made: Logger | null = null;
  const child = () => (made ??= parent.child(bindings));
  const method =
    (level: Level) =>
    (...args: unknown[]): void => {
      if (parent.isLevelEnabled(level)) Reflect.apply(child()[level], child(), args);
    };
  const lazy: Record<Level | 'silent' | 'child', (...args: never[]) => unknown> & { level: string } = {
    level: parent.level,
    fatal: method('fatal'),
    error: method('error'),
    warn: method('warn'),
    info: method('info'),
    debug: method('debug'),
    trace: method('trace'),
    silent: () => {},
    child: (...args: Parameters<Logger['child']>) => child().child(...args),
  };
  return lazy as FastifyBaseLogger;
}
