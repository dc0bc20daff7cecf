import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpProblem } from '../../common/problem.ts';
import type { Scope } from '../../contract/scopes.ts';
import type { App } from '../../http/app.ts';
import { principalOf, type Authentication } from '../../http/authentication.ts';
import { anonymousBodyBytes, needingCredential } from '../../http/server/body-limits.ts';
import { listingHeaders } from '../download/serve-listing.ts';
import { serveFile } from '../download/serve-file.ts';
import type { Serving } from '../download/serving.ts';
import { childrenOf, describedMeasurements, describedResource } from './children.ts';
import { readableMeasurements } from './entries.ts';
import { folderPage } from './folder-page.ts';
import { davPath } from './href.ts';
import { multistatusEnd, multistatusStart, responseWriter } from './multistatus.ts';
import { parsePropfind, type PropfindRequest } from './propfind-request.ts';
import type { Described } from './properties.ts';
import { findResource, pathParts, type Resource } from './resource.ts';
import { sendText } from './send-text.ts';

const methods = 'GET, HEAD, OPTIONS, PROPFIND';
const xmlHeaders = {
  'Content-Type': 'application/xml; charset=utf-8',
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

export interface WebdavDeps {
  readonly auth: Authentication;
  readonly scopes: readonly Scope[];
}

/**
 * Registers WebDAV, read only (RFC 4918 class 1), by which programs show measurements as folders.
 * The credential may be Basic, a user name and a token.
 */
export function registerWebdav(app: App, serving: Serving, deps: WebdavDeps): void {
  app.addHttpMethod('PROPFIND', { hasBody: true });
  void app.register(async (part) => {
    // Programs send XML under any type, or none.
    part.removeAllContentTypeParsers();
    part.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    const onRequest = withBasicChallenge(deps.auth.require(...deps.scopes));
    const config = { basic: true, reads: true } as const;
    const schema = { hide: true };
    for (const url of [davPath, `${davPath}/*`]) {
      part.route({ method: 'OPTIONS', url, schema, handler: announce });
      part.route({
        method: ['GET', 'HEAD'],
        url,
        onRequest,
        config,
        schema,
        handler: async (request, reply) => get(serving, request, reply),
      });
      part.route({
        method: 'PROPFIND',
        url,
        onRequest,
        config,
        schema,
        bodyLimit: anonymousBodyBytes,
        handler: async (request, reply) => propfind(serving, request, reply),
      });
    }
  });
}

/** Makes an onRequest hook ask for Basic where it refuses, because programs for WebDAV know no Bearer. */
function withBasicChallenge(require: (request: FastifyRequest) => Promise<void>) {
  return needingCredential(async (request: FastifyRequest) => {
    try {
      await require(request);
    } catch (error) {
      if (!(error instanceof HttpProblem) || error.status !== 401) throw error;
      throw new HttpProblem(
        401,
        'Sign in with your user name and, as the password, a token that may read measurements.',
        {
          headers: { 'www-authenticate': 'Basic realm="Benchport", charset="UTF-8"' },
        },
      );
    }
  });
}

// Windows asks without a credential, and needs its own header.
async function announce(_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return reply.code(200).headers({ dav: '1', 'ms-author-via': 'DAV', allow: methods, 'content-length': '0' }).send();
}

async function get(serving: Serving, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { resource, isSlashed } = await requested(serving, request);
  if (resource.kind === 'file') {
    await serveFile(serving, request, reply, resource.measurement.id, String(resource.file.idx));
    return reply;
  }
  const self = describedResource(serving, resource);
  // Links of the page are relative to its address.
  if (!isSlashed) return reply.redirect(self.href, 302);
  const slices = folderPage(self.name, resource.kind === 'root', childrenIn(serving, request, resource));
  await sendText(serving, request, reply, resource, { status: 200, headers: listingHeaders, slices });
  return reply;
}

async function propfind(serving: Serving, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const depth = depthOf(request);
  const wanted = parsePropfind(typeof request.body === 'string' ? request.body : '');
  const { resource } = await requested(serving, request);
  const self = describedResource(serving, resource);
  const children = depth === 0 || resource.kind === 'file' ? [] : childrenIn(serving, request, resource);
  const slices = multistatus(wanted, self, children);
  if (depth === 0 || resource.kind === 'file') {
    let text = '';
    for await (const slice of slices) text += slice;
    return reply.code(207).headers(xmlHeaders).send(text);
  }
  await sendText(serving, request, reply, resource, { status: 207, headers: xmlHeaders, slices });
  return reply;
}

async function* multistatus(
  wanted: PropfindRequest,
  self: Described,
  children: AsyncIterable<readonly Described[]> | readonly (readonly Described[])[],
): AsyncGenerator<string> {
  const write = responseWriter(wanted);
  yield multistatusStart + write(self);
  for await (const page of children) yield page.map(write).join('');
  yield multistatusEnd;
}

/**
 * Reads the Depth header (RFC 4918 section 10.2).
 *
 * @throws HttpProblem 400 for another value, 403 for infinity, also where it is left out: a whole
 * library in one answer.
 */
function depthOf({ headers }: FastifyRequest): 0 | 1 {
  const { depth = 'infinity' } = headers;
  if (depth === '0') return 0;
  if (depth === '1') return 1;
  if (String(depth).toLowerCase() !== 'infinity')
    throw new HttpProblem(400, 'The Depth header is 0 or 1.', { type: 'invalid-request' });
  throw new HttpProblem(403, 'Folders are listed one by one: send the header Depth: 1.', {
    type: 'propfind-finite-depth',
  });
}

async function requested(
  serving: Serving,
  request: FastifyRequest,
): Promise<{ readonly resource: Resource; readonly isSlashed: boolean }> {
  const { files } = serving.services;
  const path = request.originalUrl.split('?', 1)[0] ?? '';
  const resource = await findResource({ access: serving.access, files }, principalOf(request), pathParts(path));
  return { resource, isSlashed: path.endsWith('/') };
}

function childrenIn(
  serving: Serving,
  request: FastifyRequest,
  resource: Exclude<Resource, { readonly kind: 'file' }>,
): AsyncIterable<readonly Described[]> {
  const { files, measurements } = serving.services;
  return resource.kind === 'root'
    ? describedMeasurements(serving, readableMeasurements(measurements, principalOf(request)))
    : childrenOf(serving, files, resource);
}
