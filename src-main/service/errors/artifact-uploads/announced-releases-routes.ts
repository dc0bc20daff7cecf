import { Type } from 'typebox';
import { AnnouncedRelease } from '../../contract/announced-releases.ts';
import { Problem } from '../../contract/common.ts';
import { ProjectParams } from '../../contract/projects.ts';
import type { App } from '../../http/app.ts';
import { isoTime } from '../../common/iso-time.ts';
import { errorProject } from '../settings/error-project.ts';
import type { ProjectStores } from '../../projects/stores.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

const maxListed = 100;
const shownDeploys = 5;

/** Registers the route for the list of a project's announced releases, which the screen shows. */
export function registerAnnouncedReleasesRoutes(
  app: App,
  deps: Pick<ProjectStores, 'projects'> & Pick<ErrorStores, 'announcedReleases'> & Pick<ServiceContext, 'auth'>,
): void {
  app.get(
    '/api/v4/projects/:id/error_tracking/releases',
    {
      onRequest: deps.auth.require('read_api'),
      schema: {
        tags: ['errors'],
        summary: 'The last hundred releases that build tools announced, the newest first, with their deploys',
        operationId: 'listAnnouncedReleases',
        params: ProjectParams,
        response: { 200: Type.Array(AnnouncedRelease), 404: Problem },
      },
    },
    async (request) => {
      const project = await errorProject(deps, request, 'reporter');
      const rows = await deps.announcedReleases.list(project.id, maxListed);
      return Promise.all(
        rows.map(async (row): Promise<AnnouncedRelease> => {
          const { deploys: deployCount, source_maps: sourceMaps } = await deps.announcedReleases.counts(row);
          const deploys = await deps.announcedReleases.deploys(row.id, shownDeploys);
          return {
            version: row.version,
            url: row.url,
            archived: row.archived === 1,
            announced_at: isoTime(row.created_at),
            released_at: row.released_at === null ? null : isoTime(row.released_at),
            source_maps: sourceMaps,
            deploy_count: deployCount,
            deploys: deploys.map(({ environment, name, url, finished_at }) => ({
              environment,
              name,
              url,
              finished_at: isoTime(finished_at),
            })),
          };
        }),
      );
    },
  );
}
