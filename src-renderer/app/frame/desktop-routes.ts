import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useApp } from '../../context/context.ts';

/**
 * Navigates to the target of a link to Benchport, a notification or the tray. The main process
 * validates it; only screens are possible here.
 */
export function useDesktopRoutes(): void {
  const { desktop } = useApp();
  const router = useRouter();
  useEffect(() => desktop?.onNavigate((route) => router.history.push(`/ui${route}`)), [desktop, router]);
}
