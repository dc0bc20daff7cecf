// Longer names are generic Rust functions, whose ends add no information.
const maxReadLength = 400;

/**
 * Returns a function's name without the numbers that compilers, interpreters and restarts change.
 */
export function functionName(name: string | null, platform: string): string {
  const plain = (name ?? '').slice(0, maxReadLength).trim();
  const named = (languages.get(platform) ?? ((text: string) => text))(plain);
  return named
    .replace(/0x[0-9a-fA-F]+/g, '')
    .replace(/\$\d+/g, '')
    .trim();
}

// A map, because the platform is untrusted and could name a member of Object.prototype.
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

/** Go numbers closures, writes type arguments in brackets, and ends method values in -fm. */
function goFunction(name: string): string {
  return withoutPairs(name, '[', ']')
    .replace(/-fm$/, '')
    .replace(/(?:[.-](?:func|gowrap|range|deferwrap)\d+|\.\d+)+$/, '.func');
}

/** The JVM numbers lambdas, proxies and generated accessors in order of creation. */
export function jvmName(name: string): string {
  return name
    .slice(0, maxReadLength)
    .replace(/\$\$Lambda.*$/s, '$$$$Lambda')
    .replace(/\$\$(?:EnhancerBy|FastClassBy|SpringCGLIB|KeyFactoryBy)\w*(?:\$\$[0-9a-zA-Z]+)?/g, '$$$$Proxy')
    .replace(/(\$Proxy|Generated\w{1,20}Accessor|_jsp|LambdaForm\$\w{1,10}\/?)\d+/g, '$1')
    .replace(/\$\d+/g, '');
}

/**
 * Removes the engine's description of the call, which is not part of the name and changes between
 * releases.
 */
function scriptFunction(name: string): string {
  const bare = name
    .replace(/^(?:async |new )+/, '')
    .replace(/ \[as [^\]]*\]$/, '')
    .replace(/ \((?:index \d+|<anonymous>)\)$/, '')
    .replace(/^(?:Object|Module|exports|module\.exports|window|global|globalThis)\./, '')
    .replace(/[/<]+$/, '');
  return /^(?:<anonymous|\(?anonymous\)?|\?|null|undefined)>?$/.test(bare) ? '' : bare;
}

/** Anonymous classes contain their file and line; since PHP 8.4 closures do as well. */
export function phpName(name: string): string {
  return name
    .slice(0, maxReadLength)
    .replace(/@anonymous.*?(?=::|$)/s, '@anonymous')
    .replace(/\{closure:.*\}/s, '{closure}');
}

/**
 * Views are compiled to methods with the number of the object; since Ruby 3.4 the class precedes
 * the method.
 */
function rubyFunction(name: string): string {
  return name
    .replace(/^block \(\d+ levels\) in /, 'block in ')
    .replace(/^(?:rescue|ensure) in /, '')
    .replace(/^(block in )?[\w:]+[#.](?=\w)/, '$1')
    .replace(/_{2,4}\d+(?:_\d+)*$/, '');
}

/**
 * Removes type arguments and the hash of the crate's build; the type that a method is implemented
 * for stays.
 */
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
    // A leading bracket, as in `<Store<T> as Sink>::put`, holds the type itself, and so does `<impl
    // Sink for Store>`.
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
