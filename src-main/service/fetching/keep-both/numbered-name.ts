// Linux limits names to 255 bytes, Windows and macOS to 255 UTF-16 units, which are never more.
const maxNameBytes = 255;
// Up to 16 characters after the last dot are an extension; `.tar.gz` is one.
const extension = /(?<=.)(?:\.tar)?\.[^. ]{1,16}$/iu;
const numbered = /^(.+) \((\d{1,6})\)$/su;

interface NameParts {
  readonly base: string;
  readonly ending: string;
  /** Of the name; 1 without one. */
  readonly number: number;
}

function partsOf(name: string, kind: 'file' | 'folder'): NameParts {
  const ending = kind === 'file' ? (extension.exec(name)?.[0] ?? '') : '';
  const whole = name.slice(0, name.length - ending.length);
  const [, base, number] = numbered.exec(whole) ?? [];
  return { base: base ?? whole, ending, number: Number(number ?? 1) };
}

/**
 * The name that another file or folder of this name gets: `run.zip` becomes `run (2).zip`, and that
 * becomes `run (3).zip`. A name that would be too long loses characters before the number.
 *
 * @param step 1 for the first name to try, 2 for the next.
 */
export function numberedName(name: string, kind: 'file' | 'folder', step: number): string {
  const { base, ending, number } = partsOf(name, kind);
  const tail = ` (${number + step})${ending}`;
  let kept = base;
  // By code points, so that no character is cut into halves.
  while (kept !== '' && Buffer.byteLength(kept) + Buffer.byteLength(tail) > maxNameBytes)
    kept = kept.slice(0, kept.length - (/\p{Surrogate}/u.test(kept.slice(-1)) ? 2 : 1));
  return `${kept}${tail}`;
}
