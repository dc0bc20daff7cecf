/**
 * Commands that announce a release and a deploy with Sentry's command line, which addresses a
 * project by organisation and name: `lab/bench/qmr` is `qmr` of `lab~bench`, and a project without
 * a folder belongs to `-`.
 */
export function announceCommands(path: string, url: string): string {
  const at = path.lastIndexOf('/');
  const organization = at < 0 ? '-' : path.slice(0, at).replaceAll('/', '~');
  const project = path.slice(at + 1);
  const version = `${project}@1.0.0`;
  return [
    `export SENTRY_URL=${url} SENTRY_ORG='${organization}' SENTRY_PROJECT=${project}`,
    `sentry-cli releases new ${version}`,
    `sentry-cli releases finalize ${version}`,
    `sentry-cli deploys new --release ${version} --env production`,
  ].join('\n');
}
