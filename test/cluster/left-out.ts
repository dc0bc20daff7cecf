/** A test that the facility cannot run. */
export interface LeftOut {
  readonly file: string;
  /** Its full name, or how that begins. */
  readonly test: string;
  readonly reason: string;
}

/** Suites that run on one service in the process of the test, and on a facility. */
export const facilitySuites = [
  'test/clients/oauth/*.test.ts',
  'test/clients/sentry/*.test.ts',
  'test/clients/downloads.test.ts',
  'test/cluster/limits.test.ts',
  'test/service/auth/*.test.ts',
  'test/service/http/application-rights.test.ts',
  'test/service/http/server/origin.test.ts',
  'test/service/measurements/access/*.test.ts',
  'test/service/measurements/uploads/*.test.ts',
  'test/service/measurements/download/{listing,operations,requests}.test.ts',
  'test/service/oauth/**/*.test.ts',
  'test/service/projects/*.test.ts',
  'test/service/tokens/*.test.ts',
  'test/service/accounts/account.test.ts',
  'test/service/accounts/second-factors/*.test.ts',
  'test/service/accounts/sign-in/*.test.ts',
  'test/service/errors/artifact-uploads/artifact-uploads.test.ts',
  'test/service/errors/ingest/ingest.test.ts',
  'test/service/errors/settings/*.test.ts',
] as const;

/** Files of those folders, and files of the points of docs/security-oauth.md, that do not run on it, and why. */
export const leftOutFiles: Readonly<Record<string, string>> = {
  'test/clients/sentry/prepare.test.ts': 'needs no service',
  'test/service/measurements/download/listing.test.ts': 'adds a measurement of 100,000 files row by row',
  'test/service/oauth/consent/redirect-uri.test.ts': 'needs no service',
  'test/service/oauth/token/grant-states.test.ts': 'tests tables, at times of its own',
  'test/service/oauth/token/token-limits.test.ts':
    'counts failures exactly, and replicas share a limit; test/cluster/limits.test.ts does that',
  'test/service/accounts/attempts/lock-out.test.ts': 'sets the clock, and has a new service for each test',
  'test/service/accounts/users/managed-users.test.ts': 'has a new service for each test',
  'test/service/measurements/uploads/direct.test.ts': 'starts its own service and object storage',
  'test/service/measurements/uploads/direct-failing.test.ts': 'starts its own service and object storage',
  'test/service/measurements/uploads/direct-hung.test.ts': 'starts its own service and object storage',
  'test/service/measurements/uploads/direct-real.test.ts': 'starts its own service and object storage',
  'test/service/security/fuzz.test.ts': 'starts and watches a process of its own',
  'test/service/security/stored-secrets.test.ts': 'reads the files of a data directory',
  'test/service/network/sharing-tls.test.ts': 'a facility does not share by itself',
};

const window = 'the window has no door to a facility';
const clock = 'sets the clock of the service';
const shared = 'counts exactly, and replicas share a limit';
const nginx = 'nginx answers itself';
const passedOn = 'nginx passes on the Host header, not the host of an absolute address';

function inFile(file: string, reasons: Readonly<Record<string, string>>): readonly LeftOut[] {
  return Object.entries(reasons).map(([test, reason]) => ({ file, test, reason }));
}

/** Tests of those suites that need the process of the service, or that a balancer answers itself. */
export const leftOut: readonly LeftOut[] = [
  ...inFile('test/clients/downloads.test.ts', {
    'the archive has the same bytes after a restart': 'restarts the service on its data directory',
  }),
  ...inFile('test/service/accounts/account.test.ts', {
    'S100 a recent confirmation of identity is required again after 15 minutes': clock,
    'S100 a recent confirmation of identity is not required in the window': window,
    'a sign-in of the user ends two weeks after it began': clock,
  }),
  ...inFile('test/service/accounts/second-factors/second-factor.test.ts', {
    'signing in with a second factor needs the form of our own page, and ends after five minutes': clock,
  }),
  ...inFile('test/service/accounts/second-factors/webauthn.test.ts', {
    'where security keys cannot be used the account says why': window,
  }),
  ...inFile('test/service/accounts/sign-in/sign-in.test.ts', {
    'guessing is stopped for a user name after ten attempts': shared,
    'guessing is stopped for an address whatever the names': shared,
  }),
  ...inFile('test/service/auth/resolver.test.ts', { 'an OAuth access token ends after 7200 s': clock }),
  ...inFile('test/service/errors/settings/keys.test.ts', {
    'client keys GET of a project with the character NUL': nginx,
    'client keys POST of a project with the character NUL': nginx,
    'client keys DELETE of a project with the character NUL': nginx,
  }),
  ...inFile('test/service/http/server/origin.test.ts', { 'S107 the Host header "a b" is refused': nginx }),
  ...inFile('test/service/measurements/download/requests.test.ts', {
    'the order of checks an expired, a revoked and a doubled token are refused': nginx,
    'the order of checks a request for http://evil.example with Host 127.0.0.1': passedOn,
    'the order of checks a request for http://alice@127.0.0.1': nginx,
    'the order of checks a request for http:// with Host': nginx,
    'the order of checks a request for http://127.0.0.1 with Host evil.example': passedOn,
    'ids and indices that are none are 404 measurement "..%2f..%2fetc%2fpasswd"': nginx,
    'ids and indices that are none are 404 measurement "a%00b"': nginx,
    'ids and indices that are none are 404 measurement "%00"': nginx,
    'ids and indices that are none are 404 index "%00"': nginx,
    'ids and indices that are none are 404 index "0%00"': nginx,
    'ids and indices that are none are 404 a URL that cannot be decoded and one that is too long':
      'waits for the end of the connection, which nginx keeps',
  }),
  ...inFile('test/service/oauth/applications/applications.test.ts', {
    'registering the window needs no confirmation': window,
  }),
  ...inFile('test/service/oauth/device/device.test.ts', {
    'a device S104 that polls too fast': clock,
    'the page S104 limits guesses of codes': shared,
  }),
  ...inFile('test/service/oauth/token/introspect.test.ts', {
    'introspection a refresh token is active after its access token has expired': clock,
  }),
  ...inFile('test/service/oauth/token/refresh.test.ts', {
    'a refresh token S57 S58 can be repeated for 60 s': clock,
    'a refresh token S61 ends after 30 days': clock,
  }),
  ...inFile('test/service/oauth/token/token-code.test.ts', { 'a code S52 ends after 600 s': clock }),
  ...inFile('test/service/projects/projects.test.ts', { 'members need not include the owner of the window': window }),
  ...inFile('test/service/tokens/personal-access-tokens.test.ts', {
    'for a user, by an administrator needs an administrator with the api scope': window,
  }),
  ...inFile('test/service/tokens/token-requests.test.ts', {
    'creating works in the window without a CSRF token': window,
  }),
];
