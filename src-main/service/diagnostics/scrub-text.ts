import os from 'node:os';

const removed = '[removed]';

/** Names whose value is a secret, in any spelling: `client_secret`, `Authorization`, `apiKey`. */
// Repetitions that can start anywhere are bounded: otherwise untrusted text that almost matches
// would be scanned again from each character.
const secretName = String.raw`[\w.-]{0,100}(?:passwor[dt]|passwd|passphrase|secret|token|api[_-]?key|authorization|cookie|credentials?|private[_-]?key|verifier|otp|totp|pin|sentry[_-]?key|csrf|nonce|signature)`;

type Rule = readonly [find: RegExp, put: string | ((...match: string[]) => string)];

const rules: readonly Rule[] = [
  // Keys and certificates in PEM, also with escaped line breaks or without an end.
  [/-----BEGIN [A-Z0-9 ]+-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|$)/g, removed],
  // User and password, or the key of a DSN, within an address.
  [/([a-z][a-z0-9+.-]{0,30}:\/\/)[^/@"'?#\r\n]+@/gi, `$1${removed}@`],
  [/\b(Bearer|Basic|Digest|Token)\s+[\w.~+/=-]{6,}/gi, `$1 ${removed}`],
  // A whole cookie header.
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
  // Tokens of Benchport and of other products, digests, signed texts.
  [/\b(?:bp[a-z]{1,3}[-_]|gl[a-z]{2,6}-|sntry[a-z]_|gh[a-z]_|sk-)[\w.-]{12,}/gi, removed],
  [/(?<![\w-])eyJ[\w-]{6,}(?:\.[\w-]*){1,4}/g, removed],
  [/\b[0-9a-f]{32,}\b/gi, removed],
  // Keys of authenticators (RFC 4648 base 32).
  [/\b[A-Z2-7]{16,}\b/g, removed],
  // Texts that look random: long, with digits, lower and upper case letters.
  [
    /(?<![\w+/-])[\w+-][\w+/-]{23,}={0,2}/g,
    (all) =>
      /\d/.test(all) && /[a-z]/.test(all) && /[A-Z]/.test(all) && !/^[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\d?$/.test(all)
        ? removed
        : all,
  ],
  [/\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/g, '[e-mail]'],
];

/** Removes names of files and folders, which appear in messages in quotes or as paths. */
export function withoutPaths(text: string): string {
  return text
    .replaceAll(/(["'`])(?=[^"'`\n/\\]*[/\\])[^"'`\n]*\1/g, '$1[path]$1')
    .replaceAll(/(?<![\w:])(?:~|[A-Za-z]:)?[/\\][^\s"'`,;:)]+/g, '[path]');
}

/**
 * Removes secrets from a text, and names of people as far as they can be recognised. Used for texts
 * that leave the machine. It is the second line of defence, because secrets are withheld where
 * texts are stored or logged, and therefore removes too much rather than too little.
 *
 * @param known secrets of this process, such as that of the private socket, removed wherever they
 * occur.
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
