import { Trash2, Undo2 } from 'lucide-react';
import { countOf, formatBytes } from '../../../../src-shared/format/quantities.ts';
import { plainText } from '../../../../src-shared/format/shown-text.ts';
import type { RemovedMeasurement } from '../../../api/requests/types.ts';
import { useUnits } from '../../../context/context.ts';
import { Button, IconButton } from '../../../ui/controls/button.tsx';
import { Moment } from '../../../ui/figures/moment.tsx';
import styles from './removed.module.css';

export interface RemovedRowProps {
  readonly removed: RemovedMeasurement;
  /** Whether those of several owners are listed. */
  readonly namesOwner: boolean;
  readonly busy: boolean;
  readonly onRestore: () => void;
  readonly onRemove: () => void;
}

/** A removed measurement, with what can be done with it. */
export function RemovedRow({ removed, namesOwner, busy, onRestore, onRemove }: RemovedRowProps) {
  const units = useUnits();
  const { measurement_id: id, owner, removed_by: by } = removed;
  return (
    <li className={styles['row']} aria-label={`${id}, removed`}>
      <div className={styles['text']}>
        <span className="named">{plainText(id)}</span>
        {removed.title === id ? null : <span className="breakable">{plainText(removed.title)}</span>}
        <span className="pieces">
          <span>
            {countOf(removed.file_count, 'file')}, {formatBytes(removed.total_bytes, units)}
            {removed.storage === 'reference' ? ', in their own folder' : ''}
          </span>
          {namesOwner ? <span>of {plainText(owner.username)}</span> : null}
          <span>
            removed <Moment at={removed.removed_at} /> {by === null ? 'at the command line' : `by ${plainText(by)}`}
          </span>
          <span>
            removed for good <Moment at={removed.restorable_until} />
          </span>
        </span>
      </div>
      <span className={styles['buttons']}>
        <Button icon={<Undo2 aria-hidden />} busy={busy} aria-label={`Restore ${plainText(id)}`} onClick={onRestore}>
          Restore
        </Button>
        <IconButton label={`Remove ${plainText(id)} for good…`} icon={<Trash2 />} disabled={busy} onClick={onRemove} />
      </span>
    </li>
  );
}
