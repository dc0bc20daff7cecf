import { useQuery } from '@tanstack/react-query';
import { useApp } from '../../../context/context.ts';
import { SettingGroup } from '../answers/setting-group.tsx';
import { MailServerForm } from './mail-server-form.tsx';
import { MailTest } from './mail-test.tsx';

/** The server that mail is sent by; for administrators. */
export function MailServerSetting() {
  const server = useQuery(useApp().queries.mailServer());
  return (
    <SettingGroup heading="Mail server" of={server}>
      {(data) => (
        <>
          <h2>Mail server</h2>
          <p className="remark">
            {data === null ? 'No mail is sent until there is one. ' : ''}Notifications of all users are sent by it.
          </p>
          <MailServerForm key={JSON.stringify(data)} server={data} />
          {data === null ? null : <MailTest />}
        </>
      )}
    </SettingGroup>
  );
}
