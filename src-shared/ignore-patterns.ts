/**
 * Files that operating systems and office programs create, and files that are still being written.
 */
export const defaultIgnoreList: readonly string[] = [
  '.DS_Store',
  '._*',
  'Thumbs.db',
  'desktop.ini',
  '~$*',
  '*.tmp',
  '*.partial',
];

/**
 * Returns a function that matches file names case-insensitively: `*` stands for any characters, `?`
 * for one. A pattern that ends with `/` matches folders instead, so that data is not left out
 * because its folder happens to match a pattern for files.
 */
export function ignoreMatcher(patterns: readonly string[]): (name: string, folder: boolean) => boolean {
  const files = patterns.filter((pattern) => !pattern.endsWith('/')).map(fold);
  const folders = patterns.filter((pattern) => pattern.endsWith('/')).map((pattern) => fold(pattern.slice(0, -1)));
  return (name, folder) => {
    const folded = fold(name);
    return (folder ? folders : files).some((pattern) => fits(pattern, folded));
  };
}

/** Whether a name matches a pattern of `*` and `?`, without regard to case. */
export function matchesPattern(pattern: string, name: string): boolean {
  return fits(fold(pattern), fold(name));
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

// Not a regular expression: backtracking over many stars would take exponential time. This
// backtracks to the last star only.
function fits(pattern: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let restart = 0;
  for (let position = 0; position < name.length;) {
    if (pattern[at] === '*') {
      star = at;
      restart = position;
      at += 1;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[position])) {
      at += 1;
      position += 1;
    } else if (star >= 0) {
      at = star + 1;
      restart += 1;
      position = restart;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
