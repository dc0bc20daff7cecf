import type { ServerFinding } from './servers-store.ts';
import { HttpProblem } from '../common/problem.ts';
import { candidateAddresses, hasScheme } from './server-address.ts';
import { testServer } from './test-server.ts';

export interface Entered {
  readonly address: string;
  readonly token: string | null;
  readonly certificate: string | null;
}

/**
 * Tests a server before it is added to the list. An untrusted certificate is accepted here, because
 * the user compares it in a separate dialog.
 *
 * @throws HttpProblem 422 that says what is wrong when no address works.
 */
export async function findWorkingAddress({
  address: entered,
  token,
  certificate,
}: Entered): Promise<{ readonly address: string; readonly finding: ServerFinding }> {
  const candidates = candidateAddresses(entered);
  const findings: ServerFinding[] = [];
  for (const address of candidates) {
    const finding = await testServer({ baseUrl: address, token, certificate });
    if (finding.state !== 'failed' || finding.problem === 'certificate') return { address, finding };
    findings.push(finding);
  }
  const said = findings[0]?.message ?? 'This server cannot be used.';
  const hint = hasScheme(entered)
    ? ''
    : ` ${candidates.join(' and ')} ${candidates.length === 1 ? 'was' : 'were'} tried. Begin the address with http:// if the server uses plain http.`;
  throw new HttpProblem(422, said + hint, { type: 'server-does-not-work' });
}
