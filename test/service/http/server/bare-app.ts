import type { App } from '../../../../src-main/service/http/app.ts';
import { BodyBudget } from '../../../../src-main/service/http/server/body-budget.ts';
import { defaultListenerLimits } from '../../../../src-main/service/http/server/listener-limits.ts';
import { createApp } from '../../../../src-main/service/http/server/server.ts';
import { createLogger } from '../../../../src-main/service/logging/logging.ts';
import { trustedProxies } from '../../../../src-main/service/http/server/trusted-proxies.ts';

/** The application without any routes. */
export function bareApp(bodyBudget = new BodyBudget()): Promise<App> {
  return createApp({
    log: createLogger('silent'),
    tls: null,
    proxies: trustedProxies([]),
    listenerLimits: defaultListenerLimits,
    bodyBudget,
    hostAllowed: () => true,
    rewriteUrl: (address) => address,
  });
}
