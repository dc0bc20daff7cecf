import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Desktop } from '../../api/desktop.ts';

export type DesktopSettings = Awaited<ReturnType<Desktop['getDesktopSettings']>>;
export type DesktopSettingsChange = Parameters<Desktop['setDesktopSettings']>[0];

/** How Benchport lives on this desktop, and the way to change it. A change is shown as asked for while the system has not answered. */
export function useDesktopSettings(desktop: Desktop) {
  const client = useQueryClient();
  const options = queryOptions({ queryKey: ['desktop-settings'], queryFn: async () => desktop.getDesktopSettings() });
  const settings = useQuery(options);
  const [wanted, setWanted] = useState<DesktopSettingsChange>({});
  const [failure, setFailure] = useState<unknown>(null);

  async function change(next: DesktopSettingsChange): Promise<void> {
    setWanted(next);
    setFailure(null);
    try {
      client.setQueryData(options.queryKey, await desktop.setDesktopSettings(next));
    } catch (error) {
      setFailure(error);
    } finally {
      setWanted({});
    }
  }

  const { data } = settings;
  const shown: DesktopSettings | undefined = data && {
    ...data,
    ...wanted,
    notifications: { ...data.notifications, ...wanted.notifications },
    updates: { ...data.updates, ...wanted.updates },
  };
  return { shown, failure: failure ?? settings.error, change };
}
