// A step that takes longer than this is followed by a smaller one.
const maxStepMs = 2;

/**
 * Looks through many rows in steps between which the event loop serves everything else. The size of a step follows what the last one took.
 *
 * @param step looks at about `size` rows. @returns whether there is more to look at.
 */
export async function inSteps(size: number, step: (size: number) => boolean): Promise<void> {
  let rows = size;
  for (;;) {
    const began = performance.now();
    if (!step(rows)) return;
    const took = performance.now() - began;
    if (took > maxStepMs) rows = Math.max(100, Math.floor(rows / 2));
    else if (took < maxStepMs / 4) rows *= 2;
    await new Promise(setImmediate);
  }
}
