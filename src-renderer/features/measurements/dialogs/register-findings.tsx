import type { Inspection } from '../../../api/requests/types.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { countOf } from '../../../../src-shared/format/quantities.ts';
import { Note } from '../../../ui/notes/note.tsx';
import { FindingLine } from './finding-line.tsx';
import styles from './register-dialog.module.css';
import { byReason } from './warnings.ts';

export interface RefusalsProps {
  readonly inspection: Inspection;
  /** False once the user chose to leave these files out. */
  readonly refused: boolean;
  readonly onLookAgain: () => void;
  readonly onLeaveOut: () => void;
  /** Null for the last path. */
  readonly onLeaveOutOfAll: (() => void) | null;
}

/** Files that cannot be registered, and the choice to leave them out. */
export function Refusals({ inspection, refused, onLookAgain, onLeaveOut, onLeaveOutOfAll }: RefusalsProps) {
  const names = namesOf(inspection.refusals);
  return (
    <Note kind={refused ? 'bad' : 'warn'}>
      <p>
        <strong>
          {refused
            ? `${names} cannot be registered.`
            : `${names} will be left out. The list is kept with the measurement.`}
        </strong>
      </p>
      <ul className={styles['lines']}>
        {inspection.refusals.map((line) => (
          <li key={line}>
            <FindingLine line={line} />
          </li>
        ))}
      </ul>
      {refused ? (
        <div className="buttons">
          <Button onClick={onLookAgain}>Look again</Button>
          {inspection.file_count > 0 ? (
            <>
              <Button onClick={onLeaveOut}>Leave {names} out and register the rest</Button>
              {onLeaveOutOfAll === null ? null : (
                <Button onClick={onLeaveOutOfAll}>Do this for all remaining items</Button>
              )}
            </>
          ) : null}
        </div>
      ) : null}
    </Note>
  );
}

/** Warnings, and names that the ignore list leaves out. */
export function MinorFindings({ inspection }: { readonly inspection: Inspection }) {
  return (
    <>
      {inspection.warnings.length === 0 ? null : (
        <Note kind="warn">
          <Warnings lines={inspection.warnings} />
        </Note>
      )}
      {inspection.ignored.length === 0 ? null : (
        <details className="remark">
          <summary>{countOf(inspection.ignored.length, 'name')} left out by the ignore list</summary>
          <Lines lines={inspection.ignored} />
        </details>
      )}
    </>
  );
}

/** Counts the names in refusals; the last line may read `and N more`. */
function namesOf(refusals: readonly string[]): string {
  const rest = Number(/^and ([\d\s]+) more$/u.exec(refusals.at(-1) ?? '')?.[1]?.replaceAll(/\s/gu, '') ?? 0);
  return countOf(rest > 0 ? refusals.length - 1 + rest : refusals.length, 'name');
}

/** Warnings, with those that share a reason folded into one line. */
function Warnings({ lines }: { readonly lines: readonly string[] }) {
  const { single, shared } = byReason(lines);
  return (
    <>
      {single.length === 0 ? null : <Lines lines={single} />}
      {shared.map(({ reason, names }) => (
        <details key={reason}>
          <summary>
            {reason.slice(0, 1).toUpperCase() + reason.slice(1)}: {countOf(names.length, 'name')}
          </summary>
          <Lines lines={names} />
        </details>
      ))}
    </>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul className={styles['lines']}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
