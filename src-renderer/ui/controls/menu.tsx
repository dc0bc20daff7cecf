import { ContextMenu as BaseContext } from '@base-ui/react/context-menu';
import { Menu as Base } from '@base-ui/react/menu';
import { Check, Ellipsis } from 'lucide-react';
import { useEffect, useRef, type ReactElement, type ReactNode, type RefObject } from 'react';
import { IconButton } from './button.tsx';
import styles from './menu.module.css';

/** An entry of menus, context menus and the palette. */
export type MenuEntry =
  | {
      readonly kind: 'item';
      readonly id: string;
      readonly label: string;
      readonly icon?: ReactNode;
      readonly shortcut?: string;
      readonly danger?: boolean;
      readonly disabled?: boolean;
      /** For one of several choices: whether it is the current one. */
      readonly checked?: boolean;
      readonly run: () => void;
    }
  | { readonly kind: 'line'; readonly id: string }
  | { readonly kind: 'heading'; readonly id: string; readonly label: string };

function renderEntry(entry: MenuEntry): ReactElement {
  if (entry.kind === 'line') return <Base.Separator key={entry.id} className={styles['line']} />;
  if (entry.kind === 'heading') {
    return (
      <div key={entry.id} className={styles['heading']} role="presentation">
        {entry.label}
      </div>
    );
  }
  if (entry.checked !== undefined) {
    return (
      <Base.CheckboxItem
        key={entry.id}
        className={styles['item']}
        checked={entry.checked}
        onCheckedChange={entry.run}
        closeOnClick
        label={entry.label}
      >
        <span className={styles['icon']}>{entry.checked ? <Check /> : null}</span>
        <span className={styles['label']}>{entry.label}</span>
      </Base.CheckboxItem>
    );
  }
  return (
    <Base.Item
      key={entry.id}
      className={`${styles['item']} ${entry.danger === true ? styles['danger'] : ''}`}
      disabled={entry.disabled ?? false}
      onClick={entry.run}
      label={entry.label}
    >
      <span className={styles['icon']}>{entry.icon}</span>
      <span className={styles['label']}>{entry.label}</span>
      {entry.shortcut === undefined ? null : <kbd className={styles['shortcut']}>{entry.shortcut}</kbd>}
    </Base.Item>
  );
}

/** Menus are rendered inside the content, so that users who navigate by landmarks find them. */
function useContent(): RefObject<HTMLElement | null> {
  const content = useRef<HTMLElement | null>(null);
  useEffect(() => {
    content.current = document.querySelector('main');
  }, []);
  return content;
}

/** The content of a menu, for callers that render their own entries. */
export function MenuEntries({ entries }: { readonly entries: readonly MenuEntry[] }) {
  return entries.map((entry) => renderEntry(entry));
}

export interface MenuProps {
  readonly trigger: ReactElement;
  readonly entries: readonly MenuEntry[];
  readonly side?: 'top' | 'bottom' | 'right';
  readonly align?: 'start' | 'end';
}

/** A button that opens a menu. */
export function Menu({ trigger, entries, side = 'bottom', align = 'start' }: MenuProps) {
  const content = useContent();
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal container={content}>
        <Base.Positioner sideOffset={4} side={side} align={align} className={styles['positioner']}>
          <Base.Popup className={styles['popup']}>
            <MenuEntries entries={entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** The menu of further actions behind three dots. */
export function MoreMenu({
  label = 'More actions',
  entries,
  align = 'end',
}: { readonly label?: string } & Pick<MenuProps, 'entries' | 'align'>) {
  return (
    <Menu align={align} entries={entries} trigger={<IconButton label={label} icon={<Ellipsis aria-hidden />} />} />
  );
}

export interface ContextMenuProps {
  /** The entries as a component of their own: they are created only once the menu opens. */
  readonly menu: ReactElement;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/** The context menu of a whole area. */
export function ContextMenu({ menu, children, className }: ContextMenuProps) {
  const content = useContent();
  return (
    <BaseContext.Root>
      <BaseContext.Trigger className={className}>{children}</BaseContext.Trigger>
      <BaseContext.Portal container={content}>
        <BaseContext.Positioner className={styles['positioner']}>
          <BaseContext.Popup className={styles['popup']}>{menu}</BaseContext.Popup>
        </BaseContext.Positioner>
      </BaseContext.Portal>
    </BaseContext.Root>
  );
}
