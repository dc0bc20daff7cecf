import { Type } from 'typebox';
import { isoTime } from '../common/iso-time.ts';
import { MeasurementId, Problem } from '../contract/common.ts';
import { Challenge, ChallengeAnswer, Receipt, ReceiptKeys } from '../contract/copies/receipts.ts';
import type { AccountStores } from '../accounts/store/stores.ts';
import { HttpProblem } from '../common/problem.ts';
import { actorOf } from '../http/actor-of.ts';
import type { App } from '../http/app.ts';
import { principalOf, type Authentication } from '../http/authentication.ts';
import { measurementAccess, type MeasurementAccess } from '../measurements/access/access.ts';
import { archiveReader, type ArchiveReaderDeps } from '../measurements/objects/archive-reader.ts';
import type { MeasurementStores } from '../measurements/store/stores.ts';
import type { ProjectStores } from '../projects/stores.ts';
import { ChallengeAnswers } from './answer-challenge.ts';
import { issueReceipt, type IssueDeps } from './issue-receipt.ts';
import { publishedKeys } from './receipt-keys.ts';
import type { ReceiptWithName } from './receipts-store.ts';

type Deps = IssueDeps &
  ArchiveReaderDeps &
  Pick<AccountStores, 'users'> &
  Pick<ProjectStores, 'projects'> &
  MeasurementStores & { readonly auth: Authentication };

const Params = Type.Object({ id: MeasurementId });
const tags = ['receipts'];
const maxListed = 100;
const challengeTimeoutMs = 30_000;

/** Registers the routes of receipts, and of challenges that show that a copy is still here. */
export function registerReceiptRoutes(app: App, deps: Deps): void {
  const access = measurementAccess(deps);
  const copies = deps.auth.require('write_measurement', 'read_measurement', 'read_api');
  registerReceiptKeys(app, deps);

  app.post(
    '/api/v4/measurements/:id/receipts',
    {
      onRequest: copies,
      config: { unconfirmed: true },
      schema: {
        tags,
        summary: 'A receipt: signed proof that this service has the measurement as registered',
        operationId: 'issueReceipt',
        params: Params,
        response: { 200: Receipt, 404: Problem, 409: Problem },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      const measurement = await access.readable(principal, request.params.id);
      const row = await issueReceipt(deps, principal, actorOf(request), measurement, Date.now());
      return shapeOf({ ...row, username: principal.username });
    },
  );

  app.get(
    '/api/v4/measurements/:id/receipts',
    {
      onRequest: deps.auth.require('read_api', 'read_measurement'),
      schema: {
        tags,
        summary: 'Receipts that were issued for a measurement, newest first',
        description: 'All for its owner and administrators, at most 100; one’s own for others.',
        operationId: 'listReceipts',
        params: Params,
        response: { 200: Type.Array(Receipt), 404: Problem },
      },
    },
    async (request) => {
      const principal = principalOf(request);
      const { id, owner_id: owner } = await access.readable(principal, request.params.id);
      const seesAll = principal.isAdmin || principal.userId === owner;
      const rows = await deps.receipts.ofMeasurement(id, seesAll ? null : principal.userId, maxListed);
      return rows.map(shapeOf);
    },
  );
  registerChallenge(app, deps, access);
}

function registerReceiptKeys(app: App, deps: Deps): void {
  app.get(
    '/api/v4/receipts/keys',
    {
      schema: {
        tags,
        summary: 'The public keys of the receipts of this service, old ones too',
        operationId: 'listReceiptKeys',
        response: { 200: ReceiptKeys },
        security: [{}],
      },
    },
    async () => publishedKeys(deps.settings, await deps.receiptKey()),
  );
}

function registerChallenge(app: App, deps: Deps, access: MeasurementAccess): void {
  const challenges = new ChallengeAnswers();
  const copies = deps.auth.require('write_measurement', 'read_measurement', 'read_api');

  app.post(
    '/api/v4/measurements/:id/challenge',
    {
      onRequest: copies,
      config: { reads: true, unconfirmed: true },
      schema: {
        tags,
        summary: 'Hash ranges of the archive with a nonce, which shows that its bytes are here',
        operationId: 'challengeMeasurement',
        params: Params,
        body: Challenge,
        response: { 200: ChallengeAnswer, 404: Problem, 409: Problem, 422: Problem, 503: Problem },
      },
    },
    async (request) => {
      const measurement = await access.readable(principalOf(request), request.params.id);
      if (measurement.archive_tag === '') throw new HttpProblem(409, 'This measurement is still being registered.');
      const archive = archiveReader(deps, measurement, AbortSignal.timeout(challengeTimeoutMs));
      return challenges.answer(measurement, archive, request.body);
    },
  );
}

function shapeOf(row: ReceiptWithName): Receipt {
  return {
    measurement_id: row.measurement_id,
    manifest_sha256: row.manifest_sha256,
    issued_at: isoTime(row.issued_at),
    username: row.username ?? '',
    receipt: row.receipt,
  };
}
