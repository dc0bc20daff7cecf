import type { CommandId } from './command-catalogue.ts';
import type { AppServices } from './context.ts';

/** Milliseconds. A screen that takes longer has failed, and reports that itself. */
const timeoutMs = 10_000;

/**
 * Runs a command of a screen that is about to be shown, as soon as the screen has registered its
 * handler.
 */
export function runWhenThere(commands: AppServices['commands'], id: CommandId): void {
  const run = commands.getState().handlers.get(id);
  if (run !== undefined) {
    run();
    return;
  }
  const stop = commands.subscribe(({ handlers }) => {
    if (!handlers.has(id)) return;
    end();
    // The screen is still mounting.
    setTimeout(() => commands.getState().handlers.get(id)?.());
  });
  const timer = setTimeout(stop, timeoutMs);
  function end(): void {
    clearTimeout(timer);
    stop();
  }
}
