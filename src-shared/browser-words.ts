// The first match counts: other browsers also name their ancestors.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bCriOS\/|\bChrome\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const firstFit = (list: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  list.find(([pattern]) => pattern.test(text))?.[1];

/** The browser of a User-Agent, without its version and system; null for one that is not known. */
export function browserFamily(userAgent: string | null): string | null {
  return firstFit(browsers, userAgent ?? '') ?? null;
}

/** Browser and system of a sign-in, as its User-Agent claims. */
export function browserWords(userAgent: string | null): string {
  const browser = browserFamily(userAgent);
  const system = firstFit(systems, userAgent ?? '');
  if (browser === null) return system === undefined ? 'Unknown browser' : `Unknown browser on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
