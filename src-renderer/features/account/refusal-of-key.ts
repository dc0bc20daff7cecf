import { ApiError } from '../../api/requests/problem.ts';

const reasons: Readonly<Record<string, string>> = {
  // The browser uses one error name for all of these, so that a page cannot learn which keys exist
  // (WebAuthn section 14.5.1).
  NotAllowedError: 'It was cancelled, took too long, or no key answered. Try again with the key at hand.',
  InvalidStateError: 'You have already added this key.',
  SecurityError: 'The browser does not allow security keys at this address.',
  NotSupportedError: 'This key does not support what is needed. Try another one.',
  AbortError: 'The browser stopped it. Try again.',
};

/** The reason why no key was created, in words. */
export function refusalOfKey(error: unknown): ApiError {
  const name = error instanceof Error ? error.name : '';
  const detail = reasons[name] ?? (error instanceof Error ? error.message : String(error));
  return new ApiError({ title: 'The security key was not added', detail, status: 0, requestId: null });
}
