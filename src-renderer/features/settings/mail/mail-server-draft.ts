import type { MailServer, MailServerInput } from '../../../api/requests/types.ts';

type Security = MailServerInput['security'];

/** The server for mail as it is typed; an empty user name is none. */
export interface MailServerDraft {
  readonly host: string;
  readonly port: string;
  readonly security: Security;
  readonly username: string;
  readonly from: string;
  /** Whether the stored password stays, is replaced or is removed. */
  readonly passwordChange: 'keep' | 'replace' | 'remove';
  readonly password: string;
}

/** The usual port of each way of encryption (RFC 8314, RFC 5321). */
const ports: Readonly<Record<Security, string>> = { tls: '465', starttls: '587', none: '25' };

/** The stored server, or an empty form where there is none. */
export function draftOf(server: MailServer): MailServerDraft {
  return {
    host: server?.host ?? '',
    port: server === null ? ports.starttls : String(server.port),
    security: server?.security ?? 'starttls',
    username: server?.username ?? '',
    from: server?.from ?? '',
    passwordChange: server?.has_password === true ? 'keep' : 'replace',
    password: '',
  };
}

/** A port that was not typed follows the encryption. */
export function withSecurity(draft: MailServerDraft, security: Security): MailServerDraft {
  return { ...draft, security, port: draft.port === ports[draft.security] ? ports[security] : draft.port };
}

/**
 * Whether the stored password can be kept: the service sends it to no other server, and for no
 * other user, than it was given for.
 */
export function canKeepPassword(draft: MailServerDraft, server: MailServer): boolean {
  return (
    server?.has_password === true &&
    server.host === draft.host.trim() &&
    String(server.port) === draft.port.trim() &&
    (server.username ?? '') === draft.username.trim()
  );
}

/** The server as it is sent to the service: without a password the stored one stays. */
export function inputOf(draft: MailServerDraft, server: MailServer): MailServerInput {
  const username = draft.username.trim();
  const keeps = canKeepPassword(draft, server);
  const base = {
    host: draft.host.trim(),
    port: Number(draft.port),
    security: draft.security,
    username: username === '' ? null : username,
    from: draft.from.trim(),
  };
  if (keeps && draft.passwordChange === 'keep') return base;
  if (username === '' || draft.password === '' || (keeps && draft.passwordChange === 'remove'))
    return { ...base, password: null };
  return { ...base, password: draft.password };
}

export type MailServerFaults = Partial<Record<'host' | 'port' | 'from' | 'password', string>>;

/** Faults of what was typed; an empty field has none yet. */
export function faultsOf(draft: MailServerDraft): MailServerFaults {
  const [host, port, from] = [draft.host.trim(), draft.port.trim(), draft.from.trim()];
  const found: Record<keyof MailServerFaults, string | undefined> = {
    host: host === '' || /^[A-Za-z0-9._-]+$|^[0-9A-Fa-f:.]+$/.test(host) ? undefined : faultOfHost(host),
    port:
      port === '' || (/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)
        ? undefined
        : 'A number from 1 to 65535.',
    from: from === '' || /^[^\s@]+@[^\s@]+$/.test(from) ? undefined : 'An address such as bench@lab.example.',
    password:
      draft.password !== '' && draft.username.trim() === ''
        ? 'A password needs the user name it belongs to.'
        : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, fault]) => fault !== undefined));
}

function faultOfHost(host: string): string {
  return host.includes(':')
    ? 'The name alone, such as mail.lab.example; the port has a field of its own.'
    : 'A name such as mail.lab.example, or an address such as 192.168.1.20.';
}

/** Whether a draft can be saved. */
export function isReady(draft: MailServerDraft): boolean {
  return (
    [draft.host, draft.port, draft.from].every((text) => text.trim() !== '') &&
    Object.keys(faultsOf(draft)).length === 0
  );
}

/** Whether a draft differs from what is stored. */
export function isChanged(draft: MailServerDraft, server: MailServer): boolean {
  return JSON.stringify(draft) !== JSON.stringify(draftOf(server));
}
