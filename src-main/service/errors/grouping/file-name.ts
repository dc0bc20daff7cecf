const maxReadLength = 2048;

// Names that occur in many folders of a program, so the folder is added.
const common = /^(?:index|main|mod|lib|__init__|__main__|page|route)\.\w{1,5}$/;
const builtName = /^(.*)[.-]([0-9a-zA-Z_-]{6,32})((?:\.(?:min|chunk|bundle|prod))*\.[cm]?jsx?)$/;

/**
 * Returns the name of a source file without query, fragment, build hash, and folders that differ
 * between machines.
 */
export function fileName(path: string | null): string {
  const whole = (path ?? '')
    .slice(-maxReadLength)
    .replace(/[?#].*$/s, '')
    .replace(/^[a-z][a-z0-9+.-]{1,20}:\/\/[^/]*/i, '');
  const parts = whole.split(/[/\\]+/).filter((part) => part !== '' && part !== '.');
  const base = withoutHash(parts.at(-1) ?? '');
  const folder = parts.at(-2);
  return folder !== undefined && common.test(base) && !folder.endsWith(':') ? `${folder}/${base}` : base;
}

/** Whether a file's name shows that a bundler generated it. */
export function isBundle(path: string | null): boolean {
  const base =
    (path ?? '')
      .slice(-maxReadLength)
      .replace(/[?#].*$/s, '')
      .split(/[/\\]/)
      .at(-1) ?? '';
  return /[.-](?:min|chunk|bundle|prod)\.[cm]?js$/.test(base) || withoutHash(base) !== base;
}

function withoutHash(base: string): string {
  if (/^\d{1,10}\.[cm]?js$/.test(base)) return 'chunk.js';
  const [, name = '', hash = '', end = ''] = builtName.exec(base.slice(0, 255)) ?? [];
  return looksHashed(hash) ? `${name}${end}` : base;
}

function looksHashed(text: string): boolean {
  if (/^[0-9a-f]{6,32}$/.test(text)) return /\d/.test(text);
  return text.length === 8 && (/\d/.test(text) || (text.match(/[A-Z]/g) ?? []).length > 1);
}
