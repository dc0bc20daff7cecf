import type { App } from '../../../src-main/service/http/app.ts';
import { BodyBudget } from '../../../src-main/service/http/body-budget.ts';
import { usualDoorLimits } from '../../../src-main/service/http/door-limits.ts';
import { createApp } from '../../../src-main/service/http/server.ts';
import { createLogger } from '../../../src-main/service/logging.ts';
import { trustedProxies } from '../../../src-main/service/network/trusted-proxies.ts';

/** The application without a route of its own. */
export function bareApp(bodyBudget = new BodyBudget()): Promise<App> {
  return createApp({
    log: createLogger('silent'),
    tls: null,
    proxies: trustedProxies([]),
    doorLimits: usualDoorLimits,
    bodyBudget,
    hostAllowed: () => true,
    rewriteUrl: (address) => address,
  });
}
