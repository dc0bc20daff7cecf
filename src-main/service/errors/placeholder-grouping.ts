import { createHash } from 'node:crypto';
import type { ErrorEvent } from '../contract/errors.ts';

/** Until the grouping rules are there: type of the exception, or the message. */
export function groupingKey(event: ErrorEvent): { version: number; hash: Buffer } {
  const parts = [event.platform, event.exceptions.at(-1)?.type ?? event.message?.template ?? event.message?.formatted ?? ''];
  return { version: 0, hash: createHash('sha256').update(JSON.stringify(parts)).digest() };
}

export function titleOf(event: ErrorEvent): { type: string; value: string } {
  const exception = event.exceptions.at(-1);
  return exception ? { type: exception.type ?? 'Error', value: exception.value ?? '' } : { type: event.message?.formatted ?? '', value: '' };
}

export function culpritOf(event: ErrorEvent): string {
  return event.transaction ?? event.exceptions.at(-1)?.frames.at(-1)?.function ?? '';
}
