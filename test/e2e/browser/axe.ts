import type { Page } from '@playwright/test';
import axe, { type RunOptions } from 'axe-core';

/** The checked part; by default the whole page with all rules. */
export interface Sight {
  /** A selector. */
  readonly within?: string | undefined;
  readonly rules?: readonly string[];
}

/**
 * Violations found by axe, one line per broken rule. The script is injected once per document and
 * reports violations only: the package for Playwright injects it for each check, combines the
 * results in a page that it opens for that, and takes twelve times as long. None of our pages has
 * frames.
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
