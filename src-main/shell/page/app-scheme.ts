import { net, protocol, type Session } from 'electron';
import { appHost, appScheme, homePath, homeUrl, isScreenPath, isServicePath } from './app-url.ts';
import { isPreviewWorker, previewWorkerPolicy } from '../../../src-shared/preview/worker-policy.ts';
import { contentSecurityPolicy } from './csp.ts';
import { problemResponse } from '../service/problem-response.ts';
import { readRendererFile, rendererFile } from './renderer-files.ts';

export interface AppSchemeDeps {
  readonly rendererDir: string;
  /** Answers requests whose path belongs to the service. */
  readonly service: (request: Request) => Promise<Response>;
  /** Development only: serves the user interface instead of `rendererDir`. */
  readonly developmentServer?: URL | undefined;
}

const serviceMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Declares the scheme. Must run before the application is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: appScheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true },
    },
  ]);
}

/**
 * Serves the window's origin: files of the user interface and the service's paths; everything else
 * is 404.
 */
export function handleAppScheme(session: Session, deps: AppSchemeDeps): void {
  const policy = contentSecurityPolicy(deps.developmentServer);
  session.protocol.handle(appScheme, async (request) => {
    const response = await respond(request, deps);
    const isWorker = isPreviewWorker(new URL(request.url).pathname);
    response.headers.set('content-security-policy', isWorker ? previewWorkerPolicy : policy);
    response.headers.set('x-content-type-options', 'nosniff');
    response.headers.set('referrer-policy', 'no-referrer');
    response.headers.set('cross-origin-opener-policy', 'same-origin');
    return response;
  });
}

async function respond(request: Request, deps: AppSchemeDeps): Promise<Response> {
  const url = new URL(request.url);
  if (url.host !== appHost) return problemResponse(404, 'This window has no such host.');
  if (isDocument(request))
    return isScreenPath(url.pathname) ? userInterface(request, url, '/index.html', deps) : toHome();
  if (isServicePath(url.pathname)) {
    return serviceMethods.has(request.method)
      ? deps.service(request)
      : problemResponse(405, `${request.method} is not supported here.`);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return problemResponse(405, 'The user interface can only be read.', undefined, { allow: 'GET, HEAD' });
  return userInterface(request, url, url.pathname, deps);
}

/**
 * Whether the request loads a page rather than a resource of one. The window shows only the user
 * interface.
 */
function isDocument(request: Request): boolean {
  return request.method === 'GET' && (request.headers.get('accept') ?? '').startsWith('text/html');
}

function toHome(): Response {
  return new Response(null, { status: 302, headers: { location: homeUrl } });
}

async function userInterface(request: Request, url: URL, pathname: string, deps: AppSchemeDeps): Promise<Response> {
  if (deps.developmentServer)
    return fromDevelopmentServer(
      request,
      isDocument(request) ? homePath : url.pathname + url.search,
      deps.developmentServer,
    );
  const file = rendererFile(deps.rendererDir, pathname);
  const body = file && (await readRendererFile(file));
  if (!file || !body) return problemResponse(404, 'There is no such file in the user interface.');
  const cacheControl = pathname.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache';
  const headers = {
    'content-type': file.contentType,
    'content-length': String(body.byteLength),
    'cache-control': cacheControl,
  };
  return new Response(request.method === 'HEAD' ? null : body, { headers });
}

async function fromDevelopmentServer(request: Request, path: string, server: URL): Promise<Response> {
  const headers = { accept: request.headers.get('accept') ?? '*/*' };
  const response = await net.fetch(new URL(path, server).href, {
    method: request.method,
    headers,
    bypassCustomProtocolHandlers: true,
  });
  return new Response(response.body, { status: response.status, headers: response.headers });
}
