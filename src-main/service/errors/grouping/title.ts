import { toUSVString } from 'node:util';
import type { ErrorEvent, StackFrame } from '../../contract/errors.ts';
import { isLibraryFrame } from './library-frames.ts';

const maxTypeLength = 255;
const maxValueLength = 1024;
const maxCulpritLength = 255;

/** Title of an error; shown as `type: value`. */
export interface Title {
  /** Type of the reported exception, or the message. */
  readonly type: string;
  /** Value of the exception; empty for a message. */
  readonly value: string;
}

/**
 * Uses the last exception, which is the one that was reported, because causes precede it. Both
 * parts are single lines.
 */
export function titleOf(event: ErrorEvent): Title {
  const exception = event.exceptions.at(-1);
  const type = oneLine(exception?.type, maxTypeLength);
  const value = oneLine(exception?.value, maxValueLength);
  // The SDK for Node 11.12.0 marks the origin of a message with an exception without a type that
  // repeats the message.
  const repeatsMessage = type === '' && exception?.value === event.message?.formatted;
  if ((type !== '' || value !== '') && !repeatsMessage) return { type: type || 'Error', value };
  return {
    type:
      oneLine(event.message?.formatted ?? event.message?.template, maxTypeLength) ||
      `Event without a message (${event.level})`,
    value: '',
  };
}

/**
 * Returns the location of an error: the transaction, else `function(module)` of the newest frame of
 * the program itself. Empty when nothing is known.
 */
export function culpritOf(event: ErrorEvent): string {
  const transaction = oneLine(event.transaction, maxCulpritLength);
  if (transaction !== '') return transaction;
  const stacks = [
    ...event.exceptions.toReversed(),
    ...event.threads.filter((thread) => thread.crashed || thread.current),
  ];
  const frames = stacks.find((stack) => stack.frames.length > 0)?.frames ?? [];
  const frame =
    frames.findLast((one) => one.in_app) ??
    frames.findLast((one) => !isLibraryFrame(one, event.platform)) ??
    frames.at(-1);
  return frame === undefined ? '' : oneLine(placeOf(frame), maxCulpritLength);
}

function placeOf(frame: StackFrame): string {
  const place = frame.module ?? frame.filename ?? frame.abs_path;
  if (frame.function === null) return place ?? '';
  return place === null ? frame.function : `${frame.function}(${place})`;
}

/**
 * Removes line ends, control characters and those that change the direction of text, because titles
 * are shown in lists and notifications.
 */
function oneLine(text: string | null | undefined, maxLength: number): string {
  const line = (text ?? '')
    .slice(0, 2 * maxLength)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g, '')
    .trim()
    .slice(0, maxLength);
  return toUSVString(line);
}
