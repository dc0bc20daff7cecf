import { useEffect, useRef } from 'react';

/**
 * Focuses the list when its detail was closed: while covered by the detail, the list cannot take
 * the focus.
 */
export function useFocusAfterDetail(openId: string | number | null, focusList: () => void): void {
  const before = useRef(openId);
  const focus = useRef(focusList);
  useEffect(() => {
    focus.current = focusList;
  });
  useEffect(() => {
    if (openId === null && before.current !== null) focus.current();
    before.current = openId;
  }, [openId]);
}
