import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sets the pagination headers of GitLab's API for one page of a list: Link, X-Total, X-Total-Pages, X-Page, X-Per-Page, X-Next-Page, X-Prev-Page. */
export function setPageHeaders(request: FastifyRequest, reply: FastifyReply, baseUrl: string, page: number, perPage: number, total: number): void {
  const pages = Math.max(1, Math.ceil(total / perPage));
  const next = page < pages ? page + 1 : null;
  const previous = page > 1 ? Math.min(page - 1, pages) : null;
  // Absolute links are made of the base URL and the request's target, never of its Host header.
  const link = (to: number, relation: string) => {
    const url = new URL(request.url, 'http://localhost');
    url.searchParams.delete('access_token');
    url.searchParams.set('page', String(to));
    url.searchParams.set('per_page', String(perPage));
    return `<${baseUrl}${url.pathname}${url.search}>; rel="${relation}"`;
  };
  const links = [link(1, 'first'), link(pages, 'last')];
  if (previous !== null) links.unshift(link(previous, 'prev'));
  if (next !== null) links.unshift(link(next, 'next'));
  reply.headers({
    link: links.join(', '),
    'x-total': String(total),
    'x-total-pages': String(pages),
    'x-page': String(page),
    'x-per-page': String(perPage),
    'x-next-page': next === null ? '' : String(next),
    'x-prev-page': previous === null ? '' : String(previous),
  });
}

const mostPerPage = 100;

/** A page never has more than a hundred entries: asking for more gives a hundred, as GitLab does, and X-Per-Page says so. For a query before its schema is applied. */
export function limitPerPage(query: unknown): void {
  const asked = query as { per_page?: unknown };
  if (typeof asked.per_page === 'string' && /^\d{3,9}$/.test(asked.per_page) && Number(asked.per_page) > mostPerPage) asked.per_page = String(mostPerPage);
}
