/** Calls `tell` at once, and then at most once in `milliseconds` however often it is asked to; the last time is never lost. */
export function throttle(intervalMs: number, action: () => void): () => void {
  let waiting = false;
  let again = false;
  function startInterval(): void {
    waiting = true;
    setTimeout(() => {
      waiting = false;
      if (!again) return;
      again = false;
      action();
      startInterval();
    }, intervalMs).unref();
  }
  return () => {
    if (waiting) {
      again = true;
      return;
    }
    action();
    startInterval();
  };
}
