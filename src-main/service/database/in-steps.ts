import type { StepLimits } from './port/database.ts';

/**
 * Processes many rows in steps and yields to the event loop between them. The size of a step
 * follows from the duration of the one before.
 *
 * @param step processes about `size` rows and returns whether there are more.
 */
export async function inSteps(
  { maxMs, maxRows }: StepLimits,
  size: number,
  step: (size: number) => Promise<boolean>,
): Promise<void> {
  let rows = size;
  for (;;) {
    const began = performance.now();
    if (!(await step(rows))) return;
    const took = performance.now() - began;
    if (took > maxMs) rows = Math.max(100, Math.floor(rows / 2));
    else if (took < maxMs / 4) rows = Math.min(2 * rows, Math.max(size, maxRows));
    await new Promise(setImmediate);
  }
}
