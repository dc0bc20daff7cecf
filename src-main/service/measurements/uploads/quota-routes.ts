import { Problem } from '../../contract/common.ts';
import { NewQuota, Quota } from '../../contract/measurements.ts';
import { ProjectParams } from '../../contract/projects.ts';
import { HttpProblem } from '../../common/problem.ts';
import type { AccountStores } from '../../accounts/store/stores.ts';
import { existingUser } from '../../accounts/store/existing-user.ts';
import type { AuditStores } from '../../audit/stores.ts';
import { actorOf } from '../../http/actor-of.ts';
import type { App } from '../../http/app.ts';
import { principalOf, type Authentication } from '../../http/authentication.ts';
import { findProject } from '../../projects/find-project.ts';
import { requireProject } from '../../projects/require-role.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { Quota as StoredQuota } from '../store/quotas-store.ts';
import type { MeasurementStores } from '../store/stores.ts';
import { quotaShape } from './quota-shape.ts';
import { setQuota, type QuotaSubject } from './set-quota.ts';

type Deps = Pick<MeasurementStores, 'quotas'> &
  Pick<AuditStores, 'audit'> &
  Pick<ProjectStores, 'projects'> &
  AccountStores & { readonly auth: Authentication };

const tags = ['uploads'];

/** Registers the routes of quotas, which administrators set. */
export function registerQuotas(app: App, deps: Deps): void {
  app.get(
    '/api/v4/user/quota',
    {
      onRequest: deps.auth.require('write_measurement', 'read_api'),
      schema: { tags, summary: 'Your own quota', operationId: 'getOwnQuota', response: { 200: Quota } },
    },
    async (request) => quotaShape(await deps.quotas.ofUser(principalOf(request).userId)),
  );
  const user = async (id: string): Promise<QuotaSubject> => {
    const found = await existingUser(deps, /^\d{1,15}$/.test(id) ? Number(id) : 0);
    return { kind: 'user', id: found.id };
  };
  app.get(
    '/api/v4/users/:id/quota',
    {
      onRequest: deps.auth.requireAdmin('read_api'),
      schema: {
        tags,
        summary: 'The quota of a user; administrators',
        operationId: 'getUserQuota',
        params: ProjectParams,
        response: { 200: Quota, 404: Problem },
      },
    },
    async (request) => quotaShape(await quotaOf(deps, await user(request.params.id))),
  );
  app.get(
    '/api/v4/projects/:id/quota',
    {
      onRequest: deps.auth.require('write_measurement', 'read_api'),
      schema: {
        tags,
        summary: 'The quota of a project; its members',
        operationId: 'getProjectQuota',
        params: ProjectParams,
        response: { 200: Quota, 404: Problem },
      },
    },
    async (request) => {
      const { id } = await requireProject(deps, request, 'reporter');
      return quotaShape(await quotaOf(deps, { kind: 'project', id }));
    },
  );
  registerSetting(app, deps, 'user', user);
  registerSetting(app, deps, 'project', async (id) => {
    const project = await findProject(deps, id);
    if (project === null) throw new HttpProblem(404, 'There is no such project.');
    return { kind: 'project', id: project.id };
  });
}

/** @param find The user or project of an id, or of the path of a project. */
function registerSetting(
  app: App,
  deps: Deps,
  kind: QuotaSubject['kind'],
  find: (id: string) => Promise<QuotaSubject>,
): void {
  const name = kind === 'user' ? 'User' : 'Project';
  app.put(
    `/api/v4/${kind}s/:id/quota`,
    {
      onRequest: deps.auth.requireAdmin('api'),
      schema: {
        tags,
        summary: `Set the quota of a ${kind}; administrators`,
        description: 'What is there already stays.',
        operationId: `set${name}Quota`,
        params: ProjectParams,
        body: NewQuota,
        response: { 200: Quota, 404: Problem },
      },
    },
    async (request) => {
      const subject = await find(request.params.id);
      await setQuota(deps, subject, request.body.quota_bytes, actorOf(request));
      return quotaShape(await quotaOf(deps, subject));
    },
  );
}

async function quotaOf({ quotas }: Pick<Deps, 'quotas'>, { kind, id }: QuotaSubject): Promise<StoredQuota> {
  return kind === 'user' ? quotas.ofUser(id) : quotas.ofProject(id);
}
