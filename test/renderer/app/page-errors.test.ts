import { expect, test } from 'vitest';
import { ApiError } from '../../../src-renderer/api/requests/problem.ts';
import { pageReporter } from '../../../src-renderer/app/page-errors.ts';

type Listener = (event: { readonly error?: unknown; readonly reason?: unknown }) => void;

function page() {
  const listeners = new Map<string, Listener>();
  const sent: { readonly type: string; readonly during: string }[] = [];
  const react = pageReporter(
    { addEventListener: (name: string, listener: unknown) => void listeners.set(name, listener as Listener) },
    async (_url, init) => {
      sent.push(JSON.parse(init?.body as string) as { readonly type: string; readonly during: string });
      throw new TypeError('the service is away');
    },
  );
  return { sent, react, happen: (name: string, event: Parameters<Listener>[0]) => listeners.get(name)?.(event) };
}

test('uncaught errors and broken screens are reported once each, without errors that the service returned', async () => {
  const { sent, happen } = page();
  const error = new RangeError('too far');
  happen('error', { error });
  happen('error', { error });
  happen('error', { error: null });
  happen('unhandledrejection', { reason: 'a text' });
  happen('unhandledrejection', { reason: new ApiError({ status: 500, title: 'x', detail: 'y', requestId: null }) });
  await new Promise((resolve) => setTimeout(resolve));
  expect(sent.map(({ type, during }) => [type, during])).toEqual([
    ['RangeError', 'the page'],
    ['Error', 'the page'],
  ]);
});

test('of an endless loop of errors the first twenty are reported', () => {
  const { sent, happen } = page();
  for (let index = 0; index < 100; index += 1) {
    const error = new Error(`number ${index}`);
    happen('error', { error });
  }
  expect(sent).toHaveLength(20);
});
