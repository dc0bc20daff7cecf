import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';

/** The rows of a long list that are in view, and a few around them. */
export function useRowsOnScreen(count: number, rowHeight: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    useFlushSync: false,
  });
  return { scroller, virtual, rows: virtual.getVirtualItems(), height: virtual.getTotalSize() };
}

/** The rows in view of a list that is loaded in pages, and the numbers of their pages. */
export function usePagesOnScreen(count: number, rowHeight: number, pageSize: number) {
  const { scroller, rows, height } = useRowsOnScreen(count, rowHeight);
  const first = Math.floor((rows[0]?.index ?? 0) / pageSize);
  const last = Math.floor((rows.at(-1)?.index ?? 0) / pageSize);
  return {
    scroller,
    rows,
    height,
    pages: Array.from({ length: last - first + 1 }, (_, step) => first + step),
    /** The item of a row, where its page is among those loaded for `pages`. */
    itemAt: <Item>(loaded: readonly (readonly Item[] | undefined)[], index: number): Item | undefined =>
      loaded[Math.floor(index / pageSize) - first]?.[index % pageSize],
  };
}
