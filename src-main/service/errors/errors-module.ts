import type { App } from '../http/app.ts';
import { registerAnnouncedReleasesRoutes } from './artifact-uploads/announced-releases-routes.ts';
import { registerReleaseRoutes } from './artifact-uploads/release-routes.ts';
import { registerArtifactUploads } from './artifact-uploads/upload-routes.ts';
import { registerErrorDetailRoutes } from './issues/error-detail-routes.ts';
import { registerErrorListRoutes } from './issues/error-list-routes.ts';
import { registerErrorMergeRoutes } from './merging/error-merge-routes.ts';
import { registerErrorProjectRoutes } from './issues/error-project-routes.ts';
import { registerScreenRedirects } from './gitlab-screens/redirects.ts';
import { registerGitlabScreens } from './gitlab-screens/routes.ts';
import { registerSentryIssues } from './sentry-api/issue-routes.ts';
import { registerSentryProjects } from './sentry-api/project-routes.ts';
import { registerSourceMapRoutes } from './source-maps/source-maps-routes.ts';
import type { ServiceConfig } from '../config/config.ts';
import type { SourceMapReader } from './source-maps/source-map-thread.ts';
import type { AccountStores } from '../accounts/store/stores.ts';
import type { ProjectStores } from '../projects/stores.ts';
import type { ErrorStores } from './store/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { OutgoingDeps } from '../outgoing/outgoing-hosts.ts';
import type { ShortLivedStores } from '../short-lived/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = Pick<AccountStores, 'users'> &
  Pick<ProjectStores, 'projects'> &
  ErrorStores &
  Pick<AuditStores, 'audit'> &
  Pick<ShortLivedStores, 'shortLived'> &
  OutgoingDeps &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'diskSpace' | 'events' | 'log' | 'secrets'> & {
    readonly config: ServiceConfig;
    readonly sourceMapReader: SourceMapReader;
  };

/** Registers all routes that read and change errors; ingestion is registered separately. */
export function registerErrorsModule(app: App, deps: Deps): void {
  registerErrorListRoutes(app, deps);
  registerErrorDetailRoutes(app, deps);
  registerErrorMergeRoutes(app, deps);
  registerErrorProjectRoutes(app, deps);
  registerGitlabScreens(app, deps);
  registerScreenRedirects(app);
  registerSourceMapRoutes(app, deps);
  registerSentryProjects(app, deps);
  registerSentryIssues(app, deps);
  registerArtifactUploads(app, deps);
  registerReleaseRoutes(app, deps);
  registerAnnouncedReleasesRoutes(app, deps);
}
