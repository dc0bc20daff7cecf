import type { Transaction } from '../../database/port/database.ts';
import { tell } from '../../notifications/store/outbox.ts';

interface SilentBench {
  readonly id: string;
  readonly name: string;
  /** When it was last heard, in milliseconds since 1970. */
  readonly since: number;
}

/** More at once are one happening, such as a switch that lost power. */
const maxSingle = 3;

/**
 * Has administrators told of benches that became silent, once for each time.
 *
 * @param unheardSince since when no bench at all is heard; null when that is not so, or was told.
 */
export function* tellOfSilence(silent: readonly SilentBench[], unheardSince: number | null): Transaction<void> {
  const common = { kind: 'bench-silent', measurement_id: null, project_id: null } as const;
  if (unheardSince !== null)
    yield* tell({
      ...common,
      subject: 'fleet',
      title: `no bench at all has reported since ${timeOf(unheardSince)}. Perhaps this server is cut off.`,
    });
  if (silent.length > maxSingle) {
    const names = silent.map(({ name }) => name).join(', ');
    yield* tell({ ...common, subject: 'fleet', title: `${silent.length} benches at once: ${names}` });
    return;
  }
  for (const { id, name, since } of silent)
    yield* tell({ ...common, subject: `bench:${id}`, title: `${name}, last heard at ${timeOf(since)}` });
}

function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
