/**
 * Limits how often an action runs: the first call runs it at once, and calls within the following
 * interval are combined into one run at its end. The timer does not keep the process alive.
 */
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
