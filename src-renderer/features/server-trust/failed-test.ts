import { ApiError } from '../../api/requests/problem.ts';
import type { RemoteServer, ServerProblem } from '../../api/requests/types.ts';

const aboutTokens: readonly (ServerProblem | null)[] = ['token-missing', 'token-refused', 'scope-too-small'];

/** Whether the test has failed for its token, which another one would mend. */
export function wantsAnotherToken({ state, problem }: RemoteServer): boolean {
  return state === 'failed' && aboutTokens.includes(problem);
}

/** What the service has found wrong with a server that it has not added. */
export function notAdded({ detail, status, requestId, type }: ApiError): ApiError {
  return new ApiError({ title: 'The server does not work, so it was not added', detail, status, requestId, type });
}

/** What the test has found wrong, as the form shows it that asked for the test. @param title what became of what was typed */
export function failedTest({ message }: RemoteServer, title: string): ApiError {
  return new ApiError({ title, detail: message ?? 'This server cannot be used.', status: 0, requestId: null });
}
