import type { Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

/** What axe is to look at; the whole page with all its rules unless told otherwise. */
export interface Sight {
  /** A selector. */
  readonly within?: string | undefined;
  readonly rules?: readonly string[];
}

/**
 * What axe finds, a line for each rule that is broken. It is put into each document once and asked for violations only: the package made for Playwright
 * injects it for each look, has the results put together in a page that it opens for that, and takes twelve times as long. None of our pages has frames.
 */
export async function axeFindings(page: Page, { within, rules = [] }: Sight = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: RunOptions = {
    resultTypes: ['violations'],
    preload: false,
    ...(rules.length > 0 && { runOnly: [...rules] }),
  };
  const { violations } = await page.evaluate(
    ([selector, how]) => (window as unknown as { readonly axe: typeof axe }).axe.run(selector, how),
    [within ?? 'html', options] as const,
  );
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary ?? ''}`).join('; ')}`,
  );
}
