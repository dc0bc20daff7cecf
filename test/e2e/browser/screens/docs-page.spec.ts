import { axeFindings } from '../axe.ts';
import { expect, test } from '../signed-in.ts';

test('D5 every link of the API page is a target of 24 px, in a wide and in a narrow window', async ({
  page,
  service,
}) => {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${service.url}/api/docs`);
    await page.getByRole('heading', { name: 'HTTP interface' }).waitFor();
    // WCAG 2.2's rule is off by default.
    expect(await axeFindings(page, { rules: ['target-size'] })).toEqual([]);
    // The rule accepts isolated small targets; here no target is small.
    const heights = await page
      .locator('main a')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height));
    expect(heights.length).toBeGreaterThan(10);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
  }
});
