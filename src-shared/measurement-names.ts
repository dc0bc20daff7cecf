/** Compares by code points, which is also the order of UTF-8 bytes; `<` compares UTF-16 units. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

// Surrogates encode code points above U+FFFF, so they sort after U+E000..U+FFFF.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/**
 * Derives a measurement id from the name of a folder or file; the caller removes the extension of
 * an archive.
 */
export function suggestedId(name: string): string {
  const cleaned = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 100)
    .replace(/[-._]+$/, '');
  return cleaned === '' ? 'measurement' : cleaned;
}

/** Whether it is the id under which a removed measurement is kept; it is no valid measurement id. */
export function isKeptId(id: string): boolean {
  return /^-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
}

/** Whether a text is a valid measurement id. */
export function isMeasurementId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(id);
}
