import { PlaceFact } from './place-fact.tsx';
import type { BackupState } from '../../../api/requests/types.ts';
import { useUnits } from '../../../context/context.ts';
import { countOf, formatBytes } from '../../../../src-shared/format/quantities.ts';
import { Moment } from '../../../ui/figures/moment.tsx';
import { Note } from '../../../ui/notes/note.tsx';
import { useNow } from '../../../ui/hooks/use-now.ts';
import { Fact } from '../../../ui/figures/fact.tsx';
import facts from '../../../ui/styles/facts.module.css';

const day = 86_400_000;
const oldAfter = 30 * day;

/** The state of backups, with a reminder where no useful one exists. */
export function BackupFacts({ state: { last, failed, schedule, restored } }: { readonly state: BackupState }) {
  const units = useUnits();
  // Restored data is in a backup, even though the restored records do not list that backup.
  const newest = last?.made_at ?? restored?.as_of ?? null;
  const now = useNow().getTime();
  const isOld = newest !== null && now - Date.parse(newest) > oldAfter;
  return (
    <>
      {failed === null ? null : (
        <Note kind="bad">
          <p>
            The last backup failed <Moment at={failed.at} />. {failed.reason}
          </p>
        </Note>
      )}
      {newest === null ? (
        <Note kind="warn">
          <p>There is no backup yet. If this disk fails, users, tokens, errors and the library are lost.</p>
        </Note>
      ) : null}
      {isOld ? (
        <Note kind="warn">
          <p>The last backup is old. Anything newer would be lost with this disk.</p>
        </Note>
      ) : null}
      {last?.there === false ? (
        <Note kind="warn">
          <p>
            The last backup is no longer where it was written. If you have not moved it to a safe place, make another
            one.
          </p>
        </Note>
      ) : null}
      {last !== null && last.left_out > 0 ? (
        <Note kind="bad">
          <p>
            {countOf(last.left_out, 'file')} of the library could not be put into the last backup: missing or damaged.
            Verify the measurements.
          </p>
        </Note>
      ) : null}
      <dl className={facts['facts']}>
        {last === null ? null : (
          <>
            <Fact term="Last backup">
              <span>
                <Moment at={last.made_at} />, {countOf(last.measurements, 'measurement')},{' '}
                {formatBytes(last.bytes, units)}
              </span>
            </Fact>
            {last.file === null ? null : <PlaceFact term="File" path={last.file} label="Show file in folder" />}
          </>
        )}
        {schedule === null ? null : (
          <Fact term="Automatic">
            <span>
              every {schedule.every}, the newest {schedule.keep} kept; next <Moment at={schedule.next_at} />
            </span>
          </Fact>
        )}
        {restored === null ? null : (
          <>
            <Fact term="Restored">
              <span>
                <Moment at={restored.restored_at} />, as it was <Moment at={restored.as_of} />
              </span>
            </Fact>
            {restored.before === null ? null : (
              <PlaceFact term="Previous data" path={restored.before} label="Show previous data in folder" />
            )}
          </>
        )}
      </dl>
    </>
  );
}
