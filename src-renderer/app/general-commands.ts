import { useNavigate } from '@tanstack/react-router';
import { useApp, useCommand } from './context.ts';

/** Commands that mean the same on every screen. */
export function useGeneralCommands(): void {
  const navigate = useNavigate();
  const { preferences } = useApp();
  useCommand('go-measurements', () => void navigate({ to: '/measurements' }));
  useCommand('go-tokens', () => void navigate({ to: '/tokens' }));
  useCommand('go-settings', () => void navigate({ to: '/settings' }));
  useCommand('theme-system', () => preferences.getState().change({ theme: 'system' }));
  useCommand('theme-light', () => preferences.getState().change({ theme: 'light' }));
  useCommand('theme-dark', () => preferences.getState().change({ theme: 'dark' }));
}
