import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useElementWidth } from '../hooks/use-element-width.ts';

/** Rows rendered beyond each edge of the view, so that scrolling shows rendered rows. */
const around = 10;

/** The visible part of a list, in pixels from its top. */
export interface ListView {
  readonly top: number;
  readonly height: number;
}

/** The rows at the edges of the view, rendered or not. */
export interface SeenRows {
  readonly first: number;
  readonly last: number;
}

/** The rows to render, both ends included; for an empty list `last` is before `first`. */
export function rowsInView(seen: SeenRows, count: number): SeenRows {
  const last = Math.min(count - 1, seen.last + around);
  return { first: Math.max(0, Math.min(seen.first - around, last)), last };
}

/**
 * The scroll position at which a row is fully visible below heads of height `above`; null when it
 * is visible already.
 */
export function scrollToRow(view: ListView, above: number, rowHeight: number, index: number): number | null {
  const top = index * rowHeight;
  if (top < view.top) return top;
  const end = above + top + rowHeight;
  return end > view.top + view.height ? end - view.height : null;
}

/**
 * The rows in view as it moves. Nothing here forces a layout, which would delay every key and
 * scroll step: positions come from browser events, and `view` is the last reported position, or the
 * one scrolled to since.
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
