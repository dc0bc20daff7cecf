import { Type, type Static, type TObject, type TObjectOptions, type TProperties } from 'typebox';

/** An object that the OpenAPI document lists among its schemas, under this name. */
export function named<Members extends TProperties>(
  name: string,
  members: Members,
  options: TObjectOptions = {},
): TObject<Members> {
  return Type.Object(members, { $id: name, title: name, ...options });
}

/** RFC 9457 problem details, with the request id of the log line. */
export const Problem = named(
  'Problem',
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    request_id: Type.String(),
  },
  { description: 'Problem details (RFC 9457)' },
);
export type Problem = Static<typeof Problem>;

/**
 * GitLab's offset pagination; answered with Link, X-Total, X-Page, X-Per-Page, X-Next-Page,
 * X-Prev-Page, X-Total-Pages. Lists of more than 10,000 omit X-Total and X-Total-Pages, and give a
 * lower bound in X-Total-At-Least.
 */
export const PageQuery = Type.Object({
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 }),
  per_page: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'More than 100 counts as 100.' }),
});
export type PageQuery = Static<typeof PageQuery>;

/** GitLab's keyset pagination: the Link of each answer names the next page. */
export const KeysetQuery = Type.Object({
  ...PageQuery.properties,
  pagination: Type.Optional(
    Type.Enum(['keyset'], {
      description: 'Pages that follow each other by their Link header alone, however many there are',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'With pagination=keyset: where the page begins, as the Link header of the one before says',
    }),
  ),
});

/** A point in time: ISO 8601, UTC, milliseconds, `Z`. */
export const Timestamp = Type.String({ format: 'date-time' });

/** A calendar day, `YYYY-MM-DD`. */
export const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' });

export const MeasurementId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$',
  description: 'Identifier of the measurement',
});

export const Fingerprint = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: 'SHA-256 of the certificate, hexadecimal',
});

export const LocalPath = Type.String({ minLength: 1, maxLength: 4096, description: 'Absolute path on this machine' });

/** A schema, or null. */
export function Nullable<const T extends Parameters<typeof Type.Union>[0][number]>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}
