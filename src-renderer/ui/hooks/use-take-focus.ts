import { useEffect, useRef, type RefObject } from 'react';

/**
 * For content that replaces a form whose button had the focus: its first button gets the focus and
 * scrolls into view.
 */
export function useTakeFocus<E extends HTMLElement>(): RefObject<E | null> {
  const place = useRef<E>(null);
  useEffect(() => place.current?.querySelector('button')?.focus(), []);
  return place;
}
