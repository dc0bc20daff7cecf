import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApp, useScreen, useSession } from '../../context/context.ts';
import { Screen } from '../../ui/layout/screen.tsx';
import { AboutSetting } from './about-setting.tsx';
import { AddressSetting } from './address-setting.tsx';
import { BackupsSetting } from './backups-setting.tsx';
import { CopySetting } from './copy-setting.tsx';
import { DiagnosticsSetting } from './diagnostics-setting.tsx';
import { DataSetting } from './data-setting.tsx';
import { DesktopSetting } from './desktop-setting.tsx';
import { FetchSetting } from './fetch-setting.tsx';
import { IgnoreListSetting } from './ignore-list-setting.tsx';
import { MailServerSetting } from './mail/mail-server-setting.tsx';
import { LooksSetting } from './looks-setting.tsx';
import { OutgoingSetting } from './outgoing-setting.tsx';
import { OwnErrorsSetting } from './own-errors-setting.tsx';
import { RetentionSetting } from './retention-setting.tsx';
import { SettingsList, type SettingsSection } from './sections/settings-list.tsx';
import screen from '../../ui/layout/screen.module.css';
import styles from './settings-screen.module.css';
import { SignInSetting } from './sign-in-setting.tsx';
import { UpdateSetting } from './update-setting.tsx';
import { useFirstAnswers } from './answers/use-first-answers.ts';
import { useSectionInView } from './sections/use-section-in-view.ts';

interface Section extends SettingsSection {
  readonly content: ReactNode;
}

/**
 * The sections available here: more in the window than in a browser, and more for administrators
 * than for others.
 */
function useSections(): readonly Section[] {
  const { desktop, queries } = useApp();
  const session = useSession();
  const service = useQuery(queries.service());
  const inWindow = session.door === 'window';
  const window = inWindow ? desktop : null;
  const isAdministrator = session.user?.is_admin === true;
  const place = service.data?.data_dir;
  const ofWindow: Section[] =
    window === null
      ? []
      : [
          { id: 'desktop', title: 'This desktop', content: <DesktopSetting desktop={window} /> },
          { id: 'fetching', title: 'Fetching', content: <FetchSetting desktop={window} /> },
          { id: 'copies', title: 'Copies', content: <CopySetting /> },
          { id: 'updates', title: 'Updates', content: <UpdateSetting desktop={window} /> },
        ];
  const ofAdministrators: Section[] = isAdministrator
    ? [
        { id: 'sign-in', title: 'Sign-in', content: <SignInSetting /> },
        ...(inWindow ? [] : [{ id: 'address', title: 'Address', content: <AddressSetting /> }]),
        { id: 'backups', title: 'Backups', content: <BackupsSetting /> },
        { id: 'retention', title: 'Retention', content: <RetentionSetting /> },
        { id: 'mail-server', title: 'Mail server', content: <MailServerSetting /> },
        { id: 'outgoing', title: 'Outgoing requests', content: <OutgoingSetting /> },
        { id: 'own-errors', title: 'Errors of Benchport', content: <OwnErrorsSetting /> },
        { id: 'diagnostics', title: 'Diagnostics', content: <DiagnosticsSetting /> },
      ]
    : [];
  return [
    { id: 'appearance', title: 'Appearance', content: <LooksSetting /> },
    ...ofWindow,
    ...(inWindow ? [{ id: 'registration', title: 'Registration', content: <IgnoreListSetting /> }] : []),
    ...ofAdministrators,
    ...(window !== null && typeof place === 'string'
      ? [{ id: 'data', title: 'Data folder', content: <DataSetting desktop={window} place={place} /> }]
      : []),
    { id: 'about', title: 'About', content: <AboutSetting /> },
  ];
}

/** Settings of appearance, and in the window of the desktop, fetching, and the ignore list. */
export function SettingsScreen() {
  useScreen('settings');
  const answered = useFirstAnswers();
  const sections = useSections();
  const { scroller, current } = useSectionInView(
    sections.map(({ id }) => id),
    answered,
  );
  return (
    <Screen title="Settings">
      <div className={styles['beside']}>
        <SettingsList sections={sections} current={current} />
        <div ref={scroller} className={`${screen['scroller']} ${answered ? '' : styles['coming']}`}>
          {sections.map(({ id, content }) => (
            <div key={id} id={id} tabIndex={-1} className={styles['section']}>
              {content}
            </div>
          ))}
        </div>
      </div>
    </Screen>
  );
}
