import type { MailServerAccess } from '../settings/mail-server.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for each attempt, so that a mail that came twice is seen as one. */
  readonly messageId: string;
}

/** How a mail was taken, or why it was not. */
export interface MailResult {
  readonly failure: string | null;
  /** Whether the server will never take it. */
  readonly isFinal: boolean;
  /** The dialogue with the server, without secrets. */
  readonly dialogue: readonly string[];
}

const timeoutMs = 20_000;
const maxLines = 200;

/** Sends one mail. It fails after at most a minute, also when the server hangs. */
export async function sendMail(server: MailServerAccess, mail: Mail): Promise<MailResult> {
  // Loaded by the first mail, because few installations send any.
  const { createTransport } = await import('nodemailer');
  const dialogue: string[] = [];
  const secrets = server.password === null ? [] : [server.password, Buffer.from(server.password).toString('base64')];
  const line = (entry: { readonly tnx?: string }, text: unknown, ...values: readonly unknown[]): void => {
    if (dialogue.length < maxLines) dialogue.push(lineOf(entry, text, values, secrets));
  };
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    ...(server.username !== null && { auth: { user: server.username, pass: server.password ?? '' } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    debug: true,
    logger: { level: () => {}, trace: line, debug: line, info: line, warn: line, error: line, fatal: line },
  });
  try {
    await transport.sendMail({
      from: server.from,
      to: { name: '', address: mail.to },
      subject: mail.subject,
      text: mail.text,
      messageId: mail.messageId,
      headers: { 'auto-submitted': 'auto-generated' },
    });
    return { failure: null, isFinal: false, dialogue };
  } catch (error) {
    return { failure: failureOf(server, error), isFinal: isFinal(error), dialogue };
  } finally {
    transport.close();
  }
}

function lineOf(
  { tnx }: { readonly tnx?: string },
  text: unknown,
  values: readonly unknown[],
  secrets: readonly string[],
): string {
  let filled = String(text);
  for (const value of values) filled = filled.replace(/%[sdj]/, () => String(value));
  for (const secret of secrets) filled = filled.replaceAll(secret, '[removed]');
  const side = tnx === 'client' ? 'C: ' : tnx === 'server' ? 'S: ' : '';
  return `${side}${filled}`.trim().slice(0, 500);
}

function failureOf({ host, port }: MailServerAccess, error: unknown): string {
  const { code, response, message } = error as { code?: string; response?: string; message?: string };
  const answered = response === undefined ? '' : ` It answered: ${response.slice(0, 300)}`;
  if (code === 'EAUTH') return `${host} refused the user name or the password.${answered}`;
  if (code === 'EENVELOPE') return `${host} refused the address.${answered}`;
  if (code === 'ETLS') return `${host} offers no encryption, or its certificate is not trusted.`;
  if (code === 'EDNS') return `The name ${host} is not known.`;
  if (code === 'ETIMEDOUT') return `${host}:${port} did not answer in time.`;
  if (code === 'ESOCKET' || code === 'ECONNECTION') return `${host}:${port} cannot be reached: ${message ?? ''}`;
  return `${host} did not take the mail.${answered === '' ? ` ${message ?? ''}` : answered}`;
}

/** A recipient that the server will not take (RFC 5321 section 4.2.1: 5yz), and not the login. */
function isFinal(error: unknown): boolean {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return code === 'EENVELOPE' && responseCode !== undefined && responseCode >= 500;
}
