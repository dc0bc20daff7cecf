// Longer names are those of generic Rust functions, and tell nothing more at their end.
const maxReadLength = 400;

/** The name of a function without what the compiler, the interpreter or the next start of the program would number anew. */
export function functionName(name: string | null, platform: string): string {
  const plain = (name ?? '').slice(0, maxReadLength).trim();
  const named = (languages.get(platform) ?? ((text: string) => text))(plain);
  return named
    .replace(/0x[0-9a-fA-F]+/g, '')
    .replace(/\$\d+/g, '')
    .trim();
}

// A map, because the platform is a stranger's text as well.
const languages: ReadonlyMap<string, (name: string) => string> = new Map(
  Object.entries({
    go: goFunction,
    java: jvmName,
    javascript: scriptFunction,
    node: scriptFunction,
    php: phpName,
    ruby: rubyFunction,
    native: nativeFunction,
    rust: nativeFunction,
  }),
);

/** Closures are numbered, type arguments stand in brackets, method values end in -fm. */
function goFunction(name: string): string {
  return withoutPairs(name, '[', ']')
    .replace(/-fm$/, '')
    .replace(/(?:[.-](?:func|gowrap|range|deferwrap)\d+|\.\d+)+$/, '.func');
}

/** Lambdas, proxies and generated accessors are numbered as they come to be. */
export function jvmName(name: string): string {
  return name
    .slice(0, maxReadLength)
    .replace(/\$\$Lambda.*$/s, '$$$$Lambda')
    .replace(/\$\$(?:EnhancerBy|FastClassBy|SpringCGLIB|KeyFactoryBy)\w*(?:\$\$[0-9a-zA-Z]+)?/g, '$$$$Proxy')
    .replace(/(\$Proxy|Generated\w{1,20}Accessor|_jsp|LambdaForm\$\w{1,10}\/?)\d+/g, '$1')
    .replace(/\$\d+/g, '');
}

/** How an engine describes the call is no part of the name, and has changed from release to release. */
function scriptFunction(name: string): string {
  const bare = name
    .replace(/^(?:async |new )+/, '')
    .replace(/ \[as [^\]]*\]$/, '')
    .replace(/ \((?:index \d+|<anonymous>)\)$/, '')
    .replace(/^(?:Object|Module|exports|module\.exports|window|global|globalThis)\./, '')
    .replace(/[/<]+$/, '');
  return /^(?:<anonymous|\(?anonymous\)?|\?|null|undefined)>?$/.test(bare) ? '' : bare;
}

/** Anonymous classes carry their file and line; so do closures from PHP 8.4 on. */
export function phpName(name: string): string {
  return name
    .slice(0, maxReadLength)
    .replace(/@anonymous.*?(?=::|$)/s, '@anonymous')
    .replace(/\{closure:.*\}/s, '{closure}');
}

/** Views are compiled into methods with the object's number; from Ruby 3.4 on the class stands before the method. */
function rubyFunction(name: string): string {
  return name
    .replace(/^block \(\d+ levels\) in /, 'block in ')
    .replace(/^(?:rescue|ensure) in /, '')
    .replace(/^(block in )?[\w:]+[#.](?=\w)/, '$1')
    .replace(/_{2,4}\d+(?:_\d+)*$/, '');
}

/** Type arguments and the hash of the crate's build go; what a method is implemented for stays. */
function nativeFunction(name: string): string {
  return withoutTypeArguments(name.replace(/::h[0-9a-f]{16}$/, ''))
    .replace(/\{+([a-z_]+?)(?:_env)?(?:#\d+)?\}+(?:#\d+)?/g, '{$1}')
    .replace(/(?:::\{closure\})+/g, '::{closure}');
}

function withoutTypeArguments(name: string): string {
  let kept = '';
  let depth = 0;
  for (let at = 0; at < name.length; at += 1) {
    const one = name.charAt(at);
    // A leading bracket, as in `<Store<T> as Sink>::put`, holds the type itself, and so does `<impl Sink for Store>`.
    if (one === '<' && (depth > 0 || (/[\w:]$/.test(kept.slice(-1)) && !name.startsWith('<impl ', at)))) depth += 1;
    else if (one === '>' && depth > 0 && name.charAt(at - 1) !== '-') depth -= 1;
    else if (depth === 0) kept += one;
  }
  return kept.replace(/::(?=::|$)/g, '');
}

function withoutPairs(name: string, opening: string, closing: string): string {
  let kept = '';
  let depth = 0;
  for (const one of name) {
    if (one === opening) depth += 1;
    else if (one === closing) depth = Math.max(depth - 1, 0);
    else if (depth === 0) kept += one;
  }
  return kept;
}
