import type { StoreContext } from '../../database/store-context.ts';
import { conditionsStore, type ConditionsStore } from './conditions-store.ts';
import { deliveriesStore, type DeliveriesStore } from './deliveries-store.ts';
import { errorRatesStore, type ErrorRatesStore } from './error-rates-store.ts';
import { happeningsStore, type HappeningsStore } from './happenings-store.ts';
import { notificationRulesStore, type NotificationRulesStore } from './notification-rules-store.ts';

export interface NotificationStores {
  readonly notificationRules: NotificationRulesStore;
  readonly deliveries: DeliveriesStore;
  readonly happenings: HappeningsStore;
  readonly conditions: ConditionsStore;
  readonly errorRates: ErrorRatesStore;
}

export function notificationStores({ database, retried, background }: StoreContext): NotificationStores {
  return {
    notificationRules: retried(notificationRulesStore(database)),
    deliveries: background(deliveriesStore(database)),
    happenings: background(happeningsStore(database)),
    conditions: background(conditionsStore(database)),
    errorRates: errorRatesStore(database),
  };
}
