/** Calls `tell` at once, and then at most once in `milliseconds` however often it is asked to; the last time is never lost. */
export function atMostEach(milliseconds: number, tell: () => void): () => void {
  let waiting = false;
  let again = false;
  function soon(): void {
    waiting = true;
    setTimeout(() => {
      waiting = false;
      if (!again) return;
      again = false;
      tell();
      soon();
    }, milliseconds).unref();
  }
  return () => {
    if (waiting) {
      again = true;
      return;
    }
    tell();
    soon();
  };
}
