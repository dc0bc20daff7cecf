/**
 * Does work now and then regularly, one at a time.
 *
 * @param onError told of failures, after which it goes on.
 * @returns a function that ends it and waits for what is under way.
 */
export function repeatedly(
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let running: Promise<void> | null = null;
  const begin = (): void => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = null;
      });
  };
  begin();
  const timer = setInterval(begin, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
