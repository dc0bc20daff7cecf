import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Cluster } from '../../database/cluster/cluster.ts';
import { unconfirmedText } from '../../database/cluster/unconfirmed.ts';

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface ConfirmAccessDeps {
  readonly cluster: Cluster;
  readonly log: Logger;
  readonly accessGraceMs: number;
}

/** The header of an answer that names replicas which have not confirmed a change of access. */
const unconfirmedHeader = 'benchport-unconfirmed';

/**
 * Delays the answer to a request that may have taken access away until every live replica has seen
 * it, so that what was answered holds everywhere. After two seconds it is answered all the same and
 * says which replica has not confirmed.
 */
export function confirmAccessChanges(
  part: Pick<FastifyInstance, 'addHook'>,
  { cluster, log, accessGraceMs }: ConfirmAccessDeps,
): void {
  if (cluster.replica() === null) return;
  part.addHook('onSend', async (request, reply, payload) => {
    const { reads, unconfirmed } = request.routeOptions.config;
    if (reading.has(request.method) || reply.statusCode >= 400 || reads || unconfirmed) return payload;
    const late = await cluster.confirmChanges(accessGraceMs).catch((error: unknown) => {
      log.error({ err: error }, 'other replicas could not be asked whether they have seen a change of access');
      return [{ name: 'all', seenAt: Date.now() }];
    });
    if (late.length > 0) {
      const text = unconfirmedText(late, accessGraceMs);
      log.warn({ replicas: text }, 'a change of access is not confirmed by every replica');
      reply.header(unconfirmedHeader, text);
    }
    return payload;
  });
}
