import { Button } from '../controls/button.tsx';
import styles from './bulk-bar.module.css';
import { formatCount } from '../../../src-shared/format/quantities.ts';
import type { MenuEntry } from '../controls/menu.tsx';

export interface BulkBarProps {
  /** Label for screen readers, such as `With the selected tokens`. */
  readonly label: string;
  readonly count: number;
  /** Lines and headings are left out. */
  readonly actions: readonly MenuEntry[];
  readonly onClear: () => void;
}

/** A bar above a list with the actions on all selected rows, visible while several are selected. */
export function BulkBar({ label, count, actions, onClear }: BulkBarProps) {
  if (count < 2) return null;
  return (
    <div className={styles['bar']} role="toolbar" aria-label={label}>
      <span className="digits">{formatCount(count)} selected</span>
      {actions.map((entry) =>
        entry.kind === 'item' ? (
          <Button key={entry.id} icon={entry.icon} disabled={entry.disabled ?? false} onClick={entry.run}>
            {entry.label}
          </Button>
        ) : null,
      )}
      <Button look="quiet" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
