import { Readable } from 'node:stream';
import { Type, type Static } from 'typebox';
import { AuditEvent } from '../../contract/account-security.ts';
import { PageQuery } from '../../contract/common.ts';
import type { App } from '../../http/app.ts';
import { readPage } from '../../http/pagination.ts';
import { isoTime } from '../../common/iso-time.ts';
import { isDay, parseMoment } from '../../common/parse-time.ts';
import { auditCsv } from './audit-csv.ts';
import type { AuditFilter, AuditRow } from '../audit-list-store.ts';
import type { SubjectNow, AuditSubjectsStore } from './audit-subjects-store.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import type { AuditStores } from '../stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<AccountStores, 'users'> &
  Pick<AuditStores, 'auditList'> &
  Pick<ServiceContext, 'auth' | 'baseUrl'> & {
    readonly auditSubjects: AuditSubjectsStore;
  };

const When = Type.String({
  maxLength: 40,
  default: '',
  description: 'A day (YYYY-MM-DD, UTC) or a point in time (ISO 8601)',
});
const filters = {
  user: Type.String({ maxLength: 255, default: '', description: 'User name of who acted' }),
  action: Type.String({
    maxLength: 100,
    default: '',
    description: 'The action or its beginning, such as "user." or "token.revoke"',
  }),
  from: When,
  to: { ...When, description: 'As from; a day is meant whole' },
};
const FilterQuery = Type.Object(filters);
const ListQuery = Type.Object({ ...PageQuery.properties, ...filters });

const day = 86_400_000;

/** Routes of the audit trail; administrators only. */
export function registerAuditRoutes(app: App, deps: Deps): void {
  app.get(
    '/api/v4/audit_events',
    {
      onRequest: deps.auth.requireAdmin('read_api'),
      schema: {
        tags: ['audit'],
        summary: 'The audit trail, newest first; administrators',
        operationId: 'listAuditEvents',
        querystring: ListQuery,
        response: { 200: Type.Array(AuditEvent) },
      },
    },
    async (request, reply) => {
      const filter = await filterOf(request.query);
      const rows = await readPage(request, reply, deps.baseUrl(), (limit, offset) =>
        deps.auditList.page(filter, limit, offset),
      );
      return Promise.all(rows.map(async (row) => auditShape(row, await deps.auditSubjects.now(row.subject))));
    },
  );

  app.get(
    '/api/v4/audit_events.csv',
    {
      onRequest: deps.auth.requireAdmin('read_api'),
      schema: {
        tags: ['audit'],
        summary: 'The same as CSV, all of it',
        operationId: 'exportAuditEvents',
        querystring: FilterQuery,
        response: { 200: { content: { 'text/csv': { schema: Type.Unsafe<Readable>(Type.String()) } } } },
      },
    },
    async (request, reply) => {
      const rows = auditCsv(deps.auditList, await filterOf(request.query));
      reply.header('content-disposition', 'attachment; filename="audit-events.csv"').type('text/csv; charset=utf-8');
      return reply.send(Readable.from(rows));
    },
  );

  async function filterOf(query: Static<typeof FilterQuery>): Promise<AuditFilter> {
    const user = query.user === '' ? null : await deps.users.byUsername(query.user);
    return {
      // No user has the id 0, so an unknown name matches nothing.
      userId: query.user === '' ? null : (user?.id ?? 0),
      action: query.action,
      from: query.from === '' ? null : parseMoment(query.from),
      before: query.to === '' ? null : parseMoment(query.to) + (isDay(query.to) ? day : 1),
    };
  }
}

function auditShape(row: AuditRow, subjectNow: SubjectNow | null): AuditEvent {
  return {
    id: row.id,
    at: isoTime(row.at),
    user: row.username,
    application: row.application,
    action: row.action,
    subject: row.subject,
    subject_now: subjectNow,
    detail: row.detail,
    address: row.address,
  };
}
