import { throttle } from '../../../src-shared/throttle.ts';
import type { Cluster } from '../database/cluster/cluster.ts';
import { whileLeading } from '../database/cluster/while-leading.ts';
import type { App } from '../http/app.ts';
import type { ServiceContext } from '../http/service-context.ts';
import type { ServiceConfig } from '../config/config.ts';
import { signingKey } from '../secrets/signing-key.ts';
import type { Subscribers } from '../common/subscribers.ts';
import type { PowerEvent } from '../process/host-protocol.ts';
import { registerBenchRoutes, type BenchRoutesDeps } from './benches/bench-routes.ts';
import { registerReportRoute, type ReportRouteDeps } from './benches/report-route.ts';
import { watchBenches } from './benches/watch-benches.ts';
import { DiskSizes } from './reporting/disk-sizes.ts';
import { Reporter, type ReporterDeps } from './reporting/reporter.ts';
import { benchKey } from './signing/signed-report.ts';

type Deps = Omit<BenchRoutesDeps, 'version' | 'changed'> &
  Omit<ReportRouteDeps, 'changed'> &
  Omit<ReporterDeps, 'key' | 'now' | 'steady' | 'random' | 'diskSizes' | 'config' | 'lookEveryMs'> &
  Pick<ServiceContext, 'settings' | 'secrets' | 'events' | 'log'> & {
    readonly config: ServiceConfig;
    readonly cluster: Pick<Cluster, 'replica' | 'leads'>;
    readonly power: Subscribers<PowerEvent>;
  };

const announceEveryMs = 2000;

/**
 * Registers the benches that report here, and the reports of this bench to the servers that it
 * pushes to. A facility pushes nowhere and reports to nobody.
 */
export function registerFleet(app: App, deps: Deps): void {
  const changed = throttle(announceEveryMs, () => deps.events.emit('changed', { topic: 'benches' }));
  registerReportRoute(app, { ...deps, changed });
  registerBenchRoutes(app, { ...deps, version: deps.config.version, changed });
  let end: () => Promise<void> = async () => {};
  app.addHook('onReady', async () => {
    end = whileLeading(deps.cluster, () => watchBenches({ ...deps, changed }));
  });
  app.addHook('preClose', async () => end());
  if (!deps.config.database) report(app, deps);
}

function report(app: App, deps: Deps): void {
  const reporter = new Reporter({
    ...deps,
    key: signingKey(deps, benchKey),
    now: Date.now,
    steady: () => performance.now(),
    random: Math.random,
    diskSizes: new DiskSizes(),
    lookEveryMs: deps.config.lookEveryMs,
  });
  const endPower = deps.power.add((what) => {
    if (what === 'suspend') void reporter.suspend();
    else reporter.resume();
  });
  app.addHook('onReady', async () => reporter.start());
  app.addHook('preClose', async () => {
    endPower();
    await reporter.stop();
  });
}
