import { useEffect } from 'react';

/**
 * Keeps a held Tab key within an open dialog. At its end the focus is on a guard, which moves it to
 * the other end in the next frame; a second Tab within that frame would leave the dialog.
 */
export function useHeldTab(): void {
  useEffect(() => {
    const wait = (event: KeyboardEvent): void => {
      if (event.key === 'Tab' && document.activeElement?.hasAttribute('data-base-ui-focus-guard') === true)
        event.preventDefault();
    };
    document.addEventListener('keydown', wait, true);
    return () => document.removeEventListener('keydown', wait, true);
  }, []);
}
