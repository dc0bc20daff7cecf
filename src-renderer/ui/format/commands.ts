/** One word of a POSIX shell command, quoted only where it must be. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

// The shell puts the token in: a copied line never holds a secret.
const bearer = '-H "Authorization: Bearer $BENCHPORT_TOKEN"';

/** The curl line that fetches a URL into a file, and resumes it when it is run again. */
export function curlDownload(url: string, fileName: string): string {
  return `curl -f -C - ${bearer} -o ${shellWord(fileName)} ${shellWord(url)}`;
}

/** The curl line that reads an API answer. */
export function curlRead(url: string): string {
  return `curl -f ${bearer} ${shellWord(url)}`;
}

/** Asks for the token without echo, so that it stays out of the shell's history. */
export const readTokenLine = 'read -rs BENCHPORT_TOKEN && export BENCHPORT_TOKEN';
