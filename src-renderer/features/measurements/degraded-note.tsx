import { useQuery } from '@tanstack/react-query';
import { useApp } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { countOf } from '../../../src-shared/format/quantities.ts';
import { Note } from '../../ui/notes/note.tsx';
import styles from './degraded-note.module.css';

/**
 * A note above the list that files of some measurements are not as registered, with a button to
 * show only those.
 */
export function DegradedNote({
  shown,
  onShow,
}: {
  readonly shown: boolean;
  readonly onShow: (problems: boolean) => void;
}) {
  const count = useQuery(useApp().queries.degradedMeasurements()).data ?? 0;
  if (count === 0 && !shown) return null;
  return (
    <Note kind={count > 0 ? 'bad' : 'info'}>
      <div className={styles['line']}>
        <p>
          {count === 0
            ? 'No measurement has files that are not as registered.'
            : `${countOf(count, 'measurement')} ${count === 1 ? 'has' : 'have'} files that are not as registered.`}
        </p>
        <Button onClick={() => onShow(!shown)}>{shown ? 'Show all measurements' : 'Show only these'}</Button>
      </div>
    </Note>
  );
}
