/** A text by which versions sort as their numbers do; what is not a number counts least. */
export function versionKey(version: string): string {
  const [numbers = ''] = version.split(/[-+]/);
  const padded = numbers.split('.').map((part) => part.slice(0, 8).padStart(8, '0'));
  // A version without a suffix is newer than its previews.
  return `${padded.join('.')}${numbers === version ? '~' : `-${version.slice(numbers.length)}`}`;
}
