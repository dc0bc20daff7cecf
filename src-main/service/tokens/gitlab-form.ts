import type { FastifyRequest } from 'fastify';

/**
 * Lets a body come as GitLab's own examples send it: not at all where nothing must be said, or as a form, in which a list is written `scopes[]`
 * once for each of its entries.
 */
export async function readGitlabForm(request: FastifyRequest): Promise<void> {
  const { body } = request;
  if (body === undefined || body === null) request.body = {};
  else if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true)
    request.body = withLists(body);
}

function withLists(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) =>
      name.endsWith('[]') ? [name.slice(0, -2), listOf(value)] : [name, value],
    ),
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
