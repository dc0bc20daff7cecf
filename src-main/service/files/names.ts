import { grouped } from '../common/grouped.ts';
/**
 * Rules for the paths of a measurement: relative, separated by `/`, in NFC, unique regardless of
 * case, and immutable.
 */

// Windows counts UTF-16 units, Linux bytes; a name that exceeds both limits cannot exist on either.
const maxNameLength = 255;
// ZIP allows 65,535 bytes, but no file system allows paths of more than 32,767 units.
const maxPathLength = 32_767;
const windowsPath = 260;
const controls = /\p{Cc}/u;
const windowsIllegal = /[<>:"|?*]/;
const windowsDevice = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])(\.|$)/i;
// Invisible characters and those that change the direction of text: a name with them may be
// displayed as another.
const deceptive = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;
const plain = /^[ -~]*$/;
// Names of ASCII letters, digits, `_` and `-`, with dots and blanks only inside.
const ordinary = /^[\w-](?:[\w. -]*[\w-])?(?:\/[\w-](?:[\w. -]*[\w-])?)*$/;
const deviceWithin = /(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:[./]|$)/i;

/**
 * Fast check that a path is valid, causes no warning and is in NFC: true for most paths, at a tenth
 * of the cost of the individual checks. False is inconclusive.
 */
export function isOrdinaryPath(path: string): boolean {
  return path.length <= maxNameLength && ordinary.test(path) && !deviceWithin.test(path);
}

/** Returns why a path cannot be part of a measurement; null when it can. */
export function pathRefusal(path: string): string | null {
  if (path === '') return 'the name is empty';
  if (path.length > maxPathLength) return `the path is longer than ${grouped(maxPathLength)} characters`;
  if (path.includes('\0')) return 'the name holds a NUL character';
  if (controls.test(path)) return 'the name holds a control character';
  if (path.includes('\\')) return 'the name holds a backslash, which is a folder separator on Windows';
  if (path.startsWith('/')) return 'the path is absolute';
  if (/\p{Surrogate}/u.test(path)) return 'the name is not valid Unicode';
  for (const name of path.split('/')) {
    if (name === '') return 'a part of the path is empty';
    if (name === '.' || name === '..') return `the path holds "${name}" and could lead out of the folder`;
    if (name.length > maxNameLength) return `a name is longer than ${maxNameLength} characters`;
  }
  return null;
}

/** Returns properties of a path that are allowed but cause problems after a download. */
export function pathWarnings(path: string): readonly string[] {
  const warnings: string[] = [];
  for (const name of path.split('/')) {
    const windows = windowsTrouble(name);
    if (windows !== null) warnings.push(windows);
    if (name.startsWith('.')) warnings.push('it is hidden on macOS and Linux');
    if (deceptive.test(name)) warnings.push('the name holds invisible characters or reverses its direction');
    if (Buffer.byteLength(name) > maxNameLength)
      warnings.push(`the name is longer than ${maxNameLength} bytes, which Linux cannot hold`);
  }
  if (path.length > windowsPath)
    warnings.push(`the path is longer than ${windowsPath} characters, which many Windows programs cannot open`);
  return warnings;
}

/** Returns why Windows cannot store a name, or would interpret it differently; null when it can. */
export function windowsTrouble(name: string): string | null {
  const illegal = windowsIllegal.exec(name);
  if (illegal) return `Windows cannot hold a name with ${illegal[0]} in it`;
  if (name.endsWith('.')) return 'Windows drops the dot at the end of a name';
  if (name.endsWith(' ')) return 'Windows drops the blank at the end of a name';
  return isWindowsDevice(name) ? `Windows reserves the name ${name.split('.')[0] ?? name} for a device` : null;
}

/** Whether Windows interprets a name as a device, whatever its extension. */
export function isWindowsDevice(name: string): boolean {
  return windowsDevice.test(name);
}

/**
 * Returns a key that is equal for paths which are the same on a file system that ignores case or
 * Unicode normalization.
 */
export function foldedPath(path: string): string {
  if (plain.test(path)) return path.toLowerCase();
  // Upper case merges letters without a lower case of their own, such as the long s, and sharp s with
  // "ss", but only if the sharp s is no capital letter.
  return path.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}
