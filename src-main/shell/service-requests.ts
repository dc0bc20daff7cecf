import { forward, type ServiceDoor } from './service-door.ts';
import { problemResponse } from './problem-response.ts';
import type { ServiceState } from './service-supervisor.ts';
import { StagedPaths } from './staged-paths.ts';

/** Answers the page's requests to the service with what the service says, or with what is known of its absence. */
export function serviceRequests(door: ServiceDoor, state: () => ServiceState, stagedPaths: StagedPaths): (request: Request) => Promise<Response> {
  return async (request) => {
    const absent = absence(state());
    if (absent) return absent;
    const response = await forward(request, door);
    if (response.ok && StagedPaths.concerns(request.method, new URL(request.url).pathname)) stagedPaths.observe(await response.clone().json());
    return response;
  };
}

/** Asks the service for a JSON document through the window's door, or sends it one. */
export type AskService = (path: string, write?: { readonly method: 'POST' | 'PATCH'; readonly body: unknown }) => Promise<unknown>;

/** Asks the service on the main process's own behalf. */
export function askThrough(door: ServiceDoor): AskService {
  return async (path, write) => {
    const init = write && { method: write.method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(write.body) };
    const response = await forward(new Request(new URL(path, 'http://localhost'), init), door);
    if (response.ok) return response.json();
    await response.body?.cancel();
    throw new Error(`The service answered ${response.status}.`);
  };
}

function absence(state: ServiceState): Response | undefined {
  switch (state.kind) {
    case 'ready':
      return undefined;
    case 'failed':
      return problemResponse(503, state.message, 'service-failed', { 'retry-after': '2' });
    case 'stopped':
      return problemResponse(503, 'The service is stopped.', 'service-stopped', { 'retry-after': '2' });
    case 'starting':
      if (state.message !== undefined) return problemResponse(503, state.message, 'service-busy', { 'retry-after': '1' });
      return starting();
    case 'restarting':
      return starting();
  }
}

function starting(): Response {
  return problemResponse(503, 'The service is starting. This takes a few seconds.', 'service-starting', { 'retry-after': '1' });
}
