import { net, protocol, type Session } from 'electron';
import path from 'node:path';
import { appHost, appScheme, isServicePath } from './app-url.ts';
import { contentSecurityPolicy } from './csp.ts';
import { problemResponse } from './problem-response.ts';
import { readRendererFile, rendererFile } from './renderer-files.ts';

/** What the window's scheme is made of. */
export interface AppSchemeParts {
  readonly rendererDir: string;
  /** Answers a request that belongs to the service. */
  readonly service: (request: Request) => Promise<Response>;
  /** Serves the user interface in its stead while it is being developed. */
  readonly developmentServer?: URL | undefined;
}

const serviceMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Declares the scheme. Has to run before the application is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true, codeCache: true } },
  ]);
}

/** Answers the window's addresses: files of the user interface, and the service's paths. Nothing else exists there. */
export function handleAppScheme(session: Session, parts: AppSchemeParts): void {
  const policy = contentSecurityPolicy(parts.developmentServer);
  session.protocol.handle(appScheme, async (request) => {
    const response = await answer(request, parts);
    response.headers.set('content-security-policy', policy);
    response.headers.set('x-content-type-options', 'nosniff');
    response.headers.set('referrer-policy', 'no-referrer');
    response.headers.set('cross-origin-opener-policy', 'same-origin');
    return response;
  });
}

async function answer(request: Request, parts: AppSchemeParts): Promise<Response> {
  const url = new URL(request.url);
  if (url.host !== appHost) return problemResponse(404, 'There is no such host in this window.');
  if (isServicePath(url.pathname) && !isDocument(request)) {
    return serviceMethods.has(request.method) ? parts.service(request) : problemResponse(405, `${request.method} is not understood here.`);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return problemResponse(405, 'The user interface can only be read.', undefined, { allow: 'GET, HEAD' });
  if (parts.developmentServer) return fromDevelopmentServer(request, url, parts.developmentServer);
  return fromFolder(request, url.pathname, parts.rendererDir);
}

/**
 * The window only ever shows the user interface, so loading a page at `/measurements/…` means its screen of that
 * name, while a request made by the page means the service's answer.
 */
function isDocument(request: Request): boolean {
  return request.method === 'GET' && (request.headers.get('accept') ?? '').startsWith('text/html');
}

async function fromFolder(request: Request, pathname: string, folder: string): Promise<Response> {
  const wanted = isDocument(request) ? '/index.html' : pathname;
  const file = rendererFile(folder, wanted);
  const body = file && (await readRendererFile(file));
  if (!file || !body) return problemResponse(404, 'There is no such file in the user interface.');
  const cacheControl = path.dirname(file.path) === path.join(folder, 'assets') ? 'max-age=31536000, immutable' : 'no-cache';
  const headers = { 'content-type': file.contentType, 'content-length': String(body.byteLength), 'cache-control': cacheControl };
  return new Response(request.method === 'HEAD' ? null : body, { headers });
}

async function fromDevelopmentServer(request: Request, url: URL, server: URL): Promise<Response> {
  const target = new URL((isDocument(request) ? '/' : url.pathname) + url.search, server);
  const response = await net.fetch(target.href, {
    method: request.method,
    headers: { accept: request.headers.get('accept') ?? '*/*' },
    bypassCustomProtocolHandlers: true,
  });
  return new Response(response.body, { status: response.status, headers: response.headers });
}
