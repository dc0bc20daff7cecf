/** One word of a POSIX shell command, quoted only where it must be. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

// The shell inserts the token: a copied command never contains a secret.
const bearer = '-H "Authorization: Bearer $BENCHPORT_TOKEN"';

/**
 * Makes curl accept one public key for a certificate that no authority has signed: with `-k` alone
 * it would accept any. The pin holds whichever name or address the certificate was made for.
 * @param pin of the server's public key, `sha256//...`; null where an authority has signed the
 * certificate.
 */
export function curlTrust(url: string, pin: string | null): string {
  return pin !== null && url.startsWith('https:') ? ` -k --pinnedpubkey ${shellWord(pin)}` : '';
}

/**
 * The curl command that downloads a URL into a file, and resumes when it is run again.
 * @param pin see `curlTrust`.
 */
export function curlDownload(url: string, fileName: string, pin: string | null): string {
  return `curl -f -C -${curlTrust(url, pin)} ${bearer} -o ${shellWord(fileName)} ${shellWord(url)}`;
}

/**
 * The curl command that reads an API response.
 * @param pin see `curlTrust`.
 */
export function curlRead(url: string, pin: string | null): string {
  return `curl -f${curlTrust(url, pin)} ${bearer} ${shellWord(url)}`;
}

/** Reads the token without echo, so that it does not appear in the shell's history. */
export const readTokenLine = 'read -rs BENCHPORT_TOKEN && export BENCHPORT_TOKEN';
