import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import fastify, { LogController, type FastifyBaseLogger, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { randomUUID } from 'node:crypto';
import { hasNul, nulProblem } from './no-nul.ts';
import { withoutHost } from '../semantics/absolute-form.ts';
import { methodNotAllowed, rememberMethods } from './allowed-methods.ts';
import type { BodyBudget } from './body-budget.ts';
import { anonymousBodyBytes, limitBodies } from './body-limits.ts';
import { limitChunks } from './chunk-limit.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';
import type { TlsMaterial } from './tls-material.ts';
import { plainAddress, type TrustedProxies } from './trusted-proxies.ts';
import type { App } from '../app.ts';
import { apiCacheControl } from '../semantics/cache-control.ts';
import { createListener } from './listener.ts';
import { maxHeaders, maxPathSegmentLength, type ListenerLimits } from './listener-limits.ts';
import { errorHandler, sendProblem } from './error-handler.ts';
import { isLoopback } from './host-check.ts';
import { HttpProblem } from '../../common/problem.ts';
import { lazyLogger } from './lazy-logger.ts';
import { limitPerPage } from '../pagination.ts';
import { logResponse } from './request-log.ts';
import { serialiseBySchema } from './schema-serialisation.ts';
import { validateBySchema } from './schema-validation.ts';
import { timesSent } from '../semantics/times-sent.ts';
import { watchConnections, type Connections } from './watch-connections.ts';

export interface ServerDeps {
  readonly log: Logger;
  readonly hostAllowed: (host: string | undefined) => boolean;
  readonly tls: TlsMaterial | null;
  readonly proxies: TrustedProxies;
  readonly listenerLimits: ListenerLimits;
  readonly bodyBudget: BodyBudget;
  /** Changes an address before it is routed. */
  readonly rewriteUrl: (url: string) => string;
}

const halfAYear = 180 * 24 * 3600;

/** Content security policy of every page of the service: nothing from elsewhere, nothing inline. */
const contentSecurityPolicy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'object-src': ["'none'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
} as const;

/** The bare application with the rules of all routes; the modules add the routes. */
export async function createApp(deps: ServerDeps): Promise<App> {
  const loggerInstance: FastifyBaseLogger = deps.log;
  const listeners: Connections[] = [];
  const isOwn = (peer: string): boolean => isLoopback(plainAddress(peer)) || deps.proxies.has(plainAddress(peer));
  const app: App = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    rewriteUrl: (request) => deps.rewriteUrl(withoutHost(request)),
    bodyLimit: anonymousBodyBytes,
    // The service cleans up after a kill before it listens, however long that takes; fastify would
    // stop after ten seconds.
    pluginTimeout: 0,
    serverFactory: (handler) => {
      const server = createListener(deps.tls, deps.listenerLimits, handler);
      listeners.push(watchConnections(server, deps.listenerLimits, isOwn));
      return server;
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxPathSegmentLength, caseSensitive: true },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // RFC 9110 section 9.1: every route for GET answers HEAD, which monitors use.
    exposeHeadRoutes: true,
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, request, reply) => void errorHandler(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.setChildLoggerFactory((_logger, bindings) => lazyLogger(deps.log, bindings));
  app.setValidatorCompiler(validateBySchema);
  app.setSerializerCompiler(serialiseBySchema);
  app.decorate('draining', { begun: false });
  decorateRequests(app, deps);
  limitBodies(app);
  watchBodies(app, deps.bodyBudget);
  checkRequests(app, deps);

  app.addHook('preValidation', (request, _reply, done) => {
    limitPerPage(request.query);
    done();
  });

  app.addHook('onResponse', logResponse(deps.log));

  app.addHook('preClose', (done) => {
    app.draining.begun = true;
    listeners.forEach((listener) => listener.dropSilent());
    done();
  });

  answerFailures(app);
  await app.register(cookie);
  return app;
}

function answerFailures(app: App): void {
  const allowedAt = rememberMethods(app);
  app.setErrorHandler<Parameters<typeof errorHandler>[0]>((error, request, reply) =>
    errorHandler(error, request, reply),
  );
  app.setNotFoundHandler(async (request, reply) => {
    const { methods, errors } = allowedAt(request.url);
    if (methods.length === 0) return sendNotFound(request, reply);
    const allow = methods.join(', ');
    if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send();
    return sendProblem(request, reply, methodNotAllowed(request.url, allow), errors);
  });
}

function decorateRequests(app: App, deps: ServerDeps): void {
  app.decorateRequest('principal', null);

  // Fastify's own would accept any text of the headers as an address, and X-Forwarded-Host as the
  // host.
  app.decorateRequest('ip', {
    getter(this: FastifyRequest) {
      // Fastify's type omits, as its own getter does, that the address may be missing.
      return deps.proxies.clientOf(this.raw) as string;
    },
  });

  app.decorateRequest('protocol', {
    getter(this: FastifyRequest) {
      return deps.proxies.protocolOf(this.raw);
    },
  });
}

function checkRequests(app: App, deps: ServerDeps): void {
  // Hooks of every request take a callback: a promise for each costs a small range a tenth of its
  // time.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    if (app.draining.begun) reply.raw.shouldKeepAlive = false;
    // Answers of the API are current and personal; a route may set another value.
    if (request.url.startsWith('/api/')) reply.header('cache-control', apiCacheControl(request.url));
    // RFC 6749 section 5.1: both headers, on every answer that may contain or describe a token.
    else if (request.url.startsWith('/oauth/')) reply.header('cache-control', 'no-store').header('pragma', 'no-cache');
    if (request.raw.rawHeaders.length > 2 * maxHeaders) {
      done(new HttpProblem(431, `A request can have at most ${maxHeaders} headers.`));
      return;
    }
    // RFC 9112 section 3.2: a server in front of this one may have used the other Host.
    if (timesSent(request.raw, 'host') > 1) {
      done(new HttpProblem(400, 'A request must have one Host header.'));
      return;
    }
    if (request.raw.viaPrivateSocket !== true && !deps.hostAllowed(request.headers.host)) {
      done(
        new HttpProblem(
          421,
          'This server does not answer to that host name. Use its base URL, or a loopback address.',
          { type: 'wrong-host' },
        ),
      );
      return;
    }
    done();
  });
}

/**
 * Counts bodies while they arrive. The window's private socket is exempt: other clients may not
 * keep the owner from working.
 */
function watchBodies(app: App, budget: BodyBudget): void {
  app.addHook('preParsing', (request, _reply, body, done) => {
    const { config } = request.routeOptions;
    if (config?.slowBody === true) request.raw.slowBody = true;
    if (request.method !== 'GET' && request.method !== 'HEAD' && config?.body !== 'own-reader') {
      const isCounted = request.raw.viaPrivateSocket !== true && config?.body !== 'own-budget';
      limitChunks(request.raw, isCounted ? budget.watch(request.raw, request.ip, !request.principal) : null);
    }
    done(null, body);
  });
}

/**
 * 404 for an address without a route; under /api/v4 with the member `error` too, as GitLab's API
 * (Grape) answers there.
 */
function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const words = 'There is nothing at this address.';
  const gitlab = request.url.startsWith('/api/v4/') && !request.url.startsWith('/api/v4/local/');
  if (!gitlab) return sendProblem(request, reply, new HttpProblem(404, words));
  return sendProblem(request, reply, new HttpProblem(404, words, { error: '404 Not Found' }), 'gitlab');
}

/**
 * A part of the application whose answers carry the headers that protect pages: everything but the
 * downloads, which have their own headers.
 *
 * @param strict whether browsers are told to use only HTTPS from then on.
 */
export async function protectedPart(app: App, strict: boolean, addRoutes: (part: App) => Promise<void>): Promise<void> {
  await app.register(async (plain) => {
    const part = plain.withTypeProvider<TypeBoxTypeProvider>();
    await part.register(formbody);
    // Programs made for GitLab's API send a Content-Type with every request, also with a DELETE
    // without a body. Where a body is required its schema says so.
    const parseJson = part.getDefaultJsonParser('error', 'error');
    part.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
      if (body === '') done(null, undefined);
      else if (hasNul(String(body))) done(nulProblem(), undefined);
      else void parseJson(request, String(body), done);
    });
    await part.register(helmet, {
      contentSecurityPolicy: { useDefaults: false, directives: contentSecurityPolicy },
      crossOriginEmbedderPolicy: false,
      // Programs of other origins download with a token; a browser page of another origin gets
      // nothing without one.
      crossOriginResourcePolicy: { policy: 'same-origin' },
      frameguard: { action: 'deny' },
      hsts: strict && { maxAge: halfAYear, includeSubDomains: false },
      referrerPolicy: { policy: 'same-origin' },
    });
    // Without the charset that fastify adds: JSON has none (RFC 8259 section 11), and programs made
    // for GitLab's API compare the whole value.
    part.addHook('onSend', (request, reply, payload, done) => {
      if (request.url.startsWith('/api/') && reply.getHeader('content-type') === 'application/json; charset=utf-8')
        reply.header('content-type', 'application/json');
      done(null, payload);
    });
    await addRoutes(part);
  });
}
