import type { ErrorEvent, ErrorException, StackFrame } from '../../../api/requests/types.ts';
import { lineText, plainText } from '../../../../src-shared/format/shown-text.ts';

/** The name of a frame's function; runtimes send none, `?` or nothing for one without a name. */
export function functionOf(frame: StackFrame): string {
  const name = lineText(frame.function ?? '');
  return name === '' || name === '?' ? '<anonymous>' : name;
}

/** The label of a thread; runtimes with one thread do not name it. */
export function threadName(thread: ErrorEvent['threads'][number]): string | null {
  const name = lineText(thread.name ?? thread.id ?? '', 100);
  return name === '' || name === '?' ? null : name;
}

/** `reader.py:42:7`, without the parts that are unknown. */
export function placeOf(frame: StackFrame): string {
  const file = frame.filename ?? frame.module ?? frame.abs_path ?? '?';
  return `${lineText(file)}${frame.line === null ? '' : `:${frame.line}${frame.column === null ? '' : `:${frame.column}`}`}`;
}

/** `TypeError: x is undefined`, in one or more lines. */
function headOf(exception: ErrorException): string {
  const type = lineText(exception.type ?? 'Error');
  return exception.value === null || exception.value === '' ? type : `${type}: ${plainText(exception.value)}`;
}

function frameLines(frame: StackFrame): string[] {
  return [
    `    at ${functionOf(frame)} (${placeOf(frame)})`,
    ...(frame.context_line === null || frame.context_line.trim() === ''
      ? []
      : [`        ${lineText(frame.context_line)}`]),
  ];
}

/** The exceptions of an event with their frames: the error first, then its causes. */
export function stackText(event: ErrorEvent): string {
  const blocks = event.exceptions
    .toReversed()
    .map((exception, position) =>
      [
        `${position === 0 ? '' : 'Caused by: '}${headOf(exception)}`,
        ...exception.frames.toReversed().flatMap(frameLines),
      ].join('\n'),
    );
  const threads = event.exceptions.some((exception) => exception.frames.length > 0)
    ? []
    : event.threads
        .filter((thread) => thread.frames.length > 0)
        .map((thread) =>
          [`Thread ${threadName(thread) ?? 'without a name'}`, ...thread.frames.toReversed().flatMap(frameLines)].join(
            '\n',
          ),
        );
  const message = event.message === null ? [] : [plainText(event.message.formatted)];
  return `${[...message, ...blocks, ...threads].join('\n\n')}\n`;
}

/**
 * A fence longer than any run of backticks in the text, so that text from the sender cannot end it.
 */
function fenced(text: string): string {
  const maxRunLength = [...text.matchAll(/`+/g)].reduce((longestSoFar, [run]) => Math.max(longestSoFar, run.length), 2);
  const fence = '`'.repeat(maxRunLength + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}\n`;
}

/** An event as Markdown for a report. All text from the sender is fenced. */
export function markdownOf(title: string, event: ErrorEvent, url: string): string {
  const facts = [
    `Title: ${lineText(title)}`,
    `Level: ${event.level}`,
    `Occurred: ${event.occurred_at}`,
    `Event: ${event.event_id}`,
    ...(event.release === null ? [] : [`Release: ${lineText(event.release)}`]),
    ...(event.environment === null ? [] : [`Environment: ${lineText(event.environment)}`]),
    ...(event.server_name === null ? [] : [`Server: ${lineText(event.server_name)}`]),
    ...(event.tags.length === 0
      ? []
      : [`Tags: ${event.tags.map(([tag, value]) => `${lineText(tag)}=${lineText(value)}`).join(', ')}`]),
  ];
  return `## Error event\n\n${fenced(facts.join('\n'))}\n${fenced(stackText(event))}\n<${url}>\n`;
}
