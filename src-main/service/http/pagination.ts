import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PageQuery } from '../contract/common.ts';
import { maxCounted, type Total } from '../database/totals.ts';
import { invalidRequest, type HttpProblem } from '../common/problem.ts';

/** The known facts about what follows a page. */
export interface PageEnd {
  readonly total: Total;
  /** The cursor of the next page of a list with keyset pagination; null on the last page. */
  readonly cursor?: string | null;
}

/**
 * The number of rows that a page skips.
 *
 * @throws HttpProblem 400 beyond 10,000, because skipping reads each row.
 */
export function offsetOf({ page, per_page: perPage }: { readonly page: number; readonly per_page: number }): number {
  const offset = (page - 1) * perPage;
  if (offset <= maxCounted) return offset;
  throw invalidRequest(
    `Pages by number end after ${maxCounted.toLocaleString('en')} entries. Follow the Link headers, use pagination=keyset where the list has it, or search for less.`,
  );
}

/**
 * Sets the pagination headers of GitLab's API for one page of a list: Link, X-Total, X-Total-Pages,
 * X-Page, X-Per-Page, X-Next-Page, X-Prev-Page. If counting stopped early, X-Total, X-Total-Pages
 * and the link to the last page are left out, and X-Total-At-Least gives the lower bound.
 */
export function setPageHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  baseUrl: string,
  page: number,
  perPage: number,
  end: PageEnd | number,
): void {
  const { total, cursor } =
    typeof end === 'number' ? { total: { count: end, complete: true }, cursor: undefined } : end;
  const pages = Math.max(1, Math.ceil(total.count / perPage));
  const next =
    page < pages || (!total.complete && page * perPage <= maxCounted && page === pages && total.count === maxCounted)
      ? page + 1
      : null;
  const previous = page > 1 ? Math.min(page - 1, total.complete ? pages : page) : null;
  const link = (values: Readonly<Record<string, string>>, relation: string) =>
    linkTo(request, baseUrl, { ...values, per_page: String(perPage) }, relation);
  const links = [link({ page: '1' }, 'first')];
  if (total.complete) links.push(link({ page: String(pages) }, 'last'));
  if (previous !== null) links.unshift(link({ page: String(previous) }, 'prev'));
  if (next !== null) links.unshift(link({ page: String(next) }, 'next'));
  else if (!total.complete && typeof cursor === 'string') links.unshift(link({ pagination: 'keyset', cursor }, 'next'));
  reply.headers({
    link: links.join(', '),
    ...(total.complete
      ? { 'x-total': String(total.count), 'x-total-pages': String(pages) }
      : { 'x-total-at-least': String(total.count) }),
    'x-page': String(page),
    'x-per-page': String(perPage),
    'x-next-page': next === null ? '' : String(next),
    'x-prev-page': previous === null ? '' : String(previous),
  });
}

/**
 * Reads a page of a list by number and sets its headers.
 *
 * @returns the rows of the page.
 * @throws HttpProblem 400 for a page beyond those that can be asked for by number.
 */
export async function readPage<Row>(
  request: FastifyRequest & { readonly query: PageQuery },
  reply: FastifyReply,
  baseUrl: string,
  read: (limit: number, offset: number) => Promise<{ readonly rows: readonly Row[]; readonly total: Total }>,
): Promise<readonly Row[]> {
  const { page, per_page: perPage } = request.query;
  const { rows, total } = await read(perPage, offsetOf(request.query));
  setPageHeaders(request, reply, baseUrl, page, perPage, { total });
  return rows;
}

/**
 * Sets the headers of a page with keyset pagination, as GitLab's API does: the Link to the next
 * page, and X-Per-Page.
 */
export function setKeysetHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  baseUrl: string,
  perPage: number,
  cursor: string | null,
): void {
  reply.header('x-per-page', String(perPage));
  if (cursor !== null)
    reply.header('link', linkTo(request, baseUrl, { pagination: 'keyset', cursor, per_page: String(perPage) }, 'next'));
}

/** Builds absolute links from the base URL and the request's target, never from its Host header. */
function linkTo(
  request: FastifyRequest,
  baseUrl: string,
  values: Readonly<Record<string, string>>,
  relation: string,
): string {
  const url = new URL(request.url, 'http://localhost');
  for (const name of ['access_token', 'page', 'pagination', 'cursor'])
    if (values[name] === undefined) url.searchParams.delete(name);
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value);
  return `<${baseUrl}${url.pathname}${url.search}>; rel="${relation}"`;
}

/** Encodes a position in a list. The text is opaque to clients, so that it can change. */
export function writeCursor(order: string, key: string | number, id: string | number): string {
  return Buffer.from(JSON.stringify([order, key, id])).toString('base64url');
}

/** @throws HttpProblem 400 for a text that is not a cursor, or a cursor of another order. */
export function readCursor(
  cursor: string,
  order: string,
): { readonly key: string | number; readonly id: string | number } {
  const [ordered, key, id, ...rest] = parsed(cursor);
  const isPlace = (value: unknown) => typeof value === 'string' || Number.isSafeInteger(value);
  if (ordered === order && isPlace(key) && isPlace(id) && rest.length === 0)
    return { key: key as string | number, id: id as string | number };
  throw invalidCursor();
}

export function invalidCursor(): HttpProblem {
  return invalidRequest('This cursor does not belong to this list. Start again without one.');
}

function parsed(cursor: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

const maxPerPage = 100;

/**
 * Caps a page at a hundred entries: larger requests get a hundred, as in GitLab, and X-Per-Page
 * says so. Applied to a query before its schema is.
 */
export function limitPerPage(query: unknown): void {
  const asked = query as { per_page?: unknown };
  if (typeof asked.per_page === 'string' && /^\d{3,9}$/.test(asked.per_page) && Number(asked.per_page) > maxPerPage)
    asked.per_page = String(maxPerPage);
}
