import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import type { MeasurementSort } from '../contract/measurements.ts';
import type { RemoteMeasurement, RemoteMeasurementPage } from '../contract/servers.ts';
import { sendOnce } from '../http-client/http-client.ts';
import type { ServerAccess } from '../http-client/http-client.ts';
import { shownName } from '../files/inspect-findings.ts';
import { isMeasurementId } from '../../../src-shared/measurement-names.ts';
import { readJsonResponse, notAMeasurementServer } from './read-json-response.ts';

const perPage = 50;
const maxBytes = 4 * 1024 * 1024;
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Entry = Type.Object({
  id: Type.String(),
  title: Type.String(),
  state: Type.String(),
  file_count: Count,
  total_bytes: Count,
  created_at: Type.String({ maxLength: 64 }),
});
const list = Compile(Type.Array(Entry, { maxItems: perPage }));

/** Whether a response is a Benchport's list of measurements. */
export function isMeasurementList(json: unknown): json is Static<typeof Entry>[] {
  return list.Check(json);
}

export interface RemoteListing {
  readonly search: string;
  /** Null leaves the order to the server, whose default is newest first. */
  readonly sort: MeasurementSort | null;
  readonly order: 'asc' | 'desc' | null;
  /** Starts at 1. */
  readonly page: number;
}

/**
 * One page of the measurements that the token may read on another Benchport.
 *
 * @throws HttpRequestError, or the reason of the signal.
 */
export async function remoteMeasurements(
  source: ServerAccess,
  listing: RemoteListing,
  signal: AbortSignal,
): Promise<RemoteMeasurementPage> {
  const { search, sort, order, page } = listing;
  const query = new URLSearchParams({
    page: String(page),
    per_page: String(perPage),
    ...(search === '' ? {} : { search }),
    ...(sort === null ? {} : { sort }),
    ...(order === null ? {} : { order }),
  });
  const response = await sendOnce(source, {
    path: `/api/v4/measurements?${query.toString()}`,
    headers: { accept: 'application/json' },
    signal,
  });
  const json = await readJsonResponse(response, maxBytes);
  if (!isMeasurementList(json)) throw notAMeasurementServer(response.url);
  // Other ids could not be requested, or would lead to other paths.
  const items = json.filter(({ id }) => isMeasurementId(id)).map((entry) => shapeOf(entry));
  const minimumTotal = response.headers['x-total'] === undefined ? response.headers['x-total-at-least'] : undefined;
  const counted = Number(minimumTotal ?? response.headers['x-total']);
  const total = Number.isSafeInteger(counted) && counted >= 0 ? counted : (page - 1) * perPage + items.length;
  return { items, total, more: minimumTotal !== undefined, per_page: perPage };
}

function shapeOf(entry: Static<typeof Entry>): RemoteMeasurement {
  const { id, title, state, file_count: fileCount, total_bytes: totalBytes, created_at: createdAt } = entry;
  return {
    id,
    title: shownName(title),
    state: shownName(state),
    file_count: fileCount,
    total_bytes: totalBytes,
    created_at: createdAt,
  };
}
