import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { WindowApp } from './window-app.ts';

/**
 * Presses arrow keys and turns the wheel over the list of transfers. The X server sends the inputs
 * like those of a keyboard and a mouse: they do not wait for the window, and no browser automation
 * takes part. @returns for each input the milliseconds from its time stamp to the frame after it.
 */
export async function delaysOfInput({ page, display }: WindowApp, inputs: number): Promise<readonly number[]> {
  await page.evaluate(() => {
    const delays: number[] = [];
    const ended = new AbortController();
    Object.assign(window, { inputDelays: delays, inputEnded: ended });
    const afterFrame = (event: Event): void => {
      // A message posted while a frame is produced is delivered when it is done.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener('message', () => delays.push(performance.now() - event.timeStamp), { once: true });
        port1.start();
        port2.postMessage(null);
      });
    };
    for (const name of ['keydown', 'wheel'])
      window.addEventListener(name, afterFrame, { capture: true, passive: true, signal: ended.signal });
  });
  const grid = page.getByRole('grid', { name: 'Transfers' });
  await grid.focus();
  const box = await grid.boundingBox();
  const [left, top] = await page.evaluate(
    () => [window.screenX, window.screenY + window.outerHeight - window.innerHeight] as const,
  );
  if (!box) throw new Error('there is no list of transfers');
  const lines = [
    `mousemove ${Math.round(left + box.x + box.width / 2)} ${Math.round(top + box.y + box.height / 2)}`,
    'sleep 0.2',
  ];
  for (let input = 0; input < inputs; input += 1) {
    const isDown = input % 100 < 50;
    // Irregular pauses, so that inputs do not all hit the same moment of a frame.
    const pause = ((5 + ((input * 7) % 29)) / 1000).toFixed(3);
    lines.push(
      input % 3 === 2 ? `click ${isDown ? 5 : 4}` : `key --delay 0 ${isDown ? 'Down' : 'Up'}`,
      `sleep ${pause}`,
    );
  }
  const xdotool = spawn('xdotool', ['-'], {
    env: { ...process.env, DISPLAY: display },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  xdotool.stdin.end(`${lines.join('\n')}\n`);
  const [status] = (await once(xdotool, 'exit')) as [number | null];
  if (status !== 0) throw new Error(`xdotool ended with status ${status}`);
  await wait(500);
  return page.evaluate(() => {
    const { inputDelays, inputEnded } = window as unknown as { inputDelays: number[]; inputEnded: AbortController };
    // Listeners of one round do not add to the work of the next.
    inputEnded.abort();
    return inputDelays;
  });
}
