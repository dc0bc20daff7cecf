import { commandsOf } from './command.ts';

export const tokenCommands = commandsOf('Tokens', 'tokens', [
  { id: 'create-token', title: 'Create a token…', shortcuts: ['Mod+N', 'N'] },
  { id: 'rotate-token', title: 'Rotate…', shortcuts: ['R'] },
  { id: 'revoke-token', title: 'Revoke…', shortcuts: ['Delete', 'Mod+Backspace'] },
]);

export const applicationCommands = commandsOf('Applications', 'applications', [
  { id: 'register-application', title: 'Register an application…', shortcuts: ['Mod+N', 'N'] },
  { id: 'edit-application', title: 'Edit…', shortcuts: ['F2', 'E'] },
  { id: 'renew-secret', title: 'Renew the secret…', shortcuts: ['R'] },
  { id: 'delete-application', title: 'Delete…', shortcuts: ['Delete', 'Mod+Backspace'] },
]);

export const notificationCommands = commandsOf('Notifications', 'notifications', [
  { id: 'add-notification-rule', title: 'Add a rule…', shortcuts: ['Mod+N', 'N'] },
  { id: 'edit-notification-rule', title: 'Edit…', shortcuts: ['F2', 'E'] },
  { id: 'test-notification-rule', title: 'Send a test', shortcuts: ['T'] },
  { id: 'pause-notification-rule', title: 'Pause or resume', shortcuts: ['P'] },
  { id: 'remove-notification-rule', title: 'Remove…', shortcuts: ['Delete', 'Mod+Backspace'] },
]);

export const userCommands = commandsOf('Users', 'users', [
  { id: 'create-user', title: 'Create a user…', shortcuts: ['Mod+N', 'N'] },
]);
