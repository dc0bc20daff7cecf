// A message may be up to 1 MB of untrusted text, so only its beginning is read.
const maxReadLength = 4096;
const maxKeptLength = 512;
const maxLines = 2;
const maxCached = 1000;

const topLevels =
  'com|org|net|edu|gov|io|dev|app|eu|de|uk|ch|lan|local|localdomain|internal|intranet|lab|corp|example|localhost';
const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}';
const clock = '\\d{1,2}:\\d{2}:\\d{2}(?:[.,]\\d{1,9})?(?: ?[ap]m)?(?: ?(?:z|utc|gmt|[+-]\\d{2}:?\\d{2}))?';
const pathPart = '[\\w\\p{L}.@%+=~#-]';
const ip6 =
  '(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?=[a-f:]{0,39}\\d)(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?)';
const notInWord = '(?<![a-z0-9])';

/**
 * Parts that vary between events, in the order of the reference (error tracking, section 5, rule
 * 6), plus file paths (Go and Rust put them into messages without quotes) and mixed identifiers.
 * Integers and fractions get one name, because a quantity is often both. Each pattern either starts
 * where the preceding character cannot belong to it or is bounded, so none rescans the text.
 */
const patterns: readonly (readonly [name: string, pattern: string])[] = [
  ['email', '(?<![\\w.+-])[\\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){1,6}'],
  ['url', '(?<![\\w+.-])[a-z][a-z0-9+.-]{1,15}://[^\\s\'"<>()]*[^\\s\'"<>().,:;!?]'],
  ['host', `(?<![\\w.-])(?:(?:[a-z0-9-]{1,63}\\.){1,8}(?:${topLevels})|localhost)(?![\\w-]|\\.\\w)(?::\\d{1,5})?`],
  ['ip', '(?<![\\w.])\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\w.]*\\w)(?:/\\d{1,2})?(?::\\d{1,5})?'],
  ['ip', `\\[${ip6}\\](?::\\d{1,5})?|(?<![\\w:])${ip6}(?!\\w|:\\w)`],
  ['uuid', '(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-z])'],
  ['sha1', '(?<![0-9a-z])[0-9a-f]{40}(?![0-9a-z])'],
  ['md5', '(?<![0-9a-z])[0-9a-f]{32}(?![0-9a-z])'],
  [
    'date',
    `${notInWord}\\d{4}[-/]\\d{2}[-/]\\d{2}(?:[t ]\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?(?:z|utc|[+-]\\d{2}:?\\d{2}))?)?(?!\\d)`,
  ],
  ['date', `${notInWord}\\d{8}t\\d{6}(?:[.,]\\d{1,9})?z?(?![a-z0-9])`],
  ['date', `${notInWord}\\d{1,2}[./]\\d{1,2}[./]\\d{4}(?: ${clock})?(?!\\d)`],
  [
    'date',
    `${notInWord}(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?(?:\\d{1,2}[ -]${month}[ -]\\d{4}|${month} {1,2}\\d{1,2},? )(?: ?${clock})?(?: ?\\d{4}(?!\\d))?`,
  ],
  ['date', `${notInWord}${clock}(?!\\d)`],
  ['duration', `${notInWord}(?:\\d{1,15}(?:\\.\\d{1,15})?(?:ns|µs|us|ms|secs?|s|mins?|m|hrs?|h|d)){1,4}(?![a-z0-9])`],
  ['path', `(?<!${pathPart}|[/\\\\])(?:[a-z]:|\\\\\\\\${pathPart}{1,63})[/\\\\](?:${pathPart}|[/\\\\])*`],
  [
    'path',
    `(?<!${pathPart}|[/\\\\])~?/(?:home|users|tmp|var|data|mnt|media|opt|srv|root|proc|dev|usr|etc|private|volumes|run)/(?:${pathPart}|/)+`,
  ],
  [
    'path',
    `(?<!${pathPart}|[/\\\\])(?:~|\\.{1,2})?/(?:${pathPart}{1,255}/){0,40}${pathPart}{1,255}\\.[a-z]\\w{0,7}(?!${pathPart}|/)`,
  ],
  ['hex', '(?<![\\w])0x[0-9a-f]{1,64}(?![0-9a-z])'],
  ['hex', '(?<![0-9a-z])(?=[0-9]{0,127}[a-f])(?=[a-f]{0,127}[0-9])[0-9a-f]{8,128}(?![0-9a-z])'],
  ['id', '(?<![0-9a-z])(?=(?:[a-z]{0,30}[0-9]){3})(?=[0-9]{0,60}[a-z])[0-9a-z]{16,64}(?![0-9a-z])'],
  ['number', `${notInWord}(?:(?<![\\w)\\]])[-+])?\\d{1,400}\\.\\d{1,400}(?:e[-+]?\\d{1,4})?(?!\\d|\\.\\d)`],
  ['number', `${notInWord}(?:(?<![\\w)\\]])[-+])?(?:\\d{1,3}(?:[,_]\\d{3}){1,9}|\\d{1,400}(?:e[-+]?\\d{1,4})?)(?!\\d)`],
  // Text that a JavaScript engine quotes after reading, setting or evaluating is a name rather than
  // a value, and the only difference between such errors.
  ['text', '(?<![\\w\'"]|\\((?:reading|setting|evaluating) )(?:\'[^\']*\'|"[^"]*")(?!\\w)'],
  ['truth', `${notInWord}(?:true|false)(?![a-z0-9])`],
];
const names = patterns.map(([name]) => `<${name}>`);
const everything = new RegExp(patterns.map(([, pattern]) => `(${pattern})`).join('|'), 'giu');

// A failing loop reports the same text again and again.
const known = new Map<string, string>();

/**
 * Replaces parts that vary between events by placeholders, in the first two lines that are not
 * empty, and cuts the result to the length that is needed to distinguish messages.
 */
export function parametrise(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  const found = parametrised(text);
  if (text.length <= maxKeptLength) {
    if (known.size >= maxCached) known.clear();
    known.set(text, found);
  }
  return found;
}

function parametrised(text: string): string {
  const lines = text
    .slice(0, maxReadLength)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines
    .slice(0, maxLines)
    .join('\n')
    .replace(
      everything,
      (match: string, ...groups: readonly unknown[]) =>
        names[groups.findIndex((group) => group !== undefined)] ?? match,
    )
    .replace(/[^\S\n]+/g, ' ')
    .slice(0, maxKeptLength);
}
