import { Type } from 'typebox';
import { Problem } from '../contract/common.ts';
import { OutgoingTransfer, PastTransfer, PastTransferQuery } from '../contract/sharing.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import { readPage } from '../http/pagination.ts';
import { HttpProblem } from '../common/problem.ts';
import { endAtReplica, endWhenToldBy, listOfReplicas } from './outgoing-of-replicas.ts';
import { outgoingShape, pastTransferShape } from './outgoing-shape.ts';
import type { OutgoingTransfers } from './outgoing-transfers.ts';
import type { TokenStores } from '../tokens/stores.ts';
import type { OAuthStores } from '../oauth/store/stores.ts';
import type { MeasurementStores } from '../measurements/store/stores.ts';
import type { AuditStores } from '../audit/stores.ts';
import type { TransferStores } from '../transfers/stores.ts';
import type { ServiceContext } from '../http/service-context.ts';

type Deps = TokenStores &
  Pick<OAuthStores, 'applications'> &
  Pick<MeasurementStores, 'files'> &
  Pick<AuditStores, 'audit'> &
  Pick<TransferStores, 'pastTransfers'> &
  Pick<ServiceContext, 'auth' | 'baseUrl' | 'cluster'> & {
    readonly outgoing: OutgoingTransfers;
  };

const Params = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });

/** Routes that list current and past transfers of all measurements; administrators only. */
export function registerOutgoingRoutes(app: App, deps: Deps): void {
  const isReplica = deps.cluster.replica() !== null;
  const endListening = endWhenToldBy(deps);

  app.addHook('onClose', async () => endListening());

  app.get(
    '/api/v4/transfers/running',
    {
      onRequest: deps.auth.requireAdmin('read_api'),
      schema: {
        tags: ['transfers'],
        summary: 'Running transfers; administrators',
        operationId: 'listRunningTransfers',
        response: { 200: Type.Array(OutgoingTransfer) },
      },
    },
    async () =>
      isReplica
        ? [...(await listOfReplicas(deps))]
        : Promise.all(deps.outgoing.list().map((one) => outgoingShape(one, deps))),
  );

  app.post(
    '/api/v4/transfers/running/:id/end',
    {
      onRequest: deps.auth.requireAdmin('api'),
      schema: {
        tags: ['transfers'],
        summary: 'End a transfer; administrators',
        description:
          'Its connection is closed. Its receiver may begin again: revoke the token or the access to prevent that.',
        operationId: 'endRunningTransfer',
        params: Params,
        response: { 204: Type.Null(), 404: Problem },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const ended = isReplica ? await endAtReplica(deps, id) : endHere(deps.outgoing, id);
      if (!ended) throw new HttpProblem(404, 'This transfer is over.');
      await deps.audit.record({
        ...actorOf(request),
        action: 'sharing.end-transfer',
        subject: `measurement:${ended.measurement_id}`,
        detail: `to ${ended.username}${ended.address === null ? '' : ` at ${ended.address}`}`,
      });
      return reply.code(204).send(null);
    },
  );
  registerPastTransfers(app, deps);
}

function registerPastTransfers(app: App, deps: Deps): void {
  app.get(
    '/api/v4/transfers/past',
    {
      onRequest: deps.auth.requireAdmin('read_api'),
      schema: {
        tags: ['transfers'],
        summary: 'Past transfers, newest first; administrators',
        operationId: 'listPastTransfers',
        querystring: PastTransferQuery,
        response: { 200: Type.Array(PastTransfer) },
      },
    },
    async (request, reply) => {
      const { search = '' } = request.query;
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const rows = await readPage(request, reply, deps.baseUrl(), (limit, offset) =>
        deps.pastTransfers.page(search.trim(), limit, offset, gone.signal),
      );
      return rows.map(pastTransferShape);
    },
  );
}

/** @returns whose transfer was ended; null when it is over. */
function endHere(
  outgoing: OutgoingTransfers,
  id: number,
): { readonly measurement_id: string; readonly username: string; readonly address: string | null } | null {
  const transfer = outgoing.list().find((one) => one.id === id)?.transfer;
  if (!transfer || !outgoing.end(id)) return null;
  const { principal, address, measurementId } = transfer.start;
  return { measurement_id: measurementId, username: principal.username, address };
}
