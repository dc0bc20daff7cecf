import rateLimit from '@fastify/rate-limit';
import type { Server } from 'node:http';
import os from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { claimData, type ClaimedData } from './claimed-data.ts';
import { checkFacility } from './facility-check.ts';
import { setupCodeOf } from './first-run/setup-code.ts';
import { LogFile } from './logging/log-file.ts';
import { createLogger, standardError } from './logging/logging.ts';
import type { ServiceConfig } from './config/config.ts';
import { openConfigured } from './database/engines/open-configured.ts';
import { registerIngestRoutes } from './errors/ingest/ingest-routes.ts';
import { addRawHandler } from './http/server/raw-handler.ts';
import { authentication } from './auth/authentication.ts';
import { BodyBudget } from './http/server/body-budget.ts';
import { descriptorLimit, withinDescriptors } from './http/server/descriptor-limit.ts';
import { defaultListenerLimits } from './http/server/listener-limits.ts';
import { serviceMetrics } from './metrics/health-metrics.ts';
import { countRequests } from './health/health-routes.ts';
import { relayEvents } from './health/relay-events.ts';
import { allowedHosts } from './http/server/host-check.ts';
import { limitUnfinished } from './http/server/limit-unfinished.ts';
import { collectOpenApi } from './http/openapi/openapi.ts';
import { confirmAccessChanges } from './http/server/confirm-access.ts';
import { refuseWhenCutOff } from './http/server/refuse-cut-off.ts';
import { defaultAccessGraceMs } from './database/cluster/unconfirmed.ts';
import { createApp, protectedPart } from './http/server/server.ts';
import { reachableHost, storeBaseUrl } from './base-url.ts';
import { mayBeStrict } from './http/server/strict-transport.ts';
import { closeListeners, listenOnTcp, listenOnPrivateSocket, openConnections } from './http/server/listeners.ts';
import { downloadScopes, registerDownloadRoutes } from './measurements/download/download-routes.ts';
import { registerWebdav } from './measurements/webdav/webdav-routes.ts';
import { storedFamilies } from './instrumentation/stored-families.ts';
import { SelfTest } from './network/self-test.ts';
import { Sharing } from './network/sharing.ts';
import { registerOAuthModule } from './oauth/oauth-module.ts';
import { makeFirstHosts } from './outgoing/first-hosts.ts';
import { ownError } from './own-errors/error-payload.ts';
import { takeCrashReport, writeCrashReport } from './own-errors/crash-report.ts';
import { OwnErrors } from './own-errors/own-errors.ts';
import { withProjectAsOneSegment } from './projects/project-address.ts';
import { tlsMaterial } from './http/server/tls-material.ts';
import { trustedProxies } from './http/server/trusted-proxies.ts';
import { installationKey } from './secrets/installation-key.ts';
import { registerRoutes } from './service-routes.ts';
import { noteStorage } from './measurements/objects/storage-setting.ts';
import { createServices, type Services } from './services.ts';
import { tokenResolver } from './auth/token-resolver.ts';
import { tokenReuse } from './tokens/token-reuse.ts';
import { tokenUses } from './auth/token-uses.ts';
import { startBackgroundTasks } from './background-tasks.ts';

export interface RunningService {
  readonly url: string;
  readonly port: number;
  /**
   * SHA-256 of a self-signed certificate, for clients to compare; null with an authority's, or
   * without TLS.
   */
  readonly fingerprint: string | null;
  readonly services: Services;
  /** The one-time code for creating the first account from a browser; null when there is an account. */
  readonly setupCode: string | null;
  /**
   * Stops accepting, gives running requests the grace period (ten seconds by default), then closes
   * the database.
   */
  stop(graceMs?: number): Promise<void>;
  /** Records, synchronously, an error that is about to end the process. */
  fail(error: unknown): void;
  /** Records that the process that started the service has ended without stopping it. */
  parentGone(): Promise<unknown>;
}

const defaultGraceMs = 10_000;

/**
 * Starts the whole service on a data directory.
 *
 * @throws StartError with a line for the user when it cannot.
 */
export async function startService(wanted: ServiceConfig): Promise<RunningService> {
  const data = await claimData(wanted);
  try {
    const service = await startOn(data);
    if (data.restored)
      await service.services.audit.record({
        userId: null,
        action: 'data.restore',
        subject: 'data',
        detail: `${data.restored.from}, as of ${data.restored.as_of}`,
      });
    return service;
  } catch (error) {
    data.release(data.last === 'clean');
    throw error;
  }
}

async function startOn({ config, last, release }: ClaimedData): Promise<RunningService> {
  const ownErrors = new OwnErrors();
  const logFile = new LogFile(config.dataDir, config.log ?? standardError());
  const log = createLogger(config.logLevel, logFile, (error, message) => ownErrors.logged(error, message));
  const own = { name: config.replicaName ?? os.hostname(), version: config.version, serves: true };
  const opened = await openConfigured({ ...config, process: own }, (error, message) =>
    log.error({ err: error }, message),
  );
  const tls = config.tls ? await tlsMaterial(config.tls, config.dataDir) : null;
  const services = await createServices(config, opened.context, log, ownErrors);
  if (config.database)
    await checkFacility(services).catch(async (error: unknown) => {
      await opened.close();
      throw error;
    });
  await noteStorage(services);
  await makeFirstHosts(services, async () => services.errorSettings.apiUrls());
  let url = config.baseUrl ?? '';
  const baseUrl = () => url;

  const proxies = trustedProxies(config.trustedProxies ?? []);
  const uses = tokenUses(services.tokens);
  const csrfKey = installationKey(services.secrets, log, 'forms');
  const setupCode = setupCodeOf(installationKey(services.secrets, log, 'the setup code'));
  const resolver = tokenResolver({ ...services, onReuse: tokenReuse(services) });
  const auth = authentication({
    tokens: resolver,
    uses,
    sessions: services.sessions,
    users: services.users,
    settings: services.settings,
    launchSecret: config.window ? Buffer.from(config.window.secret) : null,
    csrfKey,
    baseUrl,
  });
  const selfTest = new SelfTest();
  const sharing = new Sharing({ ...services, selfTest });
  const spokenTls = () => sharing.tls ?? tls;
  const hostAllowed = allowedHosts(baseUrl, config.host, sharing.answersTo);
  // The listener for the network takes the rest, if there may be one.
  const listenerLimits = withinDescriptors(
    { ...defaultListenerLimits, ...config.listenerLimits },
    descriptorLimit(),
    config.window ? 2 / 3 : 1,
  );
  const app = await createApp({
    log,
    tls,
    proxies,
    listenerLimits,
    bodyBudget: new BodyBudget(),
    hostAllowed,
    rewriteUrl: withProjectAsOneSegment,
  });
  const deps = { ...services, auth, resolver, baseUrl, csrfKey, setupCode };
  await collectOpenApi(app);
  await app.register(rateLimit, { global: false });
  let windowListener: Server | null = null;
  const metrics = serviceMetrics({
    counters: services.counters,
    version: config.version,
    stored: storedFamilies(services),
    connections: async () => {
      const [everybody, window, network] = await Promise.all(
        [[app.server], windowListener ? [windowListener] : [], sharing.servers].map(openConnections),
      );
      return [
        ['everybody', everybody ?? 0] as const,
        ['window', window ?? 0] as const,
        ['network', network ?? 0] as const,
      ];
    },
  });
  countRequests(app, metrics);
  refuseWhenCutOff(app, services.cluster);
  const serving = registerDownloadRoutes(app, { ...deps, proxies, hostAllowed, metrics });
  const sending = serving.transfers;
  registerWebdav(app, serving, { auth, scopes: downloadScopes });
  confirmAccessChanges(app, { ...services, accessGraceMs: config.accessGraceMs ?? defaultAccessGraceMs });
  await registerOAuthModule(app, deps);
  await registerIngestRoutes(app, { ...deps, proxies, hostAllowed, metrics });
  // Before any handler that reads a body.
  addRawHandler(app, limitUnfinished(proxies, listenerLimits.maxUnfinishedPerClient));
  const rest = { ...deps, metrics, selfTest, sharing, sending, spokenTls, flushLog: () => logFile.flush() };
  await protectedPart(app, mayBeStrict(config.baseUrl, tls), async (part) => registerRoutes(part, rest));

  let port: number;
  try {
    port = await listenOnTcp(app, config.host, config.port);
    if (config.baseUrl === null) url = `${tls ? 'https' : 'http'}://${reachableHost(config.host)}:${port}`;
    await storeBaseUrl(services.settings, url);
    windowListener = config.window ? await listenOnPrivateSocket(app, config.window.socketPath) : null;
    await sharing.start(app, sending);
  } catch (error) {
    await app.close();
    await opened.close();
    throw error;
  }
  metrics.begin();
  ownErrors.connect(services);
  const crashReport = takeCrashReport(config.dataDir);
  if (crashReport) ownErrors.report(crashReport);
  const stopBackgroundTasks = startBackgroundTasks(services, uses, last);
  const stopRelaying = relayEvents(services);

  return {
    url,
    port,
    fingerprint: tls?.selfSigned ? tls.sha256 : null,
    services,
    setupCode: (await services.users.isEmpty()) ? setupCode.value : null,
    stop: async (graceMs = defaultGraceMs) => {
      app.draining.begun = true;
      if (config.drainMs !== undefined) await setTimeout(Math.min(config.drainMs, graceMs));
      services.writeLock.stop();
      await stopBackgroundTasks();
      await closeListeners(app, windowListener, () => sharing.servers, graceMs);
      // A full disk must not keep the service from ending.
      await uses.flush().catch((error: unknown) => log.warn({ err: error }, 'last use of tokens not written'));
      stopRelaying();
      await opened.close();
      logFile.close();
      release(services.endCheck.settled);
    },
    fail: (error) => {
      log.fatal({ err: error }, 'the service ends unexpectedly');
      writeCrashReport(config.dataDir, error);
    },
    parentGone: async () =>
      ownErrors.record(
        ownError(new Error('The window’s process ended without stopping the service.'), {
          source: 'window',
          during: 'the life of the window',
          level: 'fatal',
        }),
      ),
  };
}
