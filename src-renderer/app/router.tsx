import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { ApplicationsScreen } from '../features/applications/applications-screen.tsx';
import { readApplicationsSearch } from '../features/applications/applications-search.ts';
import { AccountScreen } from '../features/account/account-screen.tsx';
import { AuditScreen } from '../features/audit/audit-screen.tsx';
import { readAuditSearch } from '../features/audit/audit-search.ts';
import { AllErrors } from '../features/errors/all-errors.tsx';
import { CaptureScreen } from '../features/capture/capture-screen.tsx';
import { readCaptureSearch } from '../features/capture/runs/capture-search.ts';
import { CopiesScreen } from '../features/copies/copies-screen.tsx';
import { readCopiesSearch } from '../features/copies/copies-search.ts';
import { ErrorsHome } from '../features/errors/errors-home.tsx';
import { ErrorsScreen } from '../features/errors/errors-screen.tsx';
import { ReleasesScreen } from '../features/errors/releases-screen.tsx';
import { readErrorsSearch } from '../features/errors/search/errors-search.ts';
import { FleetScreen } from '../features/fleet/fleet-screen.tsx';
import { readFleetSearch } from '../features/fleet/fleet-search.ts';
import { FirstRunScreen } from '../features/first-run/first-run-screen.tsx';
import { MeasurementsScreen } from '../features/measurements/measurements-screen.tsx';
import { readListSearch } from '../features/measurements/list/list-search.ts';
import { NotificationsScreen } from '../features/notifications/notifications-screen.tsx';
import { ProjectSettingsScreen } from '../features/projects/project-settings-screen.tsx';
import { readProjectSearch } from '../features/projects/project-search.ts';
import { ProjectsScreen } from '../features/projects/projects-screen.tsx';
import { SettingsScreen } from '../features/settings/settings-screen.tsx';
import { ServersScreen } from '../features/servers/servers-screen.tsx';
import { readServersSearch } from '../features/servers/servers-search.ts';
import { readTokensSearch } from '../features/tokens/token-prefill.ts';
import { SharingScreen } from '../features/sharing/sharing-screen.tsx';
import { readSharingSearch } from '../features/sharing/sharing-search.ts';
import { TokensScreen } from '../features/tokens/tokens-screen.tsx';
import { readTransfersSearch } from '../features/transfers/list/transfers-search.ts';
import { TransfersScreen } from '../features/transfers/transfers-screen.tsx';
import { UsersScreen } from '../features/users/users-screen.tsx';
import { readUsersSearch } from '../features/users/users-search.ts';
import { Root, Broken, NotHere, inWindow, forAdministrators } from './route-frames.tsx';

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotHere });

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/measurements', replace: true });
  },
});

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup',
  validateSearch: (search: Record<string, unknown>): { code?: string } =>
    typeof search['code'] === 'string' || typeof search['code'] === 'number' ? { code: String(search['code']) } : {},
});

const measurementsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/measurements',
  validateSearch: readListSearch,
  component: MeasurementsScreen,
});
const measurementRoute = createRoute({ getParentRoute: () => measurementsRoute, path: '$measurementId' });
const transfersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/transfers',
  validateSearch: readTransfersSearch,
  component: inWindow('Transfers', TransfersScreen),
});
const transferRoute = createRoute({ getParentRoute: () => transfersRoute, path: '$fetchId' });
const copiesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/copies',
  validateSearch: readCopiesSearch,
  component: inWindow('Copies', CopiesScreen),
});
const captureRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/capture',
  validateSearch: readCaptureSearch,
  component: inWindow('Capture', CaptureScreen),
});
const serversRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/servers',
  validateSearch: readServersSearch,
  component: inWindow('Servers', ServersScreen),
});
const serverRoute = createRoute({ getParentRoute: () => serversRoute, path: '$serverId' });
const errorsHomeRoute = createRoute({ getParentRoute: () => rootRoute, path: '/errors', component: ErrorsHome });
const allErrorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/errors/all',
  validateSearch: readErrorsSearch,
  component: AllErrors,
});
const errorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$path/errors',
  validateSearch: readErrorsSearch,
  component: ErrorsScreen,
});
const releasesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$path/releases',
  component: ReleasesScreen,
});
const errorRoute = createRoute({ getParentRoute: () => errorsRoute, path: '$errorId' });
const projectsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/projects', component: ProjectsScreen });
const projectSettingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$path/settings',
  validateSearch: readProjectSearch,
  component: ProjectSettingsScreen,
});
const tokensRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tokens',
  validateSearch: readTokensSearch,
  component: TokensScreen,
});
const applicationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/applications',
  validateSearch: readApplicationsSearch,
  component: ApplicationsScreen,
});
const applicationRoute = createRoute({ getParentRoute: () => applicationsRoute, path: '$applicationId' });
const accountRoute = createRoute({ getParentRoute: () => rootRoute, path: '/account', component: AccountScreen });
const notificationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account/notifications',
  component: NotificationsScreen,
});
const notificationRuleRoute = createRoute({ getParentRoute: () => notificationsRoute, path: '$ruleId' });
const usersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/users',
  validateSearch: readUsersSearch,
  component: forAdministrators('Users', UsersScreen),
});
const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: forAdministrators('Audit trail', AuditScreen),
});
const benchesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/benches',
  validateSearch: readFleetSearch,
  component: forAdministrators('Benches', FleetScreen),
});
const benchRoute = createRoute({ getParentRoute: () => benchesRoute, path: '$benchId' });
const sharingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sharing',
  validateSearch: readSharingSearch,
  component: forAdministrators('Sharing', SharingScreen),
});
const firstRunRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/first-run',
  component: inWindow('Set up Benchport', FirstRunScreen),
});
const settingsRoute = createRoute({ getParentRoute: () => rootRoute, path: '/settings', component: SettingsScreen });

const routeTree = rootRoute.addChildren([
  indexRoute,
  setupRoute,
  measurementsRoute.addChildren([measurementRoute]),
  transfersRoute.addChildren([transferRoute]),
  copiesRoute,
  captureRoute,
  serversRoute.addChildren([serverRoute]),
  errorsHomeRoute,
  allErrorsRoute,
  errorsRoute.addChildren([errorRoute]),
  releasesRoute,
  projectsRoute,
  projectSettingsRoute,
  tokensRoute,
  applicationsRoute.addChildren([applicationRoute]),
  accountRoute,
  notificationsRoute.addChildren([notificationRuleRoute]),
  usersRoute,
  auditRoute,
  benchesRoute.addChildren([benchRoute]),
  sharingRoute,
  firstRunRoute,
  settingsRoute,
]);

/** The paths of the screens, all under /ui/, because /measurements belongs to the download API. */
export function createAppRouter() {
  // The router treats every origin that is not http as foreign, including the window's own scheme.
  const origin = window.location.protocol === 'app:' ? { origin: 'http://localhost' } : {};
  return createRouter({ routeTree, basepath: '/ui', trailingSlash: 'never', defaultErrorComponent: Broken, ...origin });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
