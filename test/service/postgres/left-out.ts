/** Further rooms that `npm run test:postgres` runs with PostgreSQL behind the service. */
export const furtherRooms = [
  'auth',
  'diagnostics',
  'first-run',
  'health',
  'http',
  'http-client',
  'network',
  'own-errors',
  'secrets',
  'security',
  'servers',
  'workers',
] as const;

/** Files of those rooms that do not run on it, and why. */
export const leftOutOnPostgres: Readonly<Record<string, string>> = {
  'test/service/auth/resolver.test.ts': 'writes beside the service, which a replica sees a moment later',
  'test/service/diagnostics/bundle.test.ts': 'bundles what is in a data directory',
  'test/service/http/openapi/interface.test.ts': 'readiness of one process alone has other fields',
  'test/service/http/server/unfinished-bodies.test.ts': 'starts and watches processes of its own',
  'test/service/network/outgoing.test.ts': 'reads rows of the audit trail without waiting for their set',
  'test/service/own-errors/own-errors.test.ts': 'starts a process of its own',
  'test/service/security/fuzz.test.ts': 'starts and watches a process of its own',
  'test/service/security/stored-secrets.test.ts': 'reads the files of a data directory',
  'test/service/servers/remote.test.ts': 'a facility has no download manager',
  'test/service/servers/servers.test.ts': 'a facility has no download manager',
  'test/service/workers/killed-threads.test.ts': 'a facility makes no backups',
};
