import type { ErrorException, StackFrame } from '../../contract/errors.ts';
import { frameName, isMinified } from './frame-name.ts';
import { jvmName, phpName } from './function-name.ts';
import { isCompilerHelper, isLibraryFrame } from './library-frames.ts';
import { parametrise } from './parametrise.ts';

const maxExceptions = 20;
const maxFrames = 250;
const maxLineLength = 120;
const maxTypeLength = 256;

// A line of these languages is a statement of its author; elsewhere it is often what a compiler made.
const linesDistinguish = new Set(['python', 'ruby', 'php']);
// Types that say nothing, with the stack of the place that reported them instead of the one that made them: only the text tells them apart.
const emptyTypes = new Set(['*errors.errorString', '*fmt.wrapError', '*fmt.wrapErrors', '*errors.joinError']);
const overflows = /^(?:RecursionError|SystemStackError|StackOverflowError)$/;

/** What the chain of exceptions is held for, the outermost first; empty when nothing is known of it. */
export function exceptionParts(exceptions: readonly ErrorException[], platform: string): string[] {
  const chain = exceptions.slice(-maxExceptions).toReversed();
  // One choice for the whole chain: where the program's own frames are known, those of a library that stand alone in a cause change with its release.
  const marked = chain.some((one) => one.frames.some((frame) => frame.in_app));
  return chain.flatMap((one) => onePart(one, platform, marked));
}

/** What a stack trace alone is held for. */
export function stackParts(stack: readonly StackFrame[], platform: string): string[] {
  const marked = stack.some((frame) => frame.in_app);
  return framesOf(ownFrames(stack, platform, marked), platform, false);
}

function onePart(one: ErrorException, platform: string, marked: boolean): string[] {
  const frames = ownFrames(one.frames, platform, marked);
  const newest = frames.at(-1);
  const unreadable = newest !== undefined && isMinified(newest, platform);
  const type = one.synthetic || (unreadable && (one.type ?? '').length <= 2) ? '' : typeName(one.type, platform);
  const head = type === '' ? [] : [`type ${type}`];
  const value = parametrise(one.value ?? '');
  // After the next build the stack would be another, and what was thrown would not.
  if (unreadable) return [...head, `value ${withoutShortNames(value)}`];
  const stack = framesOf(frames, platform, isOverflow(one));
  const silent =
    one.frames.length === 0 || emptyTypes.has(type) || (one.synthetic && !one.frames.some((frame) => frame.in_app));
  const valued = silent && value !== '' ? [`value ${value}`] : [];
  return [...head, ...valued, ...stack, ...(isOverflow(one) ? [] : linePart(newest, platform))];
}

/** The program's own frames; all without the language's where none is marked; all of them where that leaves none. */
function ownFrames(frames: readonly StackFrame[], platform: string, marked: boolean): readonly StackFrame[] {
  const newest = frames.slice(-maxFrames).filter((frame) => !isCompilerHelper(frame));
  if (marked) return newest.filter((frame) => frame.in_app);
  const own = newest.filter((frame) => !isLibraryFrame(frame, platform));
  return own.length === 0 ? newest : own;
}

/** Each frame once: how deep a recursion went, or through how many functions it goes around, makes no other error. */
function framesOf(frames: readonly StackFrame[], platform: string, overflow: boolean): string[] {
  const counts = new Map<string, number>();
  for (const frame of frames) {
    const name = frameName(frame, platform);
    if (name !== ' ') counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  // Where the stack is full is chance; what fills it is the error.
  const circle = overflow ? [...counts].filter(([, count]) => count > 1).map(([name]) => name) : [];
  // A stack is cut somewhere in the circle, so it begins anywhere.
  return (circle.length > 0 ? circle.toSorted() : [...counts.keys()]).map((name) => `frame ${name}`);
}

/** The statement that failed: two of them in one function are two errors. Of callers it is left out, so that editing them changes nothing. */
function linePart(frame: StackFrame | undefined, platform: string): string[] {
  const line = (frame?.context_line ?? '').slice(0, 2 * maxLineLength).trim();
  return linesDistinguish.has(platform) && line !== ''
    ? [`line ${line.replace(/\s+/g, ' ').slice(0, maxLineLength)}`]
    : [];
}

function isOverflow(one: ErrorException): boolean {
  return (
    overflows.test(one.type ?? '') || (one.type === 'RangeError' && (one.value ?? '').startsWith('Maximum call stack'))
  );
}

function typeName(type: string | null, platform: string): string {
  const plain = (type ?? '').slice(0, maxTypeLength);
  return platform === 'java' ? jvmName(plain) : platform === 'php' ? phpName(plain) : plain;
}

/** `t.load is not a function`: the variable has no name that lasts. */
function withoutShortNames(value: string): string {
  return value.replace(/(?<![\w$.])[\w$]{1,2}(?=\.[\w$.]{1,100} is not )/g, '<name>');
}
