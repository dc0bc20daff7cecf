/** Makes a function that may be called as often as one likes and acts at most once in so many milliseconds: at once, and after a burst once more. */
export function throttle(intervalMs: number, act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let again = false;
  const run = (): void => {
    again = false;
    act();
    timer = setTimeout(() => {
      timer = undefined;
      if (again) run();
    }, intervalMs);
  };
  return () => {
    if (timer === undefined) run();
    else again = true;
  };
}
