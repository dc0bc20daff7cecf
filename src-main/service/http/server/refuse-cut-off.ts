import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { leaseMs, type Cluster } from '../../database/cluster/cluster.ts';
import { laterProblem } from './error-handler.ts';

const lookWithinMs = 1000;
/** Pages and health of the service say nothing that the database knows. */
const independent = /^\/(?:-|ui)\//;

/**
 * Refuses requests at a replica that does not know who lost access: its database is away, or an old
 * primary beside a new one. One that only stood still looks first.
 */
export function refuseWhenCutOff(part: Pick<FastifyInstance, 'addHook'>, cluster: Cluster): void {
  if (cluster.replica() === null) return;
  part.addHook('onRequest', async (request) => {
    if (cluster.accessAgeMs() <= leaseMs || independent.test(request.url)) return;
    // A database that hangs, or is being connected to, may take longer.
    await Promise.race([cluster.lookForChanges(), setTimeout(lookWithinMs, undefined, { ref: false })]);
    if (cluster.accessAgeMs() > leaseMs)
      throw laterProblem('away', new Error('changes of access have not been read for longer than a lease'), request);
  });
}
