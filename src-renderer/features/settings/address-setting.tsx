import { useQuery } from '@tanstack/react-query';
import { useApp } from '../../context/context.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import facts from '../../ui/styles/facts.module.css';
import styles from './settings-screen.module.css';
import { SettingNotRead } from './answers/setting-not-read.tsx';

/** The address of a server without a window; it is changed where the server is started. */
export function AddressSetting() {
  const { queries } = useApp();
  const { data, error, refetch } = useQuery(queries.service());
  return (
    <div className={styles['group']}>
      <SettingNotRead
        heading="Address"
        error={data === undefined ? error : null}
        waits={data === undefined}
        onAgain={refetch}
      />
      {data === undefined ? null : (
        <>
          <h2>Address</h2>
          <dl className={facts['facts']}>
            <dt>Base URL</dt>
            <dd>
              <code>{data.base_url}</code>
              <CopyButton text={data.base_url} label="Copy the base URL" small />
            </dd>
            <dt>HTTPS</dt>
            <dd>
              {data.base_url.startsWith('https:')
                ? 'on'
                : data.shared
                  ? 'off: passwords and measurements can be read on the network'
                  : 'off'}
            </dd>
            <dt>Reachable</dt>
            <dd>{data.shared ? 'from other machines' : 'from the machine it runs on, or through a proxy there'}</dd>
          </dl>
          <p className={styles['hint']}>
            Set when the server is started: <code>benchport serve --base-url https://NAME --host 0.0.0.0</code>, with{' '}
            <code>--tls-cert</code> and <code>--tls-key</code>, or <code>--tls-self-signed</code>, for HTTPS without a
            proxy. Links in answers and addresses for OAuth begin with the base URL.
          </p>
        </>
      )}
    </div>
  );
}
