import { Type } from 'typebox';
import { isoTime } from '../common/iso-time.ts';
import { MeasurementId, Problem } from '../contract/common.ts';
import {
  CopiesAdded,
  CopyActionRequest,
  CopyActionResult,
  CopyListQuery,
  CopyPage,
  CopyRequest,
  CopySettings,
  ReceiptFile,
  VerifiedCopy,
} from '../contract/copies/copies.ts';
import { HttpProblem } from '../common/problem.ts';
import type { App } from '../http/app.ts';
import { type Authentication, principalOf } from '../http/authentication.ts';
import { windowRoutes } from '../http/window-routes.ts';
import { attachment } from '../http/semantics/content-disposition.ts';
import type { MeasurementAccess } from '../measurements/access/access.ts';
import { readKeys } from '../receipts/receipt-keys.ts';
import { addCopies, type AddCopiesDeps } from './add-copies.ts';
import { copyShape } from './copy-shape.ts';
import type { CopyQueue } from './queue/copy-queue.ts';
import { verifiedForMs } from './store/copy-row.ts';
import type { CopyStores } from './store/stores.ts';

type Deps = CopyStores &
  Omit<AddCopiesDeps, 'copyQueue'> & {
    readonly auth: Authentication;
    readonly access: MeasurementAccess;
    readonly copyQueue: CopyQueue;
  };

const Params = Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) });

/** Routes of the copies on other servers. Only the owner's window may call those that change them. */
export function registerCopyRoutes(app: App, deps: Deps): void {
  const guarded = windowRoutes(deps.auth);

  app.get(
    '/api/v4/local/copies',
    guarded({
      summary: 'Copies on other servers: those on their way, then ended ones',
      operationId: 'listCopies',
      querystring: CopyListQuery,
      response: { 200: CopyPage },
    }),
    async ({ query }) => {
      const { rows, total } = await deps.copyList.page({
        filter: query.filter ?? 'all',
        measurementId: query.measurement_id ?? null,
        offset: query.offset,
        limit: query.limit,
      });
      return { items: rows.map((row) => copyShape(deps.copyQueue, row)), total, counts: await deps.copyList.counts() };
    },
  );

  app.post(
    '/api/v4/local/copies',
    guarded({
      summary: 'Keep copies of measurements on a server',
      operationId: 'addCopies',
      body: CopyRequest,
      response: { 202: CopiesAdded, 400: Problem, 404: Problem },
    }),
    async ({ body }, reply) => reply.code(202).send(await addCopies(deps, body)),
  );

  app.post(
    '/api/v4/local/copies/actions',
    guarded({
      summary: 'Pause, resume, cancel, retry, check or remove copies',
      description:
        'Copies to which the action does not apply stay as they are. Removing takes a copy from the list; on the other server it stays. With `all`, retry applies to failed ones, and verified ones stay in the list.',
      operationId: 'actOnCopies',
      body: CopyActionRequest,
      response: { 200: CopyActionResult },
    }),
    async ({ body }) => ({ changed: await deps.copyQueue.act(body.action, body.ids) }),
  );
  registerReceiptsOfCopies(app, deps);
  registerSettings(app, deps);
}

function registerReceiptsOfCopies(app: App, deps: Deps): void {
  const guarded = windowRoutes(deps.auth);

  app.get(
    '/api/v4/local/copies/:id/receipt',
    guarded({
      summary: 'The receipt of a copy, with the keys of its issuer, as a file',
      operationId: 'getCopyReceipt',
      params: Params,
      response: { 200: ReceiptFile, 404: Problem },
    }),
    async ({ params }, reply) => {
      const row = await deps.copies.byId(params.id);
      if (row?.receipt === null || row === null) throw new HttpProblem(404, 'There is no receipt of this copy.');
      const { keys } = readKeys(await deps.copies.issuerKeys(row.base_url));
      return reply
        .header('content-disposition', attachment(`${row.measurement_id}.receipt.json`))
        .send({ receipt: row.receipt, issuer: row.base_url, keys });
    },
  );

  app.get(
    '/api/v4/measurements/:id/copies',
    {
      onRequest: deps.auth.require('read_api', 'read_measurement'),
      schema: {
        tags: ['measurements'],
        summary: 'Verified copies of a measurement on other servers',
        operationId: 'listVerifiedCopies',
        params: Type.Object({ id: MeasurementId }),
        response: { 200: Type.Array(VerifiedCopy), 404: Problem },
      },
    },
    async (request) => {
      const { id } = await deps.access.readable(principalOf(request), request.params.id);
      const rows = await deps.copyList.verifiedOf(id, Date.now() - verifiedForMs);
      return rows.map((row) => ({ server_name: row.server_name, verified_at: isoTime(row.verified_at ?? 0) }));
    },
  );
}

function registerSettings(app: App, { auth, copyQueue: queue }: Deps): void {
  const guarded = windowRoutes(auth);
  app.get(
    '/api/v4/local/copy-settings',
    guarded({
      summary: 'How copies are sent',
      operationId: 'getCopySettings',
      response: { 200: CopySettings },
    }),
    async () => queue.settings,
  );
  app.put(
    '/api/v4/local/copy-settings',
    guarded({
      summary: 'Change how copies are sent',
      operationId: 'setCopySettings',
      body: CopySettings,
      response: { 200: CopySettings },
    }),
    async ({ body }) => {
      await queue.setSettings(body);
      return queue.settings;
    },
  );
}
