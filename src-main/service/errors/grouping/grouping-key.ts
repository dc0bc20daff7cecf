import { hash } from 'node:crypto';
import type { ErrorEvent } from '../../contract/errors.ts';
import { exceptionParts, stackParts } from './exception-parts.ts';
import { parametrise } from './parametrise.ts';

/** Of the rules in this folder. Whoever changes what any event is held for raises it; groups of an older version stay with their errors. */
const version = 1;
const hashBytes = 16;
const maxParts = 100;
const maxPartLength = 1024;
/** Characters that the `{{ default }}` of a fingerprint may stand for, all of them together; the first one is always whole. */
const maxDefaults = 256 * 1024;
const defaultPart = /^\{\{ {0,5}default {0,5}\}\}$/;

export interface GroupingKey {
  readonly version: number;
  readonly hash: Buffer;
  /** What the hash was made of, to explain it. */
  readonly parts: readonly string[];
}

/**
 * What an event is grouped by, by the first of these that it has: the sender's own fingerprint, the stacks and types of its exceptions (type and value
 * where there is no stack), its message, else its logger and level. Environment, release, server and user are no part of it.
 */
export function groupingKey(event: ErrorEvent): GroupingKey {
  const computed = computedParts(event);
  const parts = fingerprintParts(event.fingerprint, computed) ?? computed;
  // As JSON, because parts joined by anything else could be put together from other parts.
  return { version, hash: hash('sha256', JSON.stringify(parts), 'buffer').subarray(0, hashBytes), parts };
}

function fingerprintParts(fingerprint: readonly string[], computed: readonly string[]): readonly string[] | null {
  const own = fingerprint.slice(0, maxParts);
  if (own.every((part) => isDefault(part))) return null;
  // A fingerprint of 1.5 KB can ask a hundred times for parts that are a megabyte together.
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
  // Newer SDKs for Node send a message as an exception without a type besides, with the stack of the place that sent it; one place sends many messages.
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
