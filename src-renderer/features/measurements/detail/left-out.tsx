import type { MeasurementDetail } from '../../../api/requests/types.ts';
import { countOf, formatCount } from '../../../../src-shared/format/quantities.ts';
import { FindingLine } from '../dialogs/finding-line.tsx';
import styles from '../dialogs/register-dialog.module.css';

/** Files that were left out at registration, each with its reason. */
export function LeftOut({ leftOut }: { readonly leftOut: NonNullable<MeasurementDetail['left_out']> }) {
  const { total, names } = leftOut;
  return (
    <details className="remark">
      <summary>{countOf(total, 'name')} left out at registration</summary>
      <ul className={styles['lines']}>
        {names.map((name) => (
          <li key={name}>
            <FindingLine line={name} />
          </li>
        ))}
        {total > names.length ? <li>and {formatCount(total - names.length)} more</li> : null}
      </ul>
    </details>
  );
}
