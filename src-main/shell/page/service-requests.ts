import { ChosenPaths, pathsIn } from '../files/chosen-paths.ts';
import { sendThrough, forward, type SendToService, type ServiceSocket } from '../service/service-socket.ts';
import { problemResponse } from '../service/problem-response.ts';
import type { ServiceState } from '../service/service-supervisor.ts';
import { StagedPaths } from '../files/staged-paths.ts';

/** The largest JSON body that a local route of the service accepts. */
const maxBytes = 2 * 1024 * 1024;

/**
 * Forwards the page's requests to the service, or answers 503 with the reason while it is not
 * running.
 */
export function serviceRequests(
  serviceSocket: ServiceSocket,
  state: () => ServiceState,
  stagedPaths: StagedPaths,
  chosenPaths: ChosenPaths,
): (request: Request) => Promise<Response> {
  const sendToService = sendThrough(serviceSocket);
  return async (request) => {
    const absent = absence(state());
    if (absent) return absent;
    const { pathname } = new URL(request.url);
    const checked = ChosenPaths.concerns(pathname)
      ? await requireChosenPaths(request, chosenPaths, sendToService)
      : request;
    if (checked instanceof Response) return checked;
    const response = await forward(checked, serviceSocket);
    if (response.ok && StagedPaths.concerns(request.method, pathname))
      stagedPaths.observe(await response.clone().json());
    if (response.ok && ChosenPaths.inspects(request.method, pathname))
      chosenPaths.observe(await response.clone().json());
    return response;
  };
}

/**
 * The request to forward. Its body is the re-serialized JSON whose paths were checked, whatever
 * content type the page declared.
 */
async function requireChosenPaths(
  request: Request,
  chosenPaths: ChosenPaths,
  sendToService: SendToService,
): Promise<Request | Response> {
  const asked = Object.fromEntries(new URL(request.url).searchParams);
  const { method, signal, url } = request;
  const text = await readText(request.body);
  if (text === null) return problemResponse(413, 'The body is larger than 2 MiB.');
  let sent: { readonly paths: readonly string[]; readonly body: string } | undefined;
  try {
    sent = text === '' ? undefined : readSent(text);
  } catch {
    return problemResponse(400, 'The body is not JSON.', 'invalid-request');
  }
  if (!(await chosenPaths.includes([...pathsIn(asked), ...(sent?.paths ?? [])], sendToService)))
    return problemResponse(
      403,
      'Benchport has no access to this path. Choose the file or folder again, or drop it into the window.',
      'not-chosen',
    );
  if (sent === undefined) return request;
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/json');
  return new Request(url, { method, headers, signal, body: sent.body });
}

/** @throws if the text is not JSON or is nested too deeply to be walked. */
function readSent(text: string): { readonly paths: readonly string[]; readonly body: string } {
  const value: unknown = JSON.parse(text);
  return { paths: pathsIn(value), body: JSON.stringify(value) };
}

/** Reads a body as text; null if it exceeds `maxBytes`, in which case the rest is not read. */
async function readText(body: Request['body']): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
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
      if (state.message !== undefined)
        return problemResponse(503, state.message, 'service-busy', { 'retry-after': '1' });
      return starting();
    case 'restarting':
      return starting();
  }
}

function starting(): Response {
  return problemResponse(503, 'The service is starting. This takes a few seconds.', 'service-starting', {
    'retry-after': '1',
  });
}
