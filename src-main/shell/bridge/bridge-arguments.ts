import path from 'node:path';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { DesktopSettingsChange, UpdateAction } from '../../../src-preload/bridge.ts';

const localPath = Compile(Type.String({ minLength: 1, maxLength: 4096 }));
const droppedPaths = Compile(Type.Array(Type.String({ maxLength: 4096 }), { maxItems: 10_000 }));
const servicePath = Compile(Type.String({ minLength: 1, maxLength: 2048, pattern: '^/[^\\\\]*$' }));
// A file name without a folder: only the dialog decides where the file goes.
const backupName = Compile(Type.String({ maxLength: 80, pattern: '^[A-Za-z0-9-]+\\.zip$' }));
const secret = Compile(Type.String({ minLength: 1, maxLength: 4096 }));
const theme = Compile(Type.Union([Type.Literal('system'), Type.Literal('light'), Type.Literal('dark')]));
const desktopSettings = Compile(
  Type.Object(
    {
      startAtLogin: Type.Optional(Type.Boolean()),
      closeToTray: Type.Optional(Type.Boolean()),
      keepAwake: Type.Optional(Type.Boolean()),
      notifications: Type.Optional(
        Type.Object(
          {
            finished: Type.Optional(Type.Boolean()),
            failed: Type.Optional(Type.Boolean()),
            error: Type.Optional(Type.Boolean()),
            degraded: Type.Optional(Type.Boolean()),
          },
          { additionalProperties: false },
        ),
      ),
      updates: Type.Optional(
        Type.Object(
          { look: Type.Optional(Type.Boolean()), fetch: Type.Optional(Type.Boolean()) },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
);
const updateAction = Compile(Type.Enum(['look', 'fetch', 'install', 'install-at-quit', 'not-now']));

/**
 * Checks the only argument of a bridge function.
 * @throws TypeError with a message that reveals nothing about the machine.
 */
function checked<T>(validator: { Check(value: unknown): value is T }, values: readonly unknown[], what: string): T {
  const [value, ...rest] = values;
  if (rest.length > 0 || !validator.Check(value)) throw new TypeError(`This is not ${what}.`);
  return value;
}

/**
 * A normalized absolute path of this machine. Network shares are refused, because showing one would
 * send the user's credentials to a foreign server.
 */
export function localPathArgument(values: readonly unknown[]): string {
  const text = checked(localPath, values, 'a path');
  if (text.includes('\0') || !path.isAbsolute(text) || /^[\\/]{2}/.test(text))
    throw new TypeError('This is not a path on this machine.');
  return path.normalize(text);
}

// Each of these checks the only argument of a bridge function.
// @throws TypeError if the page sent anything else.
export const servicePathArgument = (values: readonly unknown[]): string =>
  checked(servicePath, values, 'a path of the service');
/** Drops empty strings: items dragged from a web page have no path. */
export const droppedPathsArgument = (values: readonly unknown[]): string[] =>
  checked(droppedPaths, values, 'a list of paths').filter((one) => one !== '');
export const backupNameArgument = (values: readonly unknown[]): string =>
  checked(backupName, values, 'the name of a backup');
export const secretArgument = (values: readonly unknown[]): string => checked(secret, values, 'a text to copy');
export const themeArgument = (values: readonly unknown[]): 'system' | 'light' | 'dark' =>
  checked(theme, values, 'a theme');
export const desktopSettingsArgument = (values: readonly unknown[]): DesktopSettingsChange =>
  checked(desktopSettings, values, 'a change of settings');
export const updateActionArgument = (values: readonly unknown[]): UpdateAction =>
  checked(updateAction, values, 'something to do about updates');

/** @throws TypeError if the page sent any argument. */
export function noArguments(values: readonly unknown[]): void {
  if (values.length > 0) throw new TypeError('This takes no arguments.');
}
