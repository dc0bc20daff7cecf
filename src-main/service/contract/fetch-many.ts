import { Type, type Static } from 'typebox';
import { Nullable } from './common.ts';
import { Fetch, FetchRequest } from './fetches.ts';

const { server_id, what, target, unpack, priority, paused } = FetchRequest.properties;
/** Maximum number of measurements of one {@link FetchManyRequest}. */
const maxFetchesAtOnce = 1000;
/**
 * A key that the client chooses when it adds many fetches, for its `adding` events and for
 * cancelling.
 */
export const AddingKey = Type.String({ pattern: '^[A-Za-z0-9._-]{1,64}$' });
/** Many measurements of one server, each as in a {@link FetchRequest}. */
export const FetchManyRequest = Type.Object(
  {
    server_id,
    measurements: Type.Array(
      Type.Object(
        { id: FetchRequest.properties.measurement_id, title: FetchRequest.properties.title },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: maxFetchesAtOnce },
    ),
    key: Type.Optional(AddingKey),
    what,
    target,
    unpack,
    priority,
    paused,
  },
  { additionalProperties: false },
);
export type FetchManyRequest = Static<typeof FetchManyRequest>;

/**
 * One result for each measurement, in the order of the request; without a fetch and a problem if it
 * was cancelled before.
 */
export const FetchManyResult = Type.Object({
  results: Type.Array(
    Type.Object({
      measurement_id: Type.String(),
      fetch: Nullable(Fetch),
      problem: Nullable(Type.Object({ status: Type.Integer(), type: Nullable(Type.String()), detail: Type.String() })),
    }),
  ),
});
export type FetchManyResult = Static<typeof FetchManyResult>;
