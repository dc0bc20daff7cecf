import { scrubText, withoutPaths } from '../diagnostics/scrub-text.ts';
import { stackFrames } from '../diagnostics/stack-frames.ts';

/** The part of Benchport that failed. */
export type ErrorSource = 'service' | 'job' | 'window' | 'page';

/** An error of Benchport itself, from any of its processes. */
export interface OwnError {
  readonly source: ErrorSource;
  /** The class or kind, such as TypeError. */
  readonly type: string;
  readonly message: string;
  readonly stack: string | null;
  readonly cause?: OwnError;
  /** The activity that failed, in fixed words without data of users. */
  readonly during: string;
  readonly level: 'warning' | 'error' | 'fatal';
}

const maxMessageLength = 1000;
const maxCauses = 4;

/** Converts a thrown value with its causes. */
export function ownError(thrown: unknown, about: Pick<OwnError, 'source' | 'during' | 'level'>, depth = 0): OwnError {
  if (!(thrown instanceof Error)) return { ...about, type: 'Error', message: String(thrown), stack: null };
  const code = 'code' in thrown && typeof thrown.code === 'string' ? ` (${thrown.code})` : '';
  const message = code === '' || thrown.message.includes(code.slice(2, -1)) ? thrown.message : thrown.message + code;
  const cause = thrown.cause === undefined || depth === maxCauses ? null : ownError(thrown.cause, about, depth + 1);
  return { ...about, type: thrown.name, message, stack: thrown.stack ?? null, ...(cause ? { cause } : {}) };
}

/**
 * Builds the event that an SDK would send, without user, address and machine; messages are
 * scrubbed.
 */
export function errorPayload(
  error: OwnError,
  program: { readonly version: string; readonly environment: string },
  known: readonly string[],
): object {
  const chain: OwnError[] = [];
  for (let one: OwnError | undefined = error; one !== undefined; one = one.cause) chain.unshift(one);
  return {
    platform: error.source === 'page' ? 'javascript' : 'node',
    level: error.level,
    release: `benchport@${program.version}`,
    environment: program.environment,
    transaction: error.during,
    tags: { part: error.source },
    exception: {
      values: chain.map((one) => ({
        type: safe(one.type, known),
        value: safe(one.message, known),
        stacktrace:
          one.stack === null
            ? undefined
            : { frames: stackFrames(one.stack).map((frame) => ({ ...frame, function: safe(frame.function, known) })) },
      })),
    },
    sdk: { name: 'benchport.own', version: program.version },
  };
}

/**
 * Removes secrets and names of files and measurements from a message, because users who may read
 * errors need not be allowed to read measurements.
 */
function safe(text: string, known: readonly string[]): string {
  return withoutPaths(scrubText(text.slice(0, maxMessageLength), known));
}
