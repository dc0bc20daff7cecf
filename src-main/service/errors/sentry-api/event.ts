import type { ErrorEvent, ErrorEventPage, StackFrame } from '../../contract/errors.ts';
import { numberedLines } from '../gitlab-screens/shapes.ts';
import { searchableTags } from '../events/searchable-tags.ts';
import { releaseShape } from './issue.ts';

/** An event in Sentry's shape. */
export function eventShape({ event, previous, next }: ErrorEventPage, errorId: string) {
  const last = event.exceptions.at(-1);
  const message = event.message?.formatted ?? '';
  return {
    id: event.event_id,
    eventID: event.event_id,
    groupID: errorId,
    dateCreated: event.occurred_at,
    dateReceived: event.received_at,
    title: [last?.type, last?.value].filter((part) => part).join(': ') || message,
    message,
    platform: event.platform,
    culprit: event.transaction,
    entries: entriesOf(event),
    // Sentry represents some of our fields as tags only.
    tags: searchableTags(event, [['transaction', event.transaction]]).map(([key, value]) => ({ key, value })),
    user: event.user && {
      ...event.user.more,
      id: event.user.id,
      username: event.user.username,
      email: event.user.email,
      ip_address: event.user.ip_address,
    },
    contexts: event.contexts,
    context: event.extra,
    packages: event.modules,
    sdk: event.sdk,
    fingerprints: event.fingerprint,
    release: releaseShape(event.release),
    previousEventID: previous,
    nextEventID: next,
  };
}

function entriesOf(event: ErrorEvent) {
  const entries: { readonly type: string; readonly data: unknown }[] = [];
  if (event.exceptions.length > 0) {
    const values = event.exceptions.map(({ type, value, module, handled, synthetic, frames }) => ({
      type,
      value,
      module,
      mechanism: { handled, synthetic },
      stacktrace: framesOf(frames),
    }));
    entries.push({ type: 'exception', data: { values, excOmitted: null } });
  }
  if (event.message)
    entries.push({
      type: 'message',
      data: { formatted: event.message.formatted, message: event.message.template, params: event.message.params },
    });
  if (event.threads.length > 0) {
    const values = event.threads.map(({ frames, ...thread }) => ({ ...thread, stacktrace: framesOf(frames) }));
    entries.push({ type: 'threads', data: { values } });
  }
  if (event.breadcrumbs.length > 0) entries.push({ type: 'breadcrumbs', data: { values: event.breadcrumbs } });
  if (event.request) entries.push({ type: 'request', data: event.request });
  return entries;
}

function framesOf(frames: readonly StackFrame[]) {
  if (frames.length === 0) return null;
  return {
    frames: frames.map((frame) => ({
      function: frame.function,
      module: frame.module,
      filename: frame.filename,
      absPath: frame.abs_path,
      lineNo: frame.line,
      colNo: frame.column,
      inApp: frame.in_app,
      context: numberedLines(frame),
      vars: frame.vars,
    })),
  };
}
