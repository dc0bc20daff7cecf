import { useNavigate } from '@tanstack/react-router';
import { useApp, useCommand, useSession } from './context.ts';

/** Commands that mean the same on every screen. */
export function useGeneralCommands(): void {
  const navigate = useNavigate();
  const { preferences } = useApp();
  const isAdministrator = useSession().user?.is_admin === true;
  useCommand('go-measurements', () => void navigate({ to: '/measurements' }));
  useCommand('go-tokens', () => void navigate({ to: '/tokens' }));
  useCommand('go-applications', () => void navigate({ to: '/applications' }));
  useCommand('go-errors', () => void navigate({ to: '/errors' }));
  useCommand('go-account', () => void navigate({ to: '/account' }));
  useCommand('go-users', isAdministrator ? () => void navigate({ to: '/users' }) : null);
  useCommand('go-audit', isAdministrator ? () => void navigate({ to: '/audit' }) : null);
  useCommand('go-projects', () => void navigate({ to: '/projects' }));
  useCommand('go-settings', () => void navigate({ to: '/settings' }));
  useCommand('theme-system', () => preferences.getState().change({ theme: 'system' }));
  useCommand('theme-light', () => preferences.getState().change({ theme: 'light' }));
  useCommand('theme-dark', () => preferences.getState().change({ theme: 'dark' }));
}
