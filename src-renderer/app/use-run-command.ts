import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useStore } from 'zustand';
import type { CommandId } from './command-catalogue.ts';
import { useApp, useSession } from './context.ts';
import { runWhenThere } from './run-when-there.ts';

/** The commands that begin something, and the screens that they stand on: they are wanted from everywhere. */
const beginnings = {
  'register-folder': '/measurements',
  'register-files': '/measurements',
  'new-fetch': '/transfers',
  'add-server': '/servers',
  'create-project': '/projects',
  'create-token': '/tokens',
  'register-application': '/applications',
  'create-user': '/users',
} as const satisfies Partial<Record<CommandId, string>>;
const ofTheWindow: ReadonlySet<CommandId> = new Set<CommandId>(['register-folder', 'register-files', 'new-fetch', 'add-server']);
const ofAdministrators: ReadonlySet<CommandId> = new Set<CommandId>(['create-project', 'create-user']);

const begins = (id: CommandId): id is keyof typeof beginnings => id in beginnings;

export interface RunCommand {
  /** Whether the screen that is shown answers to it, and to its keys. */
  readonly isHere: (id: CommandId) => boolean;
  readonly can: (id: CommandId) => boolean;
  readonly run: (id: CommandId) => void;
}

/** Runs commands from where the user is; one that begins something on another screen leads there first. */
export function useRunCommand(): RunCommand {
  const { commands, desktop } = useApp();
  const navigate = useNavigate();
  const handlers = useStore(commands, (state) => state.handlers);
  const isAdministrator = useSession().user?.is_admin === true;
  const inWindow = desktop !== null;

  const isHere = useCallback((id: CommandId) => handlers.has(id), [handlers]);
  const can = useCallback(
    (id: CommandId) => handlers.has(id) || (begins(id) && (inWindow || !ofTheWindow.has(id)) && (isAdministrator || !ofAdministrators.has(id))),
    [handlers, inWindow, isAdministrator],
  );
  const run = useCallback(
    (id: CommandId) => {
      const here = commands.getState().handlers.get(id);
      if (here) here();
      else if (begins(id) && can(id)) void navigate({ to: beginnings[id] }).then(() => runWhenThere(commands, id));
    },
    [commands, can, navigate],
  );
  return { isHere, can, run };
}
