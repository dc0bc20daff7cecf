import type { StoreContext } from '../../database/store-context.ts';
import { conditionsStore } from './conditions-store.ts';
import { deliveriesStore } from './deliveries-store.ts';
import { errorRatesStore } from './error-rates-store.ts';
import { happeningsStore } from './happenings-store.ts';
import { notificationRulesStore } from './notification-rules-store.ts';

export function notificationStores({ database, retried, background }: StoreContext) {
  return {
    notificationRules: retried(notificationRulesStore(database)),
    deliveries: background(deliveriesStore(database)),
    happenings: background(happeningsStore(database)),
    conditions: background(conditionsStore(database)),
    errorRates: errorRatesStore(database),
  };
}

export type NotificationStores = ReturnType<typeof notificationStores>;
