/** Polls until a condition holds. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`it did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
