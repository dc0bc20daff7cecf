import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useApp } from '../context/context.ts';

/** Follows the system's colour scheme unless the user has chosen one. */
export function useTheme(): void {
  const { preferences, desktop } = useApp();
  const theme = useStore(preferences, (state) => state.theme);
  useEffect(() => {
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    const apply = (): void => {
      document.documentElement.dataset['theme'] = theme === 'system' ? (system.matches ? 'dark' : 'light') : theme;
    };
    apply();
    system.addEventListener('change', apply);
    return () => system.removeEventListener('change', apply);
  }, [theme]);
  useEffect(() => {
    void desktop?.setTheme(theme);
  }, [desktop, theme]);
}
