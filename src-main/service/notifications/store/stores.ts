import type { StoreContext } from '../../database/store-context.ts';
import { deliveriesStore, type DeliveriesStore } from './deliveries-store.ts';
import { notificationRulesStore, type NotificationRulesStore } from './notification-rules-store.ts';

export interface NotificationStores {
  readonly notificationRules: NotificationRulesStore;
  readonly deliveries: DeliveriesStore;
}

export function notificationStores({ database, retried, background }: StoreContext): NotificationStores {
  return {
    notificationRules: retried(notificationRulesStore(database)),
    deliveries: background(deliveriesStore(database)),
  };
}
