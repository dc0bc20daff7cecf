import { registerAccount } from './accounts/account-module.ts';
import { registerSessionRoutes } from './first-run/session-routes.ts';
import type { SetupCode } from './first-run/setup-code.ts';
import { registerSignInRoutes } from './accounts/sign-in/sign-in-routes.ts';
import { registerUserRoutes } from './accounts/users/user-routes.ts';
import { registerAuditRetentionRoutes } from './audit/trail/audit-retention-routes.ts';
import { registerAuditRoutes } from './audit/trail/audit-routes.ts';
import { registerCapture } from './capture/capture-module.ts';
import { registerCopies } from './copies/copies-module.ts';
import { registerDiagnosticsRoutes } from './diagnostics/diagnostics-routes.ts';
import { registerClientKeyRoutes } from './errors/settings/client-keys-routes.ts';
import { registerErrorsModule } from './errors/errors-module.ts';
import { registerConnectionRoutes } from './errors/external/connection-routes.ts';
import { registerErrorSettingsRoutes } from './errors/settings/settings-routes.ts';
import { registerFetching } from './fetching/fetch-module.ts';
import { registerFetchReceipts } from './fetching/receipts/fetch-receipt-routes.ts';
import { registerFleet } from './fleet/fleet-module.ts';
import type { App } from './http/app.ts';
import type { Authentication } from './http/authentication.ts';
import { registerEventsRoute } from './health/events-route.ts';
import type { Metrics } from './metrics/health-metrics.ts';
import { registerHealthRoutes } from './health/health-routes.ts';
import { guardLists } from './http/list-queries.ts';
import { registerOpenApi } from './http/openapi/openapi.ts';
import { registerPages } from './http/pages/pages.ts';
import { registerRendererFiles } from './http/pages/renderer-files.ts';
import { registerServiceRoute } from './health/service-route.ts';
import { registerVersionRoute } from './health/version-route.ts';
import { registerJobsModule } from './jobs-module.ts';
import { registerMeasurementRoutes } from './measurements/routes.ts';
import type { Transfers } from './measurements/transfers/transfers.ts';
import { registerNotifications } from './notifications/notifications-module.ts';
import { registerCertificate } from './network/certificate-route.ts';
import type { SelfTest } from './network/self-test.ts';
import { registerSharing } from './network/sharing-module.ts';
import type { Sharing } from './network/sharing.ts';
import type { TlsMaterial } from './http/server/tls-material.ts';
import { registerApplicationAdminRoutes } from './oauth/applications/application-admin-routes.ts';
import { registerApplicationRoutes } from './oauth/applications/application-routes.ts';
import { registerAuthorizeRoutes } from './oauth/authorize/authorize-routes.ts';
import { registerAuthorizedRoutes } from './oauth/grants/authorized-routes.ts';
import { registerDeviceRoutes } from './oauth/device/device-routes.ts';
import { registerProfileRedirects } from './oauth/profile-redirects.ts';
import { registerSignInSettingsRoutes } from './oauth/applications/sign-in-settings-routes.ts';
import { registerOutgoingRoutes } from './outgoing/outgoing-routes.ts';
import { registerOwnErrorRoutes } from './own-errors/own-errors-routes.ts';
import { registerProjectRoutes } from './projects/project-routes.ts';
import { registerReceiptRoutes } from './receipts/receipt-routes.ts';
import { registerServers } from './servers/servers-module.ts';
import type { Services } from './services.ts';
import { registerTimelineRoutes } from './timeline/timeline-routes.ts';
import { registerTokenRoutes } from './tokens/routes/token-routes.ts';

export interface RouteDeps extends Services {
  readonly auth: Authentication;
  readonly baseUrl: () => string;
  readonly csrfKey: Buffer;
  readonly setupCode: SetupCode;
  readonly metrics: Metrics;
  readonly selfTest: SelfTest;
  readonly sharing: Sharing;
  /** The running downloads. */
  readonly sending: Transfers;
  /** The TLS material of the listener that speaks TLS; null when none does. */
  readonly spokenTls: () => TlsMaterial | null;
  readonly flushLog: () => void;
}

/**
 * Registers all routes except the busiest (downloads, tokens and intake of events), whose answers
 * omit the headers that protect pages.
 */
export async function registerRoutes(app: App, deps: RouteDeps): Promise<void> {
  const sharedUrl = () => deps.sharing.url;
  guardLists(app, deps.baseUrl);
  registerHealthRoutes(app, deps, deps.metrics);
  registerSessionRoutes(app, deps);
  registerSignInRoutes(app, deps);
  registerUserRoutes(app, deps);
  registerAccount(app, deps);
  registerAuditRoutes(app, deps);
  registerAuditRetentionRoutes(app, deps);
  registerTokenRoutes(app, deps);
  registerApplicationRoutes(app, deps);
  registerApplicationAdminRoutes(app, deps);
  registerAuthorizedRoutes(app, deps);
  registerAuthorizeRoutes(app, deps);
  registerProfileRedirects(app);
  registerDeviceRoutes(app, deps);
  registerSignInSettingsRoutes(app, deps);
  registerProjectRoutes(app, deps);
  registerClientKeyRoutes(app, deps);
  registerErrorSettingsRoutes(app, deps);
  registerErrorsModule(app, deps);
  registerConnectionRoutes(app, deps);
  registerMeasurementRoutes(app, deps);
  registerTimelineRoutes(app, deps);
  registerReceiptRoutes(app, deps);
  registerFleet(app, deps);
  const jobRunner = await registerJobsModule(app, deps);
  registerFetching(app, deps);
  registerCopies(app, { ...deps, jobRunner });
  registerCapture(app, { ...deps, jobRunner });
  registerNotifications(app, deps);
  const remoteFiles = registerServers(app, { ...deps, sharedUrl });
  registerFetchReceipts(app, { ...deps, listedArchive: async (...asked) => remoteFiles.archive(...asked) });
  registerSharing(app, deps);
  registerOutgoingRoutes(app, deps);
  registerOwnErrorRoutes(app, deps);
  registerDiagnosticsRoutes(app, deps, deps.metrics);
  registerServiceRoute(app, { ...deps, sharedUrl });
  registerVersionRoute(app, deps);
  registerCertificate(app, deps.spokenTls);
  registerEventsRoute(app, deps);
  registerOpenApi(app, deps.baseUrl);
  registerPages(app);
  await registerRendererFiles(app, deps.config.rendererDir, deps.config.assetsDir);
}
