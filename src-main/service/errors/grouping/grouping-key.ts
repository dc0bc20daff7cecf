import { hash } from 'node:crypto';
import type { ErrorEvent } from '../../contract/errors.ts';
import { exceptionParts, stackParts } from './exception-parts.ts';
import { parametrise } from './parametrise.ts';

/**
 * Version of the rules in this folder. Increase it when a change affects the group of any event;
 * groups of an older version stay with their errors.
 */
const version = 1;
const hashBytes = 16;
const maxParts = 100;
const maxPartLength = 1024;
/**
 * Maximum number of characters that all `{{ default }}` of a fingerprint together may stand for;
 * the first is always complete.
 */
const maxDefaults = 256 * 1024;
const defaultPart = /^\{\{ {0,5}default {0,5}\}\}$/;

export interface GroupingKey {
  readonly version: number;
  readonly hash: Buffer;
  /** The parts that were hashed, to explain the key. */
  readonly parts: readonly string[];
}

/**
 * Computes the grouping key from the first of these that an event has: the sender's own
 * fingerprint, the stacks and types of its exceptions (type and value without a stack), its
 * message, else its logger and level. Environment, release, server and user are not part of it.
 */
export function groupingKey(event: ErrorEvent): GroupingKey {
  const computed = computedParts(event);
  const parts = fingerprintParts(event.fingerprint, computed) ?? computed;
  // Hashed as JSON, because other separators could also occur within parts.
  return { version, hash: hash('sha256', JSON.stringify(parts), 'buffer').subarray(0, hashBytes), parts };
}

function fingerprintParts(fingerprint: readonly string[], computed: readonly string[]): readonly string[] | null {
  const own = fingerprint.slice(0, maxParts);
  if (own.every((part) => isDefault(part))) return null;
  // A fingerprint of 1.5 KB can repeat the default parts a hundred times, which may be a megabyte
  // in total.
  let repeats = Math.max(1, Math.floor(maxDefaults / Math.max(1, lengthOf(computed))));
  return own.flatMap((part) => {
    if (!isDefault(part)) return [`part ${part.slice(0, maxPartLength)}`];
    repeats -= 1;
    return repeats < 0 ? ['default'] : computed.map((one) => `default ${one}`);
  });
}

function lengthOf(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function isDefault(part: string): boolean {
  return part.length < 32 && defaultPart.test(part.trim());
}

function computedParts(event: ErrorEvent): readonly string[] {
  // Newer SDKs for Node send a message also as an exception without a type, with the stack of the
  // place that sent it; one place may send many messages.
  const isMessage =
    event.message !== null &&
    event.exceptions.every((one) => one.type === null && one.value === event.message?.formatted);
  const exceptions = isMessage ? [] : exceptionParts(event.exceptions, event.platform);
  if (exceptions.length > 0) return ['exception', event.platform, ...exceptions];
  const message = parametrise(event.message?.template ?? event.message?.formatted ?? '');
  if (message !== '') return ['message', event.platform, message];
  const thread = event.threads.find((one) => one.crashed) ?? event.threads.find((one) => one.current);
  const stack = stackParts(thread?.frames ?? [], event.platform);
  if (stack.length > 0) return ['stack', event.platform, ...stack];
  return ['other', event.platform, event.logger ?? '', event.level];
}
