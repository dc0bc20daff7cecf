import type { CommandLine, ServeProcess } from '../../cli/command-line.ts';
import type { Ledger } from './ledger.ts';
import type { Visit } from './visitor.ts';

export interface Run {
  readonly cli: CommandLine;
  readonly service: ServeProcess;
  readonly secrets: Ledger;
}

/** A response of the token endpoint. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
}

export const callback = 'https://app.example/callback';
export const signInButton = /^sign in$/i;
export const allowButton = /^allow$/i;

/** Fails with the service's response, because a run that went wrong proves nothing. */
export function must(visit: Visit, status: number): Visit {
  if (visit.status !== status)
    throw new Error(
      `${visit.url.pathname} was answered with ${visit.status} instead of ${status}: ${visit.text.slice(0, 500)}`,
    );
  return visit;
}

export const jsonOf = (visit: Visit): unknown => JSON.parse(visit.text);

/** Posts a form to a token endpoint, with the client in the body or by Basic. */
export async function post(
  run: Run,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Visit> {
  const response = await fetch(run.service.url + path, { method: 'POST', body: new URLSearchParams(fields), headers });
  return {
    url: new URL(response.url),
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  };
}

export async function get(run: Run, path: string, headers: Record<string, string> = {}): Promise<Visit> {
  const response = await fetch(run.service.url + path, { headers, redirect: 'manual' });
  return {
    url: new URL(run.service.url + path),
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  };
}

export function noteTokens(run: Run, how: string, visit: Visit): TokenAnswer {
  const answer = jsonOf(must(visit, 200)) as TokenAnswer;
  run.secrets.note(`the access token of ${how}`, answer.access_token);
  if (answer.refresh_token !== undefined) run.secrets.note(`the refresh token of ${how}`, answer.refresh_token);
  if (answer.id_token !== undefined) run.secrets.note(`the id_token of ${how}`, answer.id_token);
  return answer;
}

export const passwords = {
  alice: 'violet-Quagga 71',
  aliceLater: 'umber_Okapi+93 neu',
  bob: 'teal Narwhal 58!',
} as const;
