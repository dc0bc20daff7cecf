/** One word of a POSIX shell command, quoted only where it must be. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

// The shell puts the token in: a copied line never holds a secret.
const bearer = '-H "Authorization: Bearer $BENCHPORT_TOKEN"';

/**
 * Makes curl take one key and no other for a certificate that no authority has signed: with `-k` alone it would take any. The pin holds whichever name
 * or address the certificate was made for.
 *
 * @param pin of the server's public key, `sha256//...`; null where an authority vouches for it.
 */
export function curlTrust(url: string, pin: string | null): string {
  return pin !== null && url.startsWith('https:') ? ` -k --pinnedpubkey ${shellWord(pin)}` : '';
}

/** The curl line that fetches a URL into a file, and resumes it when it is run again. @param pin see `curlTrust`. */
export function curlDownload(url: string, fileName: string, pin: string | null): string {
  return `curl -f -C -${curlTrust(url, pin)} ${bearer} -o ${shellWord(fileName)} ${shellWord(url)}`;
}

/** The curl line that reads an API answer. @param pin see `curlTrust`. */
export function curlRead(url: string, pin: string | null): string {
  return `curl -f${curlTrust(url, pin)} ${bearer} ${shellWord(url)}`;
}

/** Asks for the token without echo, so that it stays out of the shell's history. */
export const readTokenLine = 'read -rs BENCHPORT_TOKEN && export BENCHPORT_TOKEN';
