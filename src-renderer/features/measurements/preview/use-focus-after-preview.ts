import { useEffect, useRef } from 'react';

/** When a preview closes, its file in the list has the focus, or the tree of files with its cursor there. */
export function useFocusAfterPreview(file: number | null): void {
  const before = useRef(file);
  useEffect(() => {
    if (file === null && before.current !== null)
      (
        document.querySelector<HTMLElement>(`[data-file-index="${before.current}"]`) ??
        document.querySelector<HTMLElement>('[data-files]')
      )?.focus();
    before.current = file;
  }, [file]);
}
