import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useStore } from 'zustand';
import type { CommandId } from './command-catalogue.ts';
import { useApp, useSession } from './context.ts';
import { runWhenThere } from './run-when-there.ts';

/**
 * Commands that create something, with the screens that they belong to: they are available on all
 * screens.
 */
const beginnings = {
  'register-folder': '/measurements',
  'register-files': '/measurements',
  'new-fetch': '/transfers',
  'watch-folder': '/capture',
  'add-server': '/servers',
  'create-project': '/projects',
  'create-token': '/tokens',
  'register-application': '/applications',
  'create-user': '/users',
} as const satisfies Partial<Record<CommandId, string>>;
const ofTheWindow: ReadonlySet<CommandId> = new Set<CommandId>([
  'register-folder',
  'register-files',
  'new-fetch',
  'watch-folder',
  'add-server',
]);
const ofAdministrators: ReadonlySet<CommandId> = new Set<CommandId>(['create-project', 'create-user']);

type Beginning = keyof typeof beginnings;
const begins = (id: CommandId): id is Beginning => id in beginnings;

/** The screen on which a command creates something, for users who may do so. */
function useScreenOf(): (id: CommandId) => (typeof beginnings)[Beginning] | null {
  const inWindow = useApp().desktop !== null;
  const isAdministrator = useSession().user?.is_admin === true;
  return useCallback(
    (id) =>
      begins(id) && (inWindow || !ofTheWindow.has(id)) && (isAdministrator || !ofAdministrators.has(id))
        ? beginnings[id]
        : null,
    [inWindow, isAdministrator],
  );
}

/**
 * Runs commands from the current screen; one that creates something on another screen navigates
 * there first. The function is stable while commands change with the selection.
 */
export function useRunCommand(): (id: CommandId) => void {
  const { commands } = useApp();
  const navigate = useNavigate();
  const screenOf = useScreenOf();
  return useCallback(
    (id) => {
      const here = commands.getState().handlers.get(id);
      const screen = screenOf(id);
      if (here) here();
      else if (screen !== null) void navigate({ to: screen }).then(() => runWhenThere(commands, id));
    },
    [commands, navigate, screenOf],
  );
}

export interface PossibleCommands {
  /** Whether the current screen handles the command and its keys. */
  readonly isHere: (id: CommandId) => boolean;
  readonly can: (id: CommandId) => boolean;
}

/** The commands that are available now. */
export function usePossibleCommands(): PossibleCommands {
  const handlers = useStore(useApp().commands, (state) => state.handlers);
  const screenOf = useScreenOf();
  const isHere = useCallback((id: CommandId) => handlers.has(id), [handlers]);
  const can = useCallback((id: CommandId) => handlers.has(id) || screenOf(id) !== null, [handlers, screenOf]);
  return { isHere, can };
}
