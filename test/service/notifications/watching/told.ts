import type { Happenings } from '../../../../src-main/service/contract/notifications/happenings.ts';
import type { NotificationKind } from '../../../../src-main/service/contract/notifications/notifications.ts';
import { until } from '../../until.ts';
import type { NotifyWorld } from '../notify-world.ts';

/** The happenings of a kind that are for a user, in their order, when all that was told is distributed. */
export async function toldOf(world: NotifyWorld, kind: NotificationKind, as?: string): Promise<Happenings> {
  await until(async () => !(await world.service.services.deliveries.hasHappenings()), 'the outbox is empty');
  const { body } = await world.call('GET', '/user/happenings?limit=100', undefined, as);
  return (body as Happenings).filter((one) => one.kind === kind).toReversed();
}
