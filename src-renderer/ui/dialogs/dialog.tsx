import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { IconButton } from '../controls/button.tsx';
import styles from './dialog.module.css';
import { plainText } from '../../../src-shared/format/shown-text.ts';
import { SilenceNote } from '../notes/silence-note.tsx';

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** May contain names from other users. */
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  readonly footer?: ReactNode;
  readonly width?: 'narrow' | 'medium' | 'wide';
  /**
   * A dialog that must be answered (a secret shown once) has no close button and ignores Esc and
   * clicks beside it.
   */
  readonly mustAnswer?: boolean;
}

/**
 * Focuses the first field of a form, rather than the close button. Not after a touch, which would
 * open the on-screen keyboard over the form.
 */
function firstField(popup: HTMLElement | null, how: string): HTMLElement | true {
  return how === 'touch'
    ? true
    : (popup?.querySelector<HTMLElement>('form :is(input:not([hidden]), textarea, select)') ?? true);
}

/** A modal dialog: a verb or a question as its title, one scroller, its buttons at the bottom. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  width = 'medium',
  mustAnswer = false,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      open={open}
      onOpenChange={(next) => !next && !mustAnswer && onClose()}
      disablePointerDismissal={mustAnswer}
    >
      <Base.Portal>
        <Base.Backdrop className={styles['backdrop']} />
        <Base.Popup
          className={`${styles['popup']} ${styles[width]}`}
          ref={popup}
          initialFocus={(how) => firstField(popup.current, how)}
        >
          <header className={styles['header']}>
            <Base.Title className={styles['title']}>{plainText(title)}</Base.Title>
            {mustAnswer ? null : <IconButton label="Close" icon={<X />} onClick={onClose} />}
          </header>
          <SilenceNote />
          <div className={styles['body']}>
            {description === undefined ? null : (
              <Base.Description render={<div />} className={styles['description']}>
                {description}
              </Base.Description>
            )}
            {children}
          </div>
          {footer === undefined ? null : <footer className={styles['footer']}>{footer}</footer>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
