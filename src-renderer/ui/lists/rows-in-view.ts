import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useElementWidth } from '../hooks/use-element-width.ts';

/** Rows that exist beyond each edge of the view, so that scrolling meets drawn rows. */
const around = 10;

/** What of a list is seen, in pixels from its top. */
export interface ListView {
  readonly top: number;
  readonly height: number;
}

/** The rows at the edges of the view, drawn or not. */
export interface SeenRows {
  readonly first: number;
  readonly last: number;
}

/** The rows that have to exist, both ends included; of an empty list `last` is before `first`. */
export function rowsInView(seen: SeenRows, count: number): SeenRows {
  const last = Math.min(count - 1, seen.last + around);
  return { first: Math.max(0, Math.min(seen.first - around, last)), last };
}

/** Where the view has to begin for a row to be seen whole, with the heads of height `above` over its upper edge; null when it is seen already. */
export function scrollToRow(view: ListView, above: number, rowHeight: number, index: number): number | null {
  const top = index * rowHeight;
  if (top < view.top) return top;
  const end = above + top + rowHeight;
  return end > view.top + view.height ? end - view.height : null;
}

/**
 * Which rows the view holds as it moves. Nothing here asks the page for its layout, which a key or a step of scrolling would have to wait for: positions are
 * read when the browser tells of them, and `view` is what it told last, or where it was sent since.
 */
export function useView(rowHeightAt: (width: number) => number) {
  const list = useRef<HTMLDivElement>(null);
  const width = useElementWidth(list);
  const rowHeight = rowHeightAt(width);
  const view = useRef<ListView>({ top: 0, height: 800 });
  const [seen, setSeen] = useState<SeenRows>({ first: 0, last: Math.ceil(800 / rowHeight) });
  useLayoutEffect(() => {
    const target = list.current;
    if (target === null) return undefined;
    const look = (): void => {
      const { scrollTop: top, clientHeight: height } = target;
      view.current = { top, height };
      const [first, last] = [Math.floor(top / rowHeight), Math.ceil((top + height) / rowHeight)];
      setSeen((before) => (before.first === first && before.last === last ? before : { first, last }));
    };
    const observer = new ResizeObserver(look);
    observer.observe(target);
    target.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      target.removeEventListener('scroll', look);
    };
  }, [rowHeight]);
  const scrollTo = useCallback((top: number): void => {
    if (view.current.top === top || list.current === null) return;
    view.current = { ...view.current, top };
    list.current.scrollTop = top;
  }, []);
  return { list, width, rowHeight, seen, view, scrollTo };
}
