import type { FastifyRequest } from 'fastify';
import { readGitlabForm } from '../../tokens/gitlab-form.ts';

const switches = ['active', 'integrated'] as const;
const numbers = ['retention_days', 'most_events', 'max_bytes'] as const;

/**
 * Accepts settings as GitLab's documentation shows them: the two switches in the query, or
 * everything as a form, where all values are texts. The token is never read from the query, because
 * proxies log queries.
 */
export async function readSettingsParameters(request: FastifyRequest): Promise<void> {
  await readGitlabForm(request);
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const given: Record<string, unknown> = { ...body };
  const query = request.query as Readonly<Record<string, unknown>>;
  for (const name of switches) {
    const value = given[name] ?? query[name];
    if (value !== undefined)
      given[name] = value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value;
  }
  for (const name of numbers)
    if (typeof given[name] === 'string' && /^\d{1,15}$/.test(given[name])) given[name] = Number(given[name]);
  request.body = given;
}
