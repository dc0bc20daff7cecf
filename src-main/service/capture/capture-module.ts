import { throttle } from '../../../src-shared/throttle.ts';
import type { App } from '../http/app.ts';
import { registerCaptureRoutes, type CaptureRoutesDeps } from './capture-routes.ts';
import { ScanThreads } from './scanning/scan-threads.ts';
import { CaptureWatcher, type WatcherDeps } from './watching/capture-watcher.ts';

const announceEveryMs = 1000;

type Deps = Omit<CaptureRoutesDeps, 'wake'> & Omit<WatcherDeps, 'clock' | 'changed' | 'threads' | 'lookEveryMs'>;

/** Registers watched folders, and looks at them while the service runs. A facility watches none. */
export function registerCapture(app: App, deps: Deps): void {
  const { config, events } = deps;
  const watcher = new CaptureWatcher({
    ...deps,
    clock: { now: Date.now, steady: () => performance.now() },
    threads: new ScanThreads(),
    changed: throttle(announceEveryMs, () => events.emit('changed', { topic: 'captures' })),
    lookEveryMs: config.lookEveryMs,
  });
  registerCaptureRoutes(app, { ...deps, wake: () => watcher.wake() });
  if (config.database) return;
  app.addHook('onReady', async () => watcher.start());
  app.addHook('preClose', async () => watcher.stop());
}
