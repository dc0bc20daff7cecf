import type { FastifyRequest } from 'fastify';

/**
 * Accepts the bodies of GitLab's own examples: an absent one where no member is required, or a
 * form, in which a list is written as one `scopes[]` per entry.
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
