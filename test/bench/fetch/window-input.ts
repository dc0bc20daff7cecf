import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/**
 * Presses arrow keys and turns the wheel over the list of transfers, as somebody does who looks for something.
 *
 * @returns of each input the milliseconds from its time stamp, which the browser process gives it, to the frame that comes after it.
 */
export async function delaysOfInput(page: Page, inputs: number): Promise<readonly number[]> {
  await page.evaluate(() => {
    const delays: number[] = [];
    const ended = new AbortController();
    Object.assign(window, { inputDelays: delays, inputEnded: ended });
    const afterFrame = (event: Event): void => {
      // A message that is posted while a frame is made comes when it is made.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => delays.push(performance.now() - event.timeStamp), { once: true });
        port1.start();
        port2.postMessage(null);
      });
    };
    for (const name of ['keydown', 'wheel']) window.addEventListener(name, afterFrame, { capture: true, passive: true, signal: ended.signal });
  });
  const grid = page.getByRole('grid', { name: 'Transfers' });
  await grid.focus();
  await grid.hover();
  for (let input = 0; input < inputs; input += 1) {
    const isDown = input % 100 < 50;
    if (input % 3 === 2) await page.mouse.wheel(0, isDown ? 240 : -240);
    else await page.keyboard.press(isDown ? 'ArrowDown' : 'ArrowUp');
    // At no fixed beat, so that not each meets the same moment of a frame.
    await wait(5 + ((input * 7) % 29));
  }
  await wait(500);
  return page.evaluate(() => {
    const { inputDelays, inputEnded } = window as unknown as { inputDelays: number[]; inputEnded: AbortController };
    // What listens in one round does not add to the work of the next one.
    inputEnded.abort();
    return inputDelays;
  });
}
