/**
 * Languages with syntax colours, grouped by shared comments and strings, each with its keywords.
 */
export type Language = 'python' | 'javascript' | 'go' | 'java' | 'csharp' | 'c' | 'rust' | 'php' | 'ruby';

export interface Token {
  readonly kind: 'plain' | 'keyword' | 'string' | 'numeric' | 'comment';
  readonly text: string;
}

/** A string or comment that continues on the next line: the text that ends it, and its kind. */
export type OpenText = { readonly end: string; readonly kind: 'comment' | 'string' } | null;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const javaLike =
  'break case catch class const continue default do else enum extends false final finally for if import instanceof interface new null package';
const keywords: Readonly<Record<Language, ReadonlySet<string>>> = {
  python: words(
    'False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield self',
  ),
  javascript: words(
    `${javaLike} async await debugger delete export from function in let of return static super switch this throw true try type typeof undefined var void while with yield`,
  ),
  go: words(
    'break case chan const continue default defer else fallthrough false for func go goto if import interface iota map nil package range return select struct switch true type var',
  ),
  java: words(
    `${javaLike} abstract assert boolean byte char double float fun goto implements int is long native object override private protected public record return sealed short static super switch synchronized this throw throws transient true try val var void volatile when while yield`,
  ),
  csharp: words(
    `${javaLike} abstract as async await base bool byte char decimal delegate double explicit float foreach get implicit in int internal is lock long namespace object out override params private protected public readonly record ref return sealed set short sizeof static string struct switch this throw true try typeof uint using var virtual void where while yield`,
  ),
  c: words(
    `${javaLike} auto bool char constexpr delete double explicit extern float friend goto include define int inline long namespace nullptr operator private protected public register return short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while`,
  ),
  rust: words(
    'as async await box break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type union unsafe use where while',
  ),
  php: words(
    `${javaLike} abstract and array as callable declare echo elseif empty fn foreach function global implements include insteadof isset list match namespace or print private protected public readonly require return self static switch this throw trait true try unset use var while xor yield`,
  ),
  ruby: words(
    'BEGIN END alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or raise redo require rescue retry return self super then true undef unless until when while yield',
  ),
};

const endings: Readonly<Record<string, Language>> = {
  py: 'python',
  pyx: 'python',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'javascript',
  tsx: 'javascript',
  mts: 'javascript',
  go: 'go',
  java: 'java',
  kt: 'java',
  scala: 'java',
  groovy: 'java',
  swift: 'java',
  cs: 'csharp',
  c: 'c',
  h: 'c',
  cc: 'c',
  cpp: 'c',
  hpp: 'c',
  cxx: 'c',
  rs: 'rust',
  php: 'php',
  rb: 'ruby',
};
const platforms: Readonly<Record<string, Language>> = {
  node: 'javascript',
  native: 'c',
  cocoa: 'c',
  csharp: 'csharp',
  kotlin: 'java',
};

/**
 * The language of a file by its extension, or else by the platform of the event; null for one
 * without colours.
 */
export function languageOf(file: string, platform: string): Language | null {
  const ending = /\.([a-z]{1,6})$/i.exec(file)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(endings, ending)) return endings[ending] ?? null;
  if (Object.hasOwn(platforms, platform)) return platforms[platform] ?? null;
  return Object.hasOwn(keywords, platform) ? (platform as Language) : null;
}

const hashComments: ReadonlySet<Language> = new Set(['python', 'ruby', 'php']);
const slashComments: ReadonlySet<Language> = new Set(['javascript', 'go', 'java', 'csharp', 'c', 'rust', 'php']);
const backtickTexts: ReadonlySet<Language> = new Set(['javascript', 'go']);

// One alternative matches at each position, and none nests repetitions: the time is linear in the
// length of the line.
const piece =
  /(?<word>[A-Za-z_$][\w$]*)|(?<numeric>\d[\w.]*)|(?<triple>"""|''')|(?<quote>["'`])|(?<comment>#|\/\/)|(?<block>\/\*)|(?<space>\s+)|[^]/gu;

/**
 * A line of source as coloured tokens, in time linear in its length. It never fails: unknown text
 * is plain, and the tokens joined are always the line.
 * @param open the string or comment that the previous line left open.
 */
export function tokensOf(
  line: string,
  language: Language | null,
  open: OpenText,
): { readonly tokens: readonly Token[]; readonly next: OpenText } {
  if (language === null) return { tokens: [{ kind: 'plain', text: line }], next: null };
  const found: Token[] = [];
  const add = (kind: Token['kind'], text: string): void => {
    const last = found.at(-1);
    if (last?.kind === kind) found[found.length - 1] = { kind, text: last.text + text };
    else if (text !== '') found.push({ kind, text });
  };
  let at = 0;
  let next = open;
  if (open !== null) {
    const end = endOf(line, 0, open.end);
    add(open.kind, line.slice(0, end ?? line.length));
    if (end === null) return { tokens: found, next: open };
    at = end;
    next = null;
  }
  while (at < line.length) {
    piece.lastIndex = at;
    const match = piece.exec(line);
    const text = match?.[0] ?? line.slice(at);
    const { word, numeric, triple, quote, comment, block } = match?.groups ?? {};
    if (word !== undefined) add(keywords[language].has(word) ? 'keyword' : 'plain', word);
    else if (numeric !== undefined) add('numeric', numeric);
    else if (comment !== undefined && (comment === '#' ? hashComments : slashComments).has(language)) {
      add('comment', line.slice(at));
      return { tokens: found, next: null };
    } else if (block !== undefined && slashComments.has(language)) {
      const end = endOf(line, at + 2, '*/');
      add('comment', line.slice(at, end ?? line.length));
      if (end === null) return { tokens: found, next: { end: '*/', kind: 'comment' } };
      at = end;
      continue;
    } else if (isText(language, triple ?? quote)) {
      const [mark = '', spans] =
        triple !== undefined && language === 'python' ? [triple, true] : [quote ?? triple?.[0], quote === '`'];
      const end = endOf(line, at + mark.length, mark);
      add('string', line.slice(at, end ?? line.length));
      if (end === null) return { tokens: found, next: spans ? { end: mark, kind: 'string' } : null };
      at = end;
      continue;
    } else add('plain', text);
    at += text.length;
  }
  return { tokens: found, next };
}

/** Whether a quotation mark begins a string. In Rust an apostrophe also begins a lifetime. */
function isText(language: Language, mark: string | undefined): boolean {
  if (mark === undefined) return false;
  if (mark === '`') return backtickTexts.has(language);
  return !(language === 'rust' && mark.startsWith("'"));
}

/**
 * Index after the end of a string or comment; null if the line does not end it. A backslash escapes
 * the next character.
 */
function endOf(line: string, from: number, end: string): number | null {
  for (let at = from; at < line.length; at += 1) {
    if (line[at] === '\\' && end !== '*/') at += 1;
    else if (line.startsWith(end, at)) return at + end.length;
  }
  return null;
}
