import { useQuery } from '@tanstack/react-query';
import { useApp } from '../../context/context.ts';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Fact } from '../../ui/figures/fact.tsx';
import facts from '../../ui/styles/facts.module.css';
import { SettingGroup } from './answers/setting-group.tsx';

/** The address of a server without a window; it is changed where the server is started. */
export function AddressSetting() {
  const { queries } = useApp();
  const service = useQuery(queries.service());
  return (
    <SettingGroup heading="Address" of={service}>
      {(data) => (
        <>
          <h2>Address</h2>
          <dl className={facts['facts']}>
            <Fact term="Base URL">
              <code>{data.base_url}</code>
              <CopyButton text={data.base_url} label="Copy the base URL" small />
            </Fact>
            <Fact term="HTTPS">
              {data.base_url.startsWith('https:')
                ? 'on'
                : data.shared
                  ? 'off: passwords and measurements can be read on the network'
                  : 'off'}
            </Fact>
            <Fact term="Reachable">
              {data.shared ? 'from other machines' : 'from the machine it runs on, or through a proxy there'}
            </Fact>
          </dl>
          <p className="remark">
            Set when the server is started: <code>benchport serve --base-url https://NAME --host 0.0.0.0</code>, with{' '}
            <code>--tls-cert</code> and <code>--tls-key</code>, or <code>--tls-self-signed</code>, for HTTPS without a
            proxy. Links in answers and addresses for OAuth begin with the base URL.
          </p>
        </>
      )}
    </SettingGroup>
  );
}
