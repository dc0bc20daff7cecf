import { useEffect, useLayoutEffect, useRef } from 'react';

/**
 * When a preview closes, what it was opened from has the focus again: a small picture, or the tree
 * of files. Where that is gone, its file in the list has it, or the tree with its cursor there.
 */
export function useFocusAfterPreview(file: number | null): void {
  const before = useRef(file);
  const from = useRef<Element | null>(null);
  // Before the preview takes the focus.
  useLayoutEffect(() => {
    if (file !== null && before.current === null) from.current = document.activeElement;
  }, [file]);
  useEffect(() => {
    if (file === null && before.current !== null) {
      const opener = from.current;
      const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
      (isThere
        ? opener
        : (document.querySelector<HTMLElement>(`[data-file-index="${before.current}"]`) ??
          document.querySelector<HTMLElement>('[data-files]'))
      )?.focus();
    }
    before.current = file;
  }, [file]);
}
