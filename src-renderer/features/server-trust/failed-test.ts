import { ApiError } from '../../api/requests/problem.ts';
import type { RemoteServer, ServerProblem } from '../../api/requests/types.ts';

const aboutTokens: readonly (ServerProblem | null)[] = ['token-missing', 'token-refused', 'scope-too-small'];

/** Whether the test failed because of its token, which a new one would fix. */
export function wantsAnotherToken({ state, problem }: RemoteServer): boolean {
  return state === 'failed' && aboutTokens.includes(problem);
}

/** The fault of a server that was not added. */
export function notAdded({ detail, status, requestId, type }: ApiError): ApiError {
  return new ApiError({ title: 'The server does not work, so it was not added', detail, status, requestId, type });
}

/**
 * A failed test as an error for the form that started it.
 * @param title what happened to the input
 */
export function failedTest({ message }: RemoteServer, title: string): ApiError {
  return new ApiError({ title, detail: message ?? 'This server cannot be used.', status: 0, requestId: null });
}
