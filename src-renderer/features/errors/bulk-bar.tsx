import { useStore } from 'zustand';
import { useApp } from '../../app/context.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format/quantities.ts';
import { errorMenu } from './error-menu.tsx';
import styles from './errors-screen.module.css';

/** What can be done with several errors at once. */
export function BulkBar({ count, onClear }: { readonly count: number; readonly onClear: () => void }) {
  const { commands, onMac } = useApp();
  const handlers = useStore(commands, (state) => state.handlers);
  return (
    <div className={styles['bulk']} role="toolbar" aria-label="With the selected errors">
      <span className="digits">{formatCount(count)} selected</span>
      {errorMenu(handlers, onMac).map((entry) =>
        entry.kind === 'item' ? (
          <Button key={entry.id} icon={entry.icon} onClick={entry.run}>
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
