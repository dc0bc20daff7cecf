import type { Command } from './command.ts';

export const tokenCommands = [
  { id: 'create-token', title: 'Create a token…', group: 'Tokens', scope: 'tokens', shortcuts: ['Mod+N', 'N'] },
  { id: 'rotate-token', title: 'Rotate…', group: 'Tokens', scope: 'tokens', shortcuts: ['R'] },
  { id: 'revoke-token', title: 'Revoke…', group: 'Tokens', scope: 'tokens', shortcuts: ['Delete', 'Mod+Backspace'] },
] as const satisfies readonly Command[];

export const applicationCommands = [
  {
    id: 'register-application',
    title: 'Register an application…',
    group: 'Applications',
    scope: 'applications',
    shortcuts: ['Mod+N', 'N'],
  },
  { id: 'edit-application', title: 'Edit…', group: 'Applications', scope: 'applications', shortcuts: ['F2', 'E'] },
  { id: 'renew-secret', title: 'Renew the secret…', group: 'Applications', scope: 'applications', shortcuts: ['R'] },
  {
    id: 'delete-application',
    title: 'Delete…',
    group: 'Applications',
    scope: 'applications',
    shortcuts: ['Delete', 'Mod+Backspace'],
  },
] as const satisfies readonly Command[];

export const userCommands = [
  { id: 'create-user', title: 'Create a user…', group: 'Users', scope: 'users', shortcuts: ['Mod+N', 'N'] },
] as const satisfies readonly Command[];
