import { replaceUnseen } from '../../common/unseen-characters.ts';
import type { NotificationKind } from '../../contract/notifications/notifications.ts';
import type { DeliveryRow } from '../store/deliveries-store.ts';

const words: Readonly<Record<NotificationKind, string>> = {
  'run-registered': 'Registered',
  'run-stuck': 'Needs you',
  'copy-verified': 'Copy verified',
  'copy-lost': 'Copy lost',
  degraded: 'Degraded',
  'error-new': 'New error',
  'error-regressed': 'Error is back',
  'copy-late': 'Copy is late',
  'error-storm': 'Far more errors than usual',
  'disk-low': 'Little space',
  'backup-late': 'No backup',
  'ending-soon': 'Expires soon',
  'sign-in-new-place': 'Sign-in from a new place',
  'bench-silent': 'Bench silent',
};
const maxListed = 20;

/** Where a happening is shown; null where no link leads. */
function linkOf(
  baseUrl: string,
  { kind, measurement_id: id, project_id: projectId }: Pick<DeliveryRow, 'kind' | 'measurement_id' | 'project_id'>,
  projectPaths: ReadonlyMap<number, string>,
): string | null {
  if (kind === 'bench-silent') return `${baseUrl}/ui/benches`;
  if (id !== null) return `${baseUrl}/ui/measurements/${encodeURIComponent(id)}`;
  const path = projectId === null ? undefined : projectPaths.get(projectId);
  return path === undefined ? null : `${baseUrl}/${path}/-/error_tracking`;
}

/** One line about a happening. */
function lineOf({ kind, measurement_id: id, title }: DeliveryRow): string {
  const name = id === null || title === '' || title === id ? (id ?? title) : `${id}, ${title}`;
  // Titles come from strangers: a line stays one line.
  return replaceUnseen(`${words[kind]}: ${name}`, ' ').slice(0, 400);
}

/** Subject and text of a mail about one or many happenings. */
export function mailOf(
  baseUrl: string,
  ruleName: string,
  deliveries: readonly DeliveryRow[],
  projectPaths: ReadonlyMap<number, string>,
  total: number,
): { readonly subject: string; readonly text: string } {
  const [first] = deliveries;
  if (!first) throw new Error('a mail is about something');
  const lines = deliveries.slice(0, maxListed).map((one) => {
    const link = linkOf(baseUrl, one, projectPaths);
    return `${new Date(one.at).toISOString()}  ${lineOf(one)}${link === null ? '' : `\n  ${link}`}`;
  });
  const more = total > lines.length ? `\n\nAnd ${total - lines.length} more.` : '';
  const subject = total === 1 ? lineOf(first) : `${lineOf(first)} and ${total - 1} more`;
  return {
    subject: subject.slice(0, 200),
    text: `${lines.join('\n')}${more}\n\nThe rule "${ruleName}" on ${baseUrl} sends this.\n`,
  };
}

/** Body of a webhook (Standard Webhooks: type, timestamp, data). */
export function webhookBody(
  baseUrl: string,
  deliveries: readonly DeliveryRow[],
  projectPaths: ReadonlyMap<number, string>,
  total: number,
): string {
  const [first] = deliveries;
  if (!first) throw new Error('a message is about something');
  const dataOf = (one: DeliveryRow): object => ({
    kind: one.kind,
    subject: one.subject,
    title: one.title,
    measurement_id: one.measurement_id,
    project_id: one.project_id,
    at: new Date(one.at).toISOString(),
    link: linkOf(baseUrl, one, projectPaths),
  });
  const timestamp = new Date(first.at).toISOString();
  return JSON.stringify(
    total === 1
      ? { type: first.kind, timestamp, data: dataOf(first) }
      : { type: 'summary', timestamp, data: { count: total, first: deliveries.slice(0, maxListed).map(dataOf) } },
  );
}
