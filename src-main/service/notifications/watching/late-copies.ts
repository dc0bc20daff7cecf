import { groupBy } from './group-by.ts';
import { grouped } from '../../common/grouped.ts';
import type { CopyStores } from '../../copies/store/stores.ts';
import type { UnsentCopy } from '../../copies/store/late-copies-store.ts';
import type { Condition } from '../store/conditions-store.ts';
import type { Happening } from '../store/outbox.ts';
import type { NotificationStores } from '../store/stores.ts';

export type LateCopiesDeps = Pick<CopyStores, 'lateCopies'> & Pick<NotificationStores, 'conditions'>;

/** How long a copy may make no progress while the service runs before its owner is told. */
const lateAfterMs = 24 * 3_600_000;
/** More of one owner and server are told in one happening. */
const maxSeparate = 20;

type Told = Omit<Happening, 'kind'>;

/**
 * @returns a function that tells of copies that make no progress. A copy that waits for its turn is
 * late only if no other copy to its server gets on.
 */
export function lateCopies({
  lateCopies: copies,
  conditions,
}: LateCopiesDeps): (elapsedMs: number, afterMs?: number) => Promise<void> {
  let before: ReadonlyMap<string, string> = new Map();
  return async (elapsedMs, afterMs = lateAfterMs) => {
    const progress = await copies.progress();
    const getsOn = (server: string): boolean =>
      before.has(server) && progress.has(server) && before.get(server) !== progress.get(server);
    const found = (await copies.unsent()).filter(
      ({ state, attempts, base_url: server }) => state !== 'queued' || attempts > 0 || !getsOn(server),
    );
    before = progress;
    const owners = new Map(found.map((copy) => [`copy:${copy.id}`, copy]));
    const conditionsFound = found.map((copy) => conditionOf(copy, afterMs));
    await conditions.observe('copy-late', conditionsFound, elapsedMs, (due) => gather(due, owners));
  };
}

function conditionOf(copy: UnsentCopy, afterMs: number): Condition {
  const { id, measurement_id: measurementId, manifest_sha256: manifest, server_name: server, message } = copy;
  return {
    subject: `copy:${id}`,
    mark: `${manifest} ${copy.bytes_done}`,
    afterMs,
    happening: {
      subject: `measurement:${measurementId}`,
      measurement_id: measurementId,
      project_id: null,
      user_id: null,
      title: `to ${server}: ${message ?? 'it makes no progress'}`,
    },
  };
}

/** Many copies of one owner to one server are late for one reason. */
function gather(due: readonly Condition[], copies: ReadonlyMap<string, UnsentCopy>): readonly Told[] {
  const groups = groupBy(due, ({ subject }) => {
    const copy = copies.get(subject);
    return `${copy?.owner_id ?? ''} ${copy?.base_url ?? ''}`;
  });
  return [...groups.values()].flatMap((group): readonly Told[] => {
    const first = copies.get(group[0]?.subject ?? '');
    if (group.length <= maxSeparate || !first) return group.map(({ happening }) => happening);
    return [
      {
        subject: `copies:${first.base_url}`,
        measurement_id: null,
        project_id: null,
        user_id: first.owner_id,
        title: `${grouped(group.length)} copies to ${first.server_name} make no progress`,
      },
    ];
  });
}
