import type { FastifySchema } from 'fastify';
import type { Authentication } from './authentication.ts';

/**
 * Makes the options of routes that only the owner's window may call. Their tag is `local`, unless
 * the schema has another.
 */
export function windowRoutes(auth: Pick<Authentication, 'requireWindow'>) {
  return <Schema extends FastifySchema>(schema: Schema) => ({
    onRequest: auth.requireWindow,
    config: { windowOnly: true },
    schema: { tags: ['local'], ...schema },
  });
}
