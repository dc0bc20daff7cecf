import { ContextMenu as BaseContext } from '@base-ui/react/context-menu';
import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import { useEffect, useRef, type ReactElement, type ReactNode, type RefObject } from 'react';
import styles from './menu.module.css';

/** What menus, the context menu and the palette offer for the same thing. */
export type MenuEntry =
  | {
      readonly kind: 'item';
      readonly id: string;
      readonly label: string;
      readonly icon?: ReactNode;
      readonly shortcut?: string;
      readonly danger?: boolean;
      readonly disabled?: boolean;
      /** For a choice among several: whether it is the one that holds now. */
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

/** Menus open inside the content, so that whoever goes from landmark to landmark meets them. */
function useContent(): RefObject<HTMLElement | null> {
  const content = useRef<HTMLElement | null>(null);
  useEffect(() => {
    content.current = document.querySelector('main');
  }, []);
  return content;
}

/** What a menu holds, for one that puts its entries together by itself. */
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

export interface ContextMenuProps {
  /** Its entries, as a component of their own: they are put together only once it opens. */
  readonly menu: ReactElement;
  readonly children: ReactNode;
  readonly className?: string | undefined;
}

/** The menu of the right button, over a whole area. */
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
