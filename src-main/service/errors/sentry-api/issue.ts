import type { ErrorDetail, ErrorSummary } from '../../contract/errors.ts';
import { isoTime } from '../../common/iso-time.ts';
import type { ProjectRow } from '../../projects/projects-store.ts';
import { slugsOf } from './slugs.ts';

const hour = 3600;
const day = 24 * hour;

/** A project in Sentry's shape. */
export function sentryProjectShape(project: ProjectRow) {
  const { organization, project: slug } = slugsOf(project);
  return {
    id: String(project.id),
    slug,
    name: project.name,
    status: 'active',
    dateCreated: isoTime(project.created_at),
    organization: organizationShape(organization, project.created_at),
  };
}

/**
 * The part of a project's path before its name as an organisation of Sentry, with the members that
 * its command line reads.
 *
 * @param createdAt of its first project, in milliseconds since 1970
 */
export function organizationShape(slug: string, createdAt: number) {
  return {
    id: slug,
    slug,
    name: slug.replaceAll('~', '/'),
    dateCreated: isoTime(createdAt),
    status: { id: 'active', name: 'active' },
    avatar: { avatarType: 'letter_avatar', avatarUuid: null },
    isEarlyAdopter: false,
    require2FA: false,
  };
}

/** An error as an issue of Sentry (reference, section 6.2). */
export function issueShape(error: ErrorSummary, project: ProjectRow, baseUrl: string) {
  const { organization: _organization, ...inProject } = sentryProjectShape(project);
  return {
    id: error.id,
    shortId: error.id,
    title: error.title,
    culprit: error.culprit,
    permalink: `${baseUrl}/${project.path}/-/error_tracking/${error.id}`,
    level: error.level,
    status: error.status,
    substatus: error.regressed ? 'regressed' : null,
    statusDetails: {},
    platform: error.platform,
    project: inProject,
    type: error.type === '' ? 'default' : 'error',
    metadata: error.type === '' ? { title: error.value } : { type: error.type, value: error.value },
    count: String(error.events),
    userCount: error.users,
    firstSeen: error.first_seen,
    lastSeen: error.last_seen,
    firstRelease: releaseShape(error.first_release),
    lastRelease: releaseShape(error.last_release),
    stats: { '24h': pairs(error.hours, hour) },
  };
}

/** Like `issueShape`, with the counts of 14 days and the distribution of tags. */
export function issueDetailShape(error: ErrorDetail, project: ProjectRow, baseUrl: string) {
  const issue = issueShape(error, project, baseUrl);
  return {
    ...issue,
    stats: { ...issue.stats, '14d': pairs(error.days, day) },
    tags: error.tags.map(({ tag, values }) => ({
      key: tag,
      name: tag,
      totalValues: values.reduce((sum, { events }) => sum + events, 0),
      topValues: values.map(({ value, events }) => ({ value, name: value, count: events })),
    })),
  };
}

/** A release in Sentry's shape; null without a version. */
export function releaseShape(version: string | null) {
  return version === null ? null : { version, shortVersion: version };
}

/** Converts counts to pairs of start time (seconds) and count. */
function pairs(counts: readonly number[], step: number): [number, number][] {
  const newest = Math.floor(Date.now() / 1000 / step) * step;
  return counts.map((count, index) => [newest - (counts.length - 1 - index) * step, count]);
}
