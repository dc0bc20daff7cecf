import os from 'node:os';

const removed = '[removed]';

/** Names whose value is a secret, however they are written: `client_secret`, `Authorization`, `apiKey`. */
// Repetitions that may begin anywhere have an end: without one, text from outside that almost fits would be read anew from each of its characters.
const secretName = String.raw`[\w.-]{0,100}(?:passwor[dt]|passwd|passphrase|secret|token|api[_-]?key|authorization|cookie|credentials?|private[_-]?key|verifier|otp|totp|pin|sentry[_-]?key|csrf|nonce|signature)`;

type Rule = readonly [find: RegExp, put: string | ((...match: string[]) => string)];

const rules: readonly Rule[] = [
  // Keys and certificates in PEM, also where their line breaks are escaped, and without an end.
  [/-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g, removed],
  // User and password, or the key of a DSN, within an address.
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^/@"'?#\r\n]+@/gi, `$1${removed}@`],
  [/\b(Bearer|Basic|Digest|Token)\s+[\w.~+/=-]{6,}/gi, `$1 ${removed}`],
  // A whole header of cookies.
  [/\b((?:set-)?cookie)(\\*["']?\s*[:=]\s*\\*["']?)[^"'\r\n]+/gi, `$1$2${removed}`],
  // Values of a query and of cookies.
  [/([?&][\w.[\]-]+=)[^&\s"'#\\]+/g, `$1${removed}`],
  [/\b((?:__Host-|__Secure-)?[\w-]{0,64}session[\w-]{0,64}=)[^;\s"'\\]+/gi, `$1${removed}`],
  [
    new RegExp(
      String.raw`(\\{0,8}["']?)\b(${secretName})\b(\\*["']?\s*[:=]\s*)(\\+"[\s\S]*?\\+"|"(?:[^"\\]|\\.)*"|\\*'[^']*'|[^\s,;&"'})\]\\]+)`,
      'gi',
    ),
    (_all, before = '', name = '', sign = '') => `${before}${name}${sign}${removed}`,
  ],
  // A word such as "password hunter2" or "code 123456".
  [
    /\b(password|passphrase|passwort|recovery code|code)(\s+(?:is\s+|was\s+)?)(?=[^\s,.;]*\d)[^\s,.;]{4,}/gi,
    `$1$2${removed}`,
  ],
  // Tokens of ours and of others, digests, signed texts.
  [/\b(?:bp[a-z]{1,3}[-_]|gl[a-z]{2,6}-|sntry[a-z]_|gh[a-z]_|sk-)[\w.-]{12,}/gi, removed],
  [/(?<![\w-])eyJ[\w-]{6,}(?:\.[\w-]*){1,4}/g, removed],
  [/\b[0-9a-f]{32,}\b/gi, removed],
  // Keys of authenticators (RFC 4648 base 32).
  [/\b[A-Z2-7]{16,}\b/g, removed],
  // What looks drawn by lot: long, with digits, small and large letters.
  [
    /(?<![\w+/-])[\w+-][\w+/-]{23,}={0,2}/g,
    (all) =>
      /\d/.test(all) && /[a-z]/.test(all) && /[A-Z]/.test(all) && !/^[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\d?$/.test(all)
        ? removed
        : all,
  ],
  [/\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g, '[e-mail]'],
];

/** Takes names of files and folders out of a text: in messages they stand in quotes or as paths. */
export function withoutPaths(text: string): string {
  return text
    .replaceAll(/(["'`])(?=[^"'`\n/\\]*[/\\])[^"'`\n]*\1/g, '$1[path]$1')
    .replaceAll(/(?<![\w:])(?:~|[A-Za-z]:)?[/\\][^\s"'`,;:)]+/g, '[path]');
}

/**
 * Takes what is secret out of a text, and names of people as far as they can be told. Meant for texts that leave this machine; what is stored or logged is
 * held back where it is written already, so this is the second fence and rather takes too much.
 *
 * @param known secrets that this process knows, such as the one of the window's door: wherever they stand, in whatever form.
 */
export function scrubText(text: string, known: readonly string[] = []): string {
  const withoutKnown = known.reduce(
    (left, secret) => (secret.length < 6 ? left : left.replaceAll(secret, removed)),
    text,
  );
  const scrubbed = rules.reduce(
    (left, [find, put]) => (typeof put === 'string' ? left.replace(find, put) : left.replace(find, put)),
    withoutKnown,
  );
  const home = os.homedir();
  return home.length > 1 ? scrubbed.replaceAll(home, '~') : scrubbed;
}
