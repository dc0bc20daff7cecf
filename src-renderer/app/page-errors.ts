import { ApiError } from '../api/requests/problem.ts';
import type { WindowError } from '../api/requests/types.ts';

const maxReports = 20;
const maxLengths = { name: 200, message: 2000, stack: 20_000 } as const;

/**
 * Reports uncaught errors of the window's page, and those that broke a screen, to the service,
 * which stores them where that is switched on. Each is sent once; a failed report is not reported.
 * @returns the error handlers for React.
 */
export function pageReporter(page: Pick<Window, 'addEventListener'>, send: typeof fetch) {
  const told = new Set<string>();

  function report(thrown: unknown, during: string): void {
    // The service reported this failure itself.
    if (thrown instanceof ApiError) return;
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const body: WindowError = {
      part: 'page',
      level: 'error',
      type: error.name.slice(0, maxLengths.name),
      message: error.message.slice(0, maxLengths.message),
      stack: error.stack?.slice(0, maxLengths.stack) ?? null,
      during,
    };
    const key = `${body.type}\n${body.stack ?? body.message}`;
    if (told.has(key) || told.size >= maxReports) return;
    told.add(key);
    void send('/api/v4/local/own-errors', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => {});
  }

  page.addEventListener('error', ({ error }) => {
    // Without one it is an image that failed to load.
    if (error) report(error, 'the page');
  });
  page.addEventListener('unhandledrejection', ({ reason }) => report(reason, 'the page'));
  return {
    onCaughtError: (error: unknown) => {
      console.error(error);
      report(error, 'a screen');
    },
  };
}
