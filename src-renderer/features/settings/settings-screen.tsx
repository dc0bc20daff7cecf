import { useQuery } from '@tanstack/react-query';
import { BookOpenText, Keyboard } from 'lucide-react';
import { useStore } from 'zustand';
import { useApp, useScreen, useSession } from '../../app/context.ts';
import { PageHeader } from '../../app/page-header.tsx';
import type { Theme } from '../../app/preferences.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Choice, Choices } from '../../ui/field.tsx';
import { exactBytes, formatBytes, type SizeUnits } from '../../ui/format/quantities.ts';
import { NotLoaded } from '../../ui/not-loaded.tsx';
import { BackupsSetting } from './backups-setting.tsx';
import { DiagnosticsSetting } from './diagnostics-setting.tsx';
import { DataSetting } from './data-setting.tsx';
import { DesktopSetting } from './desktop-setting.tsx';
import { FetchSetting } from './fetch-setting.tsx';
import { IgnoreListSetting } from './ignore-list-setting.tsx';
import { OwnErrorsSetting } from './own-errors-setting.tsx';
import facts from '../../ui/facts.module.css';
import screen from '../../ui/screen.module.css';
import styles from './settings-screen.module.css';
import { SignInSetting } from './sign-in-setting.tsx';
import { UpdateSetting } from './update-setting.tsx';
import { useFirstAnswers } from './use-first-answers.ts';

const themes: readonly { readonly theme: Theme; readonly word: string }[] = [
  { theme: 'system', word: 'As the system' },
  { theme: 'light', word: 'Light' },
  { theme: 'dark', word: 'Dark' },
];

/** One size in both units, to choose by. */
const example = 41_017_344_000;
const units: readonly { readonly units: SizeUnits; readonly word: string; readonly steps: string }[] = [
  { units: 'iec', word: 'KiB, MiB, GiB', steps: 'Steps of 1\u202f024' },
  { units: 'si', word: 'kB, MB, GB', steps: 'Steps of 1\u202f000' },
];

const lastEndWords = {
  checking: 'Unclean, after a crash or a power cut; the database is being checked',
  whole: 'Unclean, after a crash or a power cut; the database was checked and is whole',
  damaged: 'Unclean, and the database is damaged',
  unchecked: 'Unclean, and the database could not be checked',
} as const;

/** What a person sets up: how it looks here, and in the window how it lives on the desktop, fetches, and what is left out at registration. */
export function SettingsScreen() {
  useScreen('settings');
  const { preferences, desktop, commands, queries } = useApp();
  const session = useSession();
  const chosen = useStore(preferences);
  const service = useQuery(queries.service());
  const inWindow = session.door === 'window';
  const answered = useFirstAnswers();
  return (
    <section className={screen['screen']} aria-label="Settings">
      <PageHeader title="Settings" />
      <div className={`${screen['scroller']} ${answered ? '' : styles['coming']}`}>
        <div className={styles['group']}>
          <Choices legend="Appearance">
            {themes.map(({ theme, word }) => (
              <Choice key={theme} type="radio" name="theme" label={word} checked={chosen.theme === theme} onChange={() => chosen.change({ theme })} />
            ))}
          </Choices>
        </div>
        <div className={styles['group']}>
          <Choices legend="Sizes">
            {units.map((one) => (
              <Choice
                key={one.units}
                type="radio"
                name="units"
                label={one.word}
                meaning={`${one.steps}: ${exactBytes(example)} are ${formatBytes(example, one.units)}`}
                checked={chosen.units === one.units}
                onChange={() => chosen.change({ units: one.units })}
              />
            ))}
          </Choices>
        </div>
        {inWindow && desktop !== null ? (
          <>
            <DesktopSetting desktop={desktop} />
            <FetchSetting desktop={desktop} />
            <UpdateSetting desktop={desktop} />
          </>
        ) : null}
        {inWindow ? <IgnoreListSetting /> : null}
        {session.user?.is_admin === true ? (
          <>
            <SignInSetting />
            <BackupsSetting />
            <OwnErrorsSetting />
            <DiagnosticsSetting />
          </>
        ) : null}
        {inWindow && desktop !== null && typeof service.data?.data_dir === 'string' ? <DataSetting desktop={desktop} place={service.data.data_dir} /> : null}
        <div className={styles['group']}>
          <h2>Benchport</h2>
          <NotLoaded error={service.data === undefined ? service.error : null} waits={service.data === undefined} onAgain={service.refetch} />
          {service.data === undefined ? null : (
            <dl className={facts['facts']}>
              <dt>Version</dt>
              <dd>
                {service.data.version}
                {desktop === null || desktop.version === service.data.version ? '' : `, window ${desktop.version}`}
              </dd>
              <dt>Address</dt>
              <dd>
                <code>{service.data.base_url}</code>
                <CopyButton text={service.data.base_url} label="Copy the address" small />
              </dd>
              {service.data.last_end === null ? null : (
                <>
                  <dt>Last shutdown</dt>
                  <dd>{lastEndWords[service.data.last_end]}</dd>
                </>
              )}
              <dt>Free space</dt>
              <dd className="digits" title={exactBytes(service.data.free_bytes)}>
                {formatBytes(service.data.free_bytes, chosen.units)}
              </dd>
            </dl>
          )}
          <div className={styles['links']}>
            {desktop === null ? (
              <a href="/api/docs" target="_blank" rel="noopener" className={styles['link']}>
                <BookOpenText aria-hidden />
                HTTP interface
              </a>
            ) : (
              <Button icon={<BookOpenText aria-hidden />} onClick={() => void desktop.openInBrowser('/api/docs')}>
                HTTP interface
              </Button>
            )}
            <Button icon={<Keyboard aria-hidden />} onClick={() => commands.getState().handlers.get('show-shortcuts')?.()}>
              Keyboard shortcuts
            </Button>
          </div>
        </div>
      </div>
    </section>
  );
}
