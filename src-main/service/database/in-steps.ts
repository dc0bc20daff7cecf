// A step that takes longer than this is followed by a smaller one.
const maxStepMs = 2;

/**
 * Processes many rows in steps and yields to the event loop between them. The size of a step
 * follows from the duration of the one before.
 *
 * @param step processes about `size` rows and returns whether there are more.
 */
export async function inSteps(size: number, step: (size: number) => Promise<boolean>): Promise<void> {
  let rows = size;
  for (;;) {
    const began = performance.now();
    if (!(await step(rows))) return;
    const took = performance.now() - began;
    if (took > maxStepMs) rows = Math.max(100, Math.floor(rows / 2));
    else if (took < maxStepMs / 4) rows *= 2;
    await new Promise(setImmediate);
  }
}
