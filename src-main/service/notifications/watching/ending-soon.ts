import { X509Certificate } from 'node:crypto';
import { groupBy } from './group-by.ts';
import { grouped } from '../../common/grouped.ts';
import type { TlsMaterial } from '../../http/server/tls-material.ts';
import type { ServerEndings } from '../../servers/server-endings.ts';
import type { TokenStores } from '../../tokens/stores.ts';
import type { Condition } from '../store/conditions-store.ts';
import type { Happening } from '../store/outbox.ts';
import type { NotificationStores } from '../store/stores.ts';

export type EndingSoonDeps = Pick<NotificationStores, 'conditions'> &
  Pick<TokenStores, 'endingTokens'> & {
    /** The certificate of this server; null when it speaks plain HTTP. */
    readonly spokenTls: () => TlsMaterial | null;
    /** Servers that this one reaches with a token or a certain certificate. */
    readonly servers: () => Promise<readonly NamedEndings[]>;
  };

export interface NamedEndings extends ServerEndings {
  readonly id: number;
  readonly name: string;
}

/** Something that expires, with the time when it began, if that is known. */
interface Ending {
  readonly subject: string;
  /** Null for what belongs to the machine. */
  readonly userId: number | null;
  readonly name: string;
  readonly beganAt: number;
  readonly endsAt: number;
}

const dayMs = 86_400_000;
/** Days before the end at which it is told; what lives no longer than that is not told then. */
const stages = [1, 3, 14];
const firstStage = Math.max(...stages);
const maxTokens = 5000;
/** More of one user are told in one happening. */
const maxSeparate = 20;

/**
 * Tells of tokens and certificates 14 days, 3 days and 1 day before they expire.
 *
 * @param now milliseconds since 1970, by a clock that can be trusted.
 */
export async function tellOfEndings(deps: EndingSoonDeps, now: number): Promise<void> {
  const tokens = await deps.endingTokens.between(now, now + firstStage * dayMs, maxTokens);
  const endings = [
    ...tokens.map((token): Ending => ({
      subject: `token:${token.id}`,
      userId: token.user_id,
      name: `The token ${token.name}`,
      beganAt: token.created_at,
      endsAt: token.expires_at,
    })),
    ...ofOwnCertificate(deps.spokenTls()),
    ...(await deps.servers()).flatMap(ofServer),
  ];
  const found = endings.flatMap((ending) => conditionsOf(ending, now));
  await deps.conditions.observe('ending-soon', found, 0, gather);
}

function ofOwnCertificate(material: TlsMaterial | null): readonly Ending[] {
  if (!material) return [];
  const { validFromDate, validToDate } = new X509Certificate(material.cert);
  const name = 'The certificate of this server';
  const [beganAt, endsAt] = [validFromDate.getTime(), validToDate.getTime()];
  return [{ subject: 'certificate', userId: null, name, beganAt, endsAt }];
}

function ofServer({ id, name, certificate, token }: NamedEndings): readonly Ending[] {
  const known = { userId: null, beganAt: 0 };
  const ending = (what: string, words: string, endsAt: number | null): readonly Ending[] =>
    endsAt === null ? [] : [{ ...known, subject: `server:${id}:${what}`, name: `${words} ${name}`, endsAt }];
  return [...ending('certificate', 'The certificate of', certificate), ...ending('token', 'The token for', token)];
}

function conditionsOf({ subject, userId, name, beganAt, endsAt }: Ending, now: number): readonly Condition[] {
  const leftMs = endsAt - now;
  const stage = stages.find((days) => leftMs <= days * dayMs);
  if (leftMs <= 0 || stage === undefined || endsAt - beganAt <= stage * dayMs) return [];
  const title = `${name} expires on ${new Date(endsAt).toISOString().slice(0, 10)} (UTC)`;
  const happening = { subject, measurement_id: null, project_id: null, user_id: userId, title };
  return [{ subject, mark: `${stage} ${endsAt}`, afterMs: 0, happening }];
}

function gather(due: readonly Condition[]): readonly Omit<Happening, 'kind'>[] {
  const ofUsers = groupBy(due, ({ happening }) => happening.user_id);
  return [...ofUsers].flatMap(([userId, group]) => {
    const [first] = group;
    if (group.length <= maxSeparate || !first) return group.map(({ happening }) => happening);
    const title = `${grouped(group.length)} tokens and certificates expire within 14 days`;
    return [{ subject: `user:${userId ?? ''}`, measurement_id: null, project_id: null, user_id: userId, title }];
  });
}
