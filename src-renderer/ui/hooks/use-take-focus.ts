import { useEffect, useRef, type RefObject } from 'react';

/** For what comes in the place of a form whose button had the focus: its first button takes the focus over, and with it comes into view. */
export function useTakeFocus<E extends HTMLElement>(): RefObject<E | null> {
  const place = useRef<E>(null);
  useEffect(() => place.current?.querySelector('button')?.focus(), []);
  return place;
}
