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
import type { ProjectStores } from '../../projects/stores.ts';
import type { Quota as StoredQuota } from '../store/quotas-store.ts';
import type { MeasurementStores } from '../store/stores.ts';
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
      onRequest: deps.auth.require('write_measurement'),
      schema: { tags, summary: 'Your own quota', operationId: 'getOwnQuota', response: { 200: Quota } },
    },
    async (request) => shapeOf(await deps.quotas.ofUser(principalOf(request).userId)),
  );
  registerOf(app, deps, 'user', async (id) => {
    const user = await existingUser(deps, /^\d{1,15}$/.test(id) ? Number(id) : 0);
    return { kind: 'user', id: user.id };
  });
  registerOf(app, deps, 'project', async (id) => {
    const project = await findProject(deps, id);
    if (project === null) throw new HttpProblem(404, 'There is no such project.');
    return { kind: 'project', id: project.id };
  });
}

/** @param find The user or project of an id, or of the path of a project. */
function registerOf(
  app: App,
  deps: Deps,
  kind: QuotaSubject['kind'],
  find: (id: string) => Promise<QuotaSubject>,
): void {
  const path = `/api/v4/${kind}s/:id/quota`;
  const name = kind === 'user' ? 'User' : 'Project';
  app.get(
    path,
    {
      onRequest: deps.auth.requireAdmin('read_api'),
      schema: {
        tags,
        summary: `The quota of a ${kind}; administrators`,
        operationId: `get${name}Quota`,
        params: ProjectParams,
        response: { 200: Quota, 404: Problem },
      },
    },
    async (request) => shapeOf(await quotaOf(deps, await find(request.params.id))),
  );
  app.put(
    path,
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
      return shapeOf(await quotaOf(deps, subject));
    },
  );
}

async function quotaOf({ quotas }: Pick<Deps, 'quotas'>, { kind, id }: QuotaSubject): Promise<StoredQuota> {
  return kind === 'user' ? quotas.ofUser(id) : quotas.ofProject(id);
}

function shapeOf({ quotaBytes, usedBytes }: StoredQuota): Quota {
  return { quota_bytes: quotaBytes, used_bytes: usedBytes };
}
