import { startXvfb } from '../../../scripts/lib/xvfb.mjs';
import { mustRun } from '../../service/run-program.ts';
import { expect, test } from './launch.ts';

test('the wheel scrolls in one step', async ({ launch }) => {
  const xvfb = await startXvfb();
  try {
    const { page } = await launch({ parts: 'stub', env: { DISPLAY: xvfb.display } });
    await page.evaluate(() => {
      document.body.style.height = '20000px';
      const places: number[] = [];
      Object.assign(window, { places });
      addEventListener('scroll', () => places.push(scrollY));
    });
    const places = () => page.evaluate(() => (window as unknown as { places: number[] }).places);
    const [x, y] = await page.evaluate(() => [screenX + innerWidth / 2, screenY + outerHeight - innerHeight / 2]);
    const xdotool = (...words: (string | number)[]): Promise<string> =>
      mustRun('xdotool', words.map(String), { env: { DISPLAY: xvfb.display } });
    await xdotool('mousemove', Math.round(x ?? 0), Math.round(y ?? 0));
    for (let turns = 1; turns <= 3; turns += 1) {
      await xdotool('click', 5);
      await expect.poll(async () => (await places()).length).toBeGreaterThanOrEqual(turns);
      // Longer than the animation would take.
      await page.waitForTimeout(700);
      expect(await places()).toHaveLength(turns);
    }
  } finally {
    xvfb.stop();
  }
});
