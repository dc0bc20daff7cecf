import { oauthPrograms } from '../machine.ts';
import { figuresMarkdown, type Report } from '../report.ts';

/** Builds docs/benchmarks-oauth.md. */
export function oauthMarkdown(report: Report): string {
  return `# Benchmarks of the OAuth provider

Made by \`npm run bench -- oauth --write\`; the run replaces this page. Our service (${report.program}), oidc-provider with its adapter in memory, and Doorkeeper
set up as GitLab does (Puma with five threads, SQLite, digests at rest) run at the same time on one machine, and all but one are idle; every variant is
measured once a round, in turn, and after one warm-up ${report.rounds} rounds count. The client is one program for all of them.

- A ratio is the median of the ratios of the rounds: what disturbs the machine disturbs both sides of a round. The spread is the lowest and the highest.
- Trust the ratios; absolute figures belong to this machine, and on the loopback a server also pays for waking its client.
- "Others" is the share of the processors that neither the server nor its client used meanwhile. Figures with more than a few percent of it say little.
- Every answer is checked for its status and for the member that it has to have.
- The password grant is not compared: its time is that of the password hash (argon2id here, bcrypt in GitLab, none in oidc-provider, which has no such
  grant). Neither are client credentials, which we do not offer: here every token stands for a person.

${figuresMarkdown(report, oauthPrograms())}`;
}
