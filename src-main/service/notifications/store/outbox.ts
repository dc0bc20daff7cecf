import type { NotificationKind } from '../../contract/notifications/notifications.ts';
import type { Transaction } from '../../database/port/database.ts';
import { write } from '../../database/port/query.ts';
import { run } from '../../database/port/steps.ts';

/** Something that rules may tell of. */
export interface Happening {
  readonly kind: NotificationKind;
  /** Kind and id, such as `measurement:qmr-114`; messages about one subject keep their order. */
  readonly subject: string;
  readonly measurement_id: string | null;
  readonly project_id: number | null;
  /** Whom alone it is told to; null where ownership and memberships decide. */
  readonly user_id: number | null;
  readonly title: string;
}

const insert = write<Happening & { now: number }>(
  `INSERT INTO outbox (at, kind, subject, measurement_id, project_id, user_id, title)
   VALUES (@now, @kind, @subject, @measurement_id, @project_id, @user_id, @title)`,
);

const maxTitle = 300;

/** Has it told, in the transaction in which it happens. */
export function* tell(happening: Omit<Happening, 'user_id'> & { readonly user_id?: number | null }): Transaction<void> {
  const { user_id: userId = null, title } = happening;
  yield* run(insert, { ...happening, user_id: userId, title: title.slice(0, maxTitle), now: Date.now() });
}

/** A measurement that the members of a project may read now, for the rules of the project. */
export function* tellProjectOf(id: string, projectId: number): Transaction<void> {
  const subject = `measurement:${id}`;
  yield* tell({ kind: 'run-registered', subject, measurement_id: id, project_id: projectId, title: '' });
}

/** A happening of a measurement, whose title is looked up when it is told. */
export function* tellOfMeasurement(kind: NotificationKind, id: string): Transaction<void> {
  yield* tell({ kind, subject: `measurement:${id}`, measurement_id: id, project_id: null, title: '' });
}
