import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { scrubText } from '../diagnostics/scrub-text.ts';
import { ownError, type OwnError } from './error-payload.ts';

const maxReportBytes = 64 * 1024;

function fileOf(dataDir: string): string {
  return path.join(dataDir, 'logs', 'last-words.json');
}

/**
 * Writes the reason why this process is about to end, synchronously, because no further turn of the
 * event loop can be relied on.
 */
export function writeCrashReport(dataDir: string, thrown: unknown): void {
  try {
    const error = ownError(thrown, { source: 'service', during: 'a crash of the service', level: 'fatal' });
    mkdirSync(path.dirname(fileOf(dataDir)), { recursive: true, mode: 0o700 });
    writeFileSync(fileOf(dataDir), scrubText(JSON.stringify(error)), { mode: 0o600 });
  } catch {
    // The error is on standard error already.
  }
}

/** Reads and deletes the crash report of the previous process. */
export function takeCrashReport(dataDir: string): OwnError | null {
  try {
    const text = readFileSync(fileOf(dataDir), 'utf8');
    rmSync(fileOf(dataDir));
    return text.length > maxReportBytes ? null : readError(JSON.parse(text));
  } catch {
    return null;
  }
}

function readError(value: unknown): OwnError | null {
  if (typeof value !== 'object' || value === null) return null;
  const { type, message, stack, cause, during } = value as Partial<Record<keyof OwnError, unknown>>;
  if (typeof type !== 'string' || typeof message !== 'string' || typeof during !== 'string') return null;
  const inner = readError(cause);
  return {
    source: 'service',
    level: 'fatal',
    during,
    type,
    message,
    stack: typeof stack === 'string' ? stack : null,
    ...(inner ? { cause: inner } : {}),
  };
}
