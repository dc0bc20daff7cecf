import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { commands } from '../../context/command-catalogue.ts';
import { useApp } from '../../context/context.ts';
import styles from './shortcut-help.module.css';
import { showKeys } from '../../context/shortcuts.ts';

const groups = [
  'Go to',
  'View',
  'Measurements',
  'Transfers',
  'Servers',
  'Errors',
  'List',
  'Projects',
  'Tokens',
  'Applications',
] as const;

/** Every shortcut of the catalogue. */
export function ShortcutHelp({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const { onMac, desktop } = useApp();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Keyboard shortcuts"
      description="No shortcut works while you type in a field."
      width="wide"
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A scrolling region must be reachable by keyboard. */}
      <div className={styles['groups']} role="group" aria-label="Shortcuts" tabIndex={0}>
        {groups.map((group) => {
          const shown = commands.filter(
            (command) =>
              command.group === group &&
              command.shortcuts.length > 0 &&
              (desktop === null ? command.desktopOnly !== true : command.browserOnly !== true),
          );
          return shown.length === 0 ? null : (
            <section key={group}>
              <h3>{group}</h3>
              <dl>
                {shown.map((command) => (
                  <div key={command.id} className={styles['row']}>
                    <dt>{command.title.replace('…', '')}</dt>
                    <dd>
                      {command.shortcuts.map((keys) => (
                        <kbd key={keys} className="key">
                          {showKeys(keys, onMac)}
                        </kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
    </Dialog>
  );
}
