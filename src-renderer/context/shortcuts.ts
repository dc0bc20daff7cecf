import type { Command } from './commands/command.ts';

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Keys as the catalogue writes them: `Mod+Shift+N`, `J`, `?`, `Space`. */
export function keysOf(press: KeyPress, onMac: boolean): string {
  const key = press.key === ' ' ? 'Space' : press.key.length === 1 ? press.key.toUpperCase() : press.key;
  const isLetter = /^[A-Z]$/.test(key);
  const mod = onMac ? press.metaKey : press.ctrlKey;
  const foreign = onMac ? press.ctrlKey : press.metaKey;
  return [
    ...(foreign ? ['Other'] : []),
    ...(mod ? ['Mod'] : []),
    ...(press.altKey ? ['Alt'] : []),
    // A character such as ? needs Shift on some keyboards and not on others.
    ...(press.shiftKey && (isLetter || key.length > 1) ? ['Shift'] : []),
    key,
  ].join('+');
}

/** The command among `candidates` with these keys. */
export function commandFor<C extends Command>(
  candidates: readonly C[],
  press: KeyPress,
  onMac: boolean,
): C | undefined {
  const keys = keysOf(press, onMac);
  return candidates.find((command) => command.shortcuts.includes(keys));
}

const macSigns: Readonly<Record<string, string>> = {
  Mod: '⌘',
  Shift: '⇧',
  Alt: '⌥',
  Backspace: '⌫',
  Delete: '⌦',
  Enter: '↩',
};
const keyNames: Readonly<Record<string, string>> = {
  Mod: 'Ctrl',
  ArrowDown: '↓',
  ArrowUp: '↑',
  Escape: 'Esc',
  PageDown: 'Page down',
  PageUp: 'Page up',
};

/** Keys for display: `Ctrl Shift N`, on a Mac `⌘⇧N`. */
export function showKeys(keys: string, onMac: boolean): string {
  const parts = keys.split('+').map((part) => (onMac ? macSigns[part] : undefined) ?? keyNames[part] ?? part);
  return parts.join(onMac ? '' : ' ');
}

/**
 * Whether this element does something itself with a key, so that no shortcut may fire. Sliders and
 * selections have no use for Escape: the page does not hear of it while the list of one is open.
 */
export function takesKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true;
  if (target instanceof HTMLSelectElement) return key !== 'Escape';
  if (!(target instanceof HTMLInputElement)) return false;
  if (target.type === 'range') return key !== 'Escape';
  return !['checkbox', 'radio', 'button', 'submit'].includes(target.type);
}
