import type { StackFrame } from '../../contract/errors.ts';

// Modules around the program in each language. The Java SDK marks frames as the program's own only
// if it is told the packages, and frames of thread pools and reflection change at run time (after
// some calls a generated accessor replaces a native one).
const modules: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    java: /^(?:javax?|jdk|sun|com\.sun|jakarta|kotlinx?|scala|groovy|clojure|android|dalvik|io\.sentry|io\.netty|reactor|org\.(?:springframework|apache|eclipse|junit|hibernate|slf4j|gradle|codehaus)|ch\.qos|com\.zaxxer)\./,
    go: /^(?:runtime|testing|reflect|sync|net\/http|github\.com\/getsentry\/sentry-go)(?:$|\/)/,
    python: /^(?:asyncio|concurrent|threading|runpy|importlib|unittest|multiprocessing|sentry_sdk)(?:\.|$)/,
  }),
);
const functions: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    native:
      /^<?(?:std|core|alloc|test|tokio|futures_\w{1,20}|backtrace|sentry\w{0,30}|hyper|rayon\w{0,10})::|^_{1,2}\w+$|^(?:main|rust_begin_unwind|start_thread|clone\d?)$/,
  }),
);
const files =
  /^node:|[\\/](?:node_modules|site-packages|dist-packages|gems|vendor)[\\/]|^internal[\\/]|[\\/]lib[\\/](?:python3|ruby)[\\/.]|^\/rustc\//;

// Helpers that compilers add to asynchronous functions for older engines; their presence depends on
// the target of the build.
const helpers =
  /^(?:__awaiter|__generator|asyncGeneratorStep|_asyncToGenerator|fulfilled|rejected|Generator\.(?:next|throw|<anonymous>)(?: \(<anonymous>\))?|processTicksAndRejections)$/;

/**
 * Whether a frame belongs to the language or a library instead of the program, judging by its
 * names.
 */
export function isLibraryFrame(frame: StackFrame, platform: string): boolean {
  const native = platform === 'rust' ? 'native' : platform;
  return (
    (modules.get(native)?.test((frame.module ?? '').slice(0, 512)) ?? false) ||
    (functions.get(native)?.test((frame.function ?? '').slice(0, 512)) ?? false) ||
    files.test((frame.abs_path ?? frame.filename ?? '').slice(0, 2048))
  );
}

/** Whether a frame was only added by a compiler around an asynchronous function. */
export function isCompilerHelper(frame: StackFrame): boolean {
  return helpers.test((frame.function ?? '').slice(0, 64));
}
