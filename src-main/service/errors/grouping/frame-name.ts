import type { StackFrame } from '../../contract/errors.ts';
import { fileName, isBundle } from './file-name.ts';
import { functionName, jvmName } from './function-name.ts';

const maxNameLength = 512;
// As far to the right no hand writes.
const builtColumn = 300;

/** A frame as the grouping knows it: module (else file) and function, never the line. */
export function frameName(frame: StackFrame, platform: string): string {
  const name = functionName(frame.function, platform);
  const module = moduleName(frame, platform);
  return `${module} ${name}`.slice(0, maxNameLength);
}

function moduleName(frame: StackFrame, platform: string): string {
  // The program itself, whichever it is.
  const module = frame.module === '__main__' ? null : frame.module;
  if (module === null || module === '') return fileName(frame.filename ?? frame.abs_path);
  if (platform === 'java') return jvmName(module);
  // A vendored package is the package.
  if (platform === 'go') return module.slice(module.lastIndexOf('/vendor/') + 1).replace(/^vendor\//, '');
  return module.slice(0, maxNameLength);
}

/** Whether a bundler has given the function a name that the next build will give to another. */
export function isMinified(frame: StackFrame, platform: string): boolean {
  if (platform !== 'javascript' && platform !== 'node') return false;
  const name = functionName(frame.function, platform);
  const built = isBundle(frame.filename ?? frame.abs_path) || (frame.column ?? 0) >= builtColumn;
  if (name === '') return built;
  const short = name.split('.').every((part) => /^[\w$]{1,2}$|^[\w$](?:[A-Z0-9$][\w$]|[\w$][A-Z0-9$])$/.test(part));
  return short && (built || platform === 'javascript');
}
