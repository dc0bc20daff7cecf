import type { ErrorDetail, ErrorEvent, ErrorSummary } from '../../contract/errors.ts';
import type { ProjectRow } from '../../projects/projects-store.ts';

const hour = 3600;

/** An error in the list of GitLab's screen (reference, section 2.5). */
export function listEntry(error: ErrorSummary, project: ProjectRow, baseUrl: string) {
  const newest = Math.floor(Date.now() / 1000 / hour) * hour;
  return {
    id: error.id,
    title: error.title,
    type: error.type,
    user_count: error.users,
    count: error.events,
    first_seen: error.first_seen,
    last_seen: error.last_seen,
    message: error.value,
    culprit: error.culprit,
    external_url: `${baseUrl}/${project.path}/-/error_tracking/${error.id}`,
    project_id: project.id,
    project_name: project.name,
    project_slug: project.path.slice(project.path.lastIndexOf('/') + 1),
    short_id: null,
    status: error.status,
    frequency: error.hours.map((count, index) => [newest - (error.hours.length - 1 - index) * hour, count]),
  };
}

export function detailEntry(error: ErrorDetail, project: ProjectRow, baseUrl: string) {
  const entry = listEntry(error, project, baseUrl);
  return {
    ...entry,
    external_url: error.external_url ?? entry.external_url,
    external_base_url: error.external_url === null ? baseUrl : new URL(error.external_url).origin,
    first_release_last_commit: null,
    last_release_last_commit: null,
    first_release_short_version: error.first_release,
    last_release_short_version: error.last_release,
    first_release_version: error.first_release,
    last_release_version: error.last_release,
    gitlab_issue: null,
    integrated: error.backend === 'integrated',
    tags: { level: error.level, logger: error.tags.find(({ tag }) => tag === 'logger')?.values[0]?.value ?? null },
  };
}

/**
 * Returns the stack trace of the reported exception, oldest call first; if it has none, that of
 * another exception or of a thread.
 */
export function stackTrace(errorId: string, event: ErrorEvent) {
  const threads = event.threads.filter((thread) => thread.crashed || thread.current);
  const frames = [...event.exceptions.toReversed(), ...threads].find((one) => one.frames.length > 0)?.frames ?? [];
  return {
    issue_id: errorId,
    date_received: event.received_at,
    stack_trace_entries: frames.map((frame) => ({
      function: frame.function,
      lineNo: frame.line,
      colNo: frame.column,
      filename: frame.filename,
      abs_path: frame.abs_path,
      context: numberedLines(frame),
    })),
  };
}

/** Returns a frame's context lines as pairs of line number and text. */
export function numberedLines(frame: ErrorEvent['exceptions'][number]['frames'][number]): [number, string][] {
  const { line } = frame;
  if (line === null || frame.context_line === null) return [];
  return [...frame.pre_context, frame.context_line, ...frame.post_context].map((text, index) => [
    line - frame.pre_context.length + index,
    text,
  ]);
}
