import { useEffect, useRef } from 'react';

/** Back to the list when its detail was closed: only then may the list that it covered have the focus again. */
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
