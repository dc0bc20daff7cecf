import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { App } from './app.ts';
import { setPageHeaders } from './pagination.ts';
import { invalidRequest } from '../common/problem.ts';

/**
 * Parameters of GitLab's lists that select nothing: order, size and shape of the answer. Every list
 * accepts them, with or without effect.
 */
const harmless: readonly string[] = [
  'access_token',
  'order_by',
  'sort',
  'pagination',
  'simple',
  'statistics',
  'with_custom_attributes',
];
const pageNames: readonly string[] = ['page', 'per_page'];
const defaultPerPage = 20;
const maxPerPage = 100;

/**
 * Guards every list of /api/v4 that is registered afterwards. An unknown parameter is refused
 * (400): if a filter were ignored, every entry would seem to match it. A list without pages of its
 * own is paged like GitLab's when the request names a page, so that a program that reads pages
 * until an empty one terminates.
 */
export function guardLists(app: App, baseUrl: () => string): void {
  app.addHook('onRoute', (route) => {
    const declared = propertiesOf(route.schema?.querystring);
    const isArray = typeOf(answerOf(route)) === 'array';
    if (!isRead(route) || !route.url.startsWith('/api/v4/') || !(isArray || declared.length > 0)) return;
    const known = new Set([...declared, ...harmless, ...(isArray ? pageNames : [])]);
    route.preValidation = [
      (request, _reply, done) => {
        const unknown = Object.keys(request.query as object).find((name) => !known.has(name));
        if (unknown === undefined) done();
        else
          done(
            invalidRequest(
              `This list has no parameter ${shorten(unknown)}. It has ${[...known].filter((name) => !harmless.includes(name)).join(', ')}.`,
            ),
          );
      },
      ...[route.preValidation ?? []].flat(),
    ];
    if (!isArray || declared.includes('page')) return;
    route.preSerialization = [
      (request, reply, payload, done) => {
        done(null, pageOf(request, reply, payload, baseUrl()));
      },
      ...[route.preSerialization ?? []].flat(),
    ];
  });
}

function pageOf(request: FastifyRequest, reply: FastifyReply, payload: unknown, baseUrl: string): unknown {
  const query = request.query as Readonly<Record<string, unknown>>;
  if (!Array.isArray(payload) || (query['page'] === undefined && query['per_page'] === undefined)) return payload;
  const page = numberOf(query['page'], 1);
  const perPage = Math.min(numberOf(query['per_page'], defaultPerPage), maxPerPage);
  setPageHeaders(request, reply, baseUrl, page, perPage, payload.length);
  return payload.slice((page - 1) * perPage, page * perPage);
}

function numberOf(value: unknown, defaultValue: number): number {
  if (value === undefined) return defaultValue;
  if (typeof value !== 'string' || !/^[1-9]\d{0,8}$/.test(value))
    throw invalidRequest('page and per_page are whole numbers from 1.');
  return Number(value);
}

function isRead(route: RouteOptions): boolean {
  return [route.method].flat().some((method) => method === 'GET' || method === 'HEAD');
}

function answerOf(route: RouteOptions): unknown {
  return (route.schema?.response as Readonly<Record<string, unknown>> | undefined)?.['200'];
}

function typeOf(schema: unknown): unknown {
  return typeof schema === 'object' && schema !== null && 'type' in schema ? schema.type : undefined;
}

function propertiesOf(schema: unknown): readonly string[] {
  return typeof schema === 'object' && schema !== null && 'properties' in schema
    ? Object.keys(schema.properties as object)
    : [];
}

function shorten(name: string): string {
  return name.length > 80 ? `${name.slice(0, 80)}...` : name;
}
