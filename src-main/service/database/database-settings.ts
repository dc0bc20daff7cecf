/** The PostgreSQL of a facility. */
export interface DatabaseSettings {
  /** `postgres://...`, with the password. */
  readonly url: string;
  /** For LISTEN, which poolers such as PgBouncer do not pass on; `url` when null. */
  readonly listenUrl: string | null;
  /** Connections of this process, besides one for LISTEN and one for its lease. */
  readonly connections: number;
}
