import type { Cluster } from '../database/cluster/cluster.ts';
import { whileLeading } from '../database/cluster/while-leading.ts';
import type { App } from '../http/app.ts';
import { registerMailRoutes } from './mail-routes.ts';
import { registerNotificationRoutes, type NotificationRoutesDeps } from './notification-routes.ts';
import { registerHappeningRoutes, type HappeningRoutesDeps } from './happening-routes.ts';
import { watchConditions, type WatchingDeps } from './watching/watch-conditions.ts';
import { NotificationSender, type SenderDeps } from './sending/notification-sender.ts';

type Deps = NotificationRoutesDeps &
  HappeningRoutesDeps &
  WatchingDeps &
  Omit<SenderDeps, 'now'> & { readonly cluster: Pick<Cluster, 'replica' | 'leads'> };

const passEveryMs = 1000;

/** Registers what is told by mail and webhooks; one process sends for all. */
export function registerNotifications(app: App, deps: Deps): void {
  registerNotificationRoutes(app, deps);
  registerMailRoutes(app, deps);
  registerHappeningRoutes(app, deps);
  let end: () => Promise<void> = async () => {};
  app.addHook('onReady', async () => {
    end = whileLeading(deps.cluster, () => {
      const ends = [
        startSending({ ...deps, now: Date.now }),
        ...(deps.config.watches === false ? [] : [watchConditions(deps)]),
      ];
      return async () => void (await Promise.all(ends.map(async (one) => one())));
    });
  });
  app.addHook('preClose', async () => end());
}

/** @returns what ends it, and waits for messages that are being sent. */
function startSending(deps: SenderDeps): () => Promise<void> {
  const sender = new NotificationSender(deps);
  let passing: Promise<void> | null = null;
  const timer = setInterval(() => {
    passing ??= sender
      .pass()
      .catch((error: unknown) => deps.log.error({ err: error }, 'notifications were not sent'))
      .finally(() => {
        passing = null;
      });
  }, passEveryMs);
  return async () => {
    clearInterval(timer);
    await passing;
    await sender.settled();
  };
}
