import { isTooLargePicture } from '../common/picture-formats.ts';

/** Base64 characters in which the header of a picture states its size. */
const headLetters = 64 * 1024;

/** Whether an address carries a picture that states a size which is not decoded, or none that is known. */
export function hasTooLargePicture(address: string): boolean {
  if (!/^\s*data:/i.test(address)) return false;
  const packed = /^\s*data:image\/[\w.+-]+;base64,([\s\S]*)$/i.exec(address)?.[1];
  if (packed === undefined) return true;
  const letters = packed
    .slice(0, 2 * headLetters)
    .replaceAll(/\s/g, '')
    .slice(0, headLetters);
  try {
    return isTooLargePicture(Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0)));
  } catch {
    return true;
  }
}
