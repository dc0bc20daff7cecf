import type { NotificationKind } from '../../contract/notifications/notifications.ts';
import type { Database, Transaction } from '../../database/port/database.ts';
import { inTexts } from '../../database/port/dialect.ts';
import { read, readValue, write } from '../../database/port/query.ts';
import { all, run } from '../../database/port/steps.ts';
import { tell, type Happening } from './outbox.ts';

/** Something that lasts, as it was found. */
export interface Condition {
  /** Subject of the condition; each has at most one condition of a kind. */
  readonly subject: string;
  /** Another mark is another episode, which is told anew. */
  readonly mark: string;
  /** For how long it has to last before it is told, in milliseconds. */
  readonly afterMs: number;
  readonly happening: Omit<Happening, 'kind'>;
}

export interface ConditionsStore {
  /** Subjects of conditions that were found when it was last looked. */
  known(kind: NotificationKind): Promise<ReadonlySet<string>>;
  /**
   * Takes note of all conditions of a kind that there are now, and tells each once, in one
   * transaction. What is not among them is over, and is told again when it returns.
   *
   * @param elapsedMs for how long the service has run since it last looked.
   * @param gather puts what is to be told at once into fewer happenings.
   * @returns how many happenings were told.
   */
  observe(
    kind: NotificationKind,
    found: readonly Condition[],
    elapsedMs: number,
    gather?: (due: readonly Condition[]) => readonly Omit<Happening, 'kind'>[],
  ): Promise<number>;
}

interface Row {
  readonly subject: string;
  readonly mark: string;
  readonly lasted_ms: number;
  readonly is_told: 0 | 1;
}

const subjects = readValue<[string], string>('SELECT subject FROM conditions WHERE kind = ?');
const ofKind = read<[string], Row>('SELECT subject, mark, lasted_ms, is_told FROM conditions WHERE kind = ?');
const lasts = write<[number, string]>('UPDATE conditions SET lasted_ms = lasted_ms + ? WHERE kind = ? AND is_told = 0');
const begin = write<[string, string, string]>(
  `INSERT INTO conditions (kind, subject, mark, lasted_ms, is_told) VALUES (?, ?, ?, 0, 0)
   ON CONFLICT (kind, subject) DO UPDATE SET mark = excluded.mark, lasted_ms = 0, is_told = 0`,
);
const told = write<[string, string]>(`UPDATE conditions SET is_told = 1 WHERE kind = ? AND ${inTexts('subject', '?')}`);
const end = write<[string, string]>(`DELETE FROM conditions WHERE kind = ? AND ${inTexts('subject', '?')}`);

const each = (due: readonly Condition[]): readonly Omit<Happening, 'kind'>[] => due.map(({ happening }) => happening);

/** Conditions that last, such as a disk with little space, so that each is told once. */
export function conditionsStore(database: Database): ConditionsStore {
  function* observe(
    kind: NotificationKind,
    found: readonly Condition[],
    elapsedMs: number,
    gather: (due: readonly Condition[]) => readonly Omit<Happening, 'kind'>[],
  ): Transaction<number> {
    const known = new Map((yield* all(ofKind, kind)).map((row) => [row.subject, row]));
    if (elapsedMs > 0 && known.size > 0) yield* run(lasts, elapsedMs, kind);
    const due: Condition[] = [];
    for (const one of found) {
      const row = known.get(one.subject);
      const isNew = row?.mark !== one.mark;
      if (isNew) yield* run(begin, kind, one.subject, one.mark);
      const lasted = isNew ? 0 : (row?.lasted_ms ?? 0) + elapsedMs;
      if (lasted >= one.afterMs && (isNew || row?.is_told === 0)) due.push(one);
    }
    const still = new Set(found.map(({ subject }) => subject));
    const over = [...known.keys()].filter((subject) => !still.has(subject));
    if (over.length > 0) yield* run(end, kind, JSON.stringify(over));
    if (due.length === 0) return 0;
    yield* run(told, kind, JSON.stringify(due.map(({ subject }) => subject)));
    const happenings = gather(due);
    for (const happening of happenings) yield* tell({ ...happening, kind });
    return happenings.length;
  }

  return {
    known: async (kind) => new Set(await database.all(subjects, kind)),
    observe: async (kind, found, elapsedMs, gather = each) =>
      database.transaction(() => observe(kind, found, elapsedMs, gather)),
  };
}
