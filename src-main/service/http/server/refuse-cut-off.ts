import type { FastifyInstance } from 'fastify';
import { leaseMs, type Cluster } from '../../database/cluster/cluster.ts';
import { HttpProblem } from '../../common/problem.ts';

/** Pages and health of the service say nothing that the database knows. */
const independent = /^\/(?:-|ui)\//;

/**
 * Refuses requests at a replica that does not know who lost access: its database is away, or an old
 * primary beside a new one. One that only stood still looks first.
 */
export function refuseCutOff(part: Pick<FastifyInstance, 'addHook'>, cluster: Cluster): void {
  if (cluster.replica() === null) return;
  part.addHook('onRequest', async (request) => {
    if (cluster.accessAgeMs() <= leaseMs || independent.test(request.url)) return;
    await cluster.lookForChanges();
    if (cluster.accessAgeMs() <= leaseMs) return;
    throw new HttpProblem(503, 'The database does not answer. Try again in a moment.', {
      type: 'data-away',
      headers: { 'retry-after': '5' },
    });
  });
}
