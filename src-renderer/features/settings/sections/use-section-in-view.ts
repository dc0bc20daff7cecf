import { useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/** Pixels below the upper edge at which a section counts as current. */
const near = 48;

/**
 * The id of the section of a scroller that is in view. The hash of the address leads to a section,
 * also when it is loaded with the page.
 * @param ready whether the sections have their heights
 */
export function useSectionInView(
  ids: readonly string[],
  ready: boolean,
): { readonly scroller: RefObject<HTMLDivElement | null>; readonly current: string } {
  const scroller = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  const [current, setCurrent] = useState(ids[0] ?? '');
  const names = ids.join(' ');
  const look = useCallback((): void => {
    const view = scroller.current;
    if (view === null) return;
    const edge = view.getBoundingClientRect().top + near;
    const all = names.split(' ');
    const topOf = (id: string): number => document.getElementById(id)?.getBoundingClientRect().top ?? Infinity;
    const atEnd = view.scrollTop + view.clientHeight >= view.scrollHeight - 1;
    const asked = atEnd && all.includes(hash) && topOf(hash) >= edge - near ? hash : undefined;
    setCurrent(
      asked ?? (atEnd && view.scrollTop > 0 ? all.at(-1) : all.findLast((id) => topOf(id) <= edge)) ?? all[0] ?? '',
    );
  }, [names, hash]);
  useEffect(() => {
    const view = scroller.current;
    view?.addEventListener('scroll', look, { passive: true });
    return () => view?.removeEventListener('scroll', look);
  }, [look]);
  useEffect(() => {
    if (!ready || hash === '') return;
    const target = document.getElementById(hash);
    if (target === null) return;
    target.scrollIntoView({ block: 'start' });
    // Keyboard navigation continues from the section.
    target.focus({ preventScroll: true });
    look();
  }, [ready, hash, look]);
  return { scroller, current };
}
