import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApp } from '../../context/context.ts';
import { linesOf, problemOfHosts } from './allowed-hosts.ts';
import { SettingGroup } from './answers/setting-group.tsx';
import { LinesForm } from './lines-form.tsx';
import styles from './settings-screen.module.css';

/** The private hosts that requests to addresses which users choose may reach; for administrators. */
export function OutgoingSetting() {
  const { actions, queries } = useApp();
  const client = useQueryClient();
  const settings = useQuery(queries.outgoingSettings());
  return (
    <SettingGroup heading="Outgoing requests" of={settings} className={styles['titled']}>
      {({ allowed }) => (
        <LinesForm
          key={allowed.join('\n')}
          label="Outgoing requests to private hosts"
          hint="Users choose the addresses of external error backends and of webhooks. Public addresses are always allowed; those of a private network or of this machine only if they are here. One per line: a name (sentry.lab), with a port (sentry.lab:9000), an address, or a network (10.1.0.0/16). Metadata services of clouds cannot be allowed."
          name="the allowed hosts"
          stored={allowed}
          rows={6}
          read={linesOf}
          check={problemOfHosts}
          save={async (hosts) => {
            const next = await actions.setOutgoing(hosts);
            client.setQueryData(queries.outgoingSettings().queryKey, next);
            return next.allowed;
          }}
          counted={['entry', 'entries']}
          saved="Allowed hosts saved"
        />
      )}
    </SettingGroup>
  );
}
