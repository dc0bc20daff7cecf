import { Link } from '@tanstack/react-router';
import type { Desktop } from '../../context/desktop.ts';
import { Choice, Choices } from '../../ui/controls/field.tsx';
import { Note } from '../../ui/notes/note.tsx';
import { ProblemNote } from '../../ui/notes/problem-note.tsx';
import { Saved } from './saved.tsx';
import styles from './settings-screen.module.css';
import { useDesktopSettings, type DesktopSettings } from './answers/use-desktop-settings.ts';

const noticeKinds: readonly { readonly name: keyof DesktopSettings['notifications']; readonly label: string }[] = [
  { name: 'finished', label: 'A fetch has finished' },
  { name: 'failed', label: 'A fetch has failed, or waits for you' },
  { name: 'error', label: 'An error is new or has returned' },
  { name: 'degraded', label: 'A measurement has become degraded: files are not as registered' },
];

/** Behaviour of the window on this desktop. Each switch takes effect at once. */
export function DesktopSetting({ desktop }: { readonly desktop: Desktop }) {
  return (
    <>
      <Living desktop={desktop} />
      <Notifications desktop={desktop} />
    </>
  );
}

function Living({ desktop }: { readonly desktop: Desktop }) {
  const { shown, saving, failure, change } = useDesktopSettings(desktop);
  if (shown === undefined) {
    return failure === null ? null : (
      <div className={styles['group']}>
        <ProblemNote error={failure} />
      </div>
    );
  }
  return (
    <div className={styles['group']}>
      <Choices legend="On this desktop">
        <Choice
          name="start-at-login"
          label="Start when I sign in to this computer"
          meaning={
            shown.hasTray
              ? 'In the background, with an icon in the tray.'
              : 'With its window, because this desktop shows no tray icons.'
          }
          checked={shown.startAtLogin}
          onChange={(startAtLogin) => void change({ startAtLogin })}
        />
        {shown.problem === null ? null : (
          <div role="alert">
            <Note kind="bad">
              <p>{shown.problem}</p>
            </Note>
          </div>
        )}
        {desktop.platform === 'darwin' ? null : (
          <Choice
            name="close-to-tray"
            label="Keep running when the window is closed"
            meaning={
              shown.hasTray
                ? 'Fetches and sharing continue, and the tray icon opens the window again.'
                : 'This desktop shows no tray icons, so there would be no way back to the window.'
            }
            checked={shown.hasTray && shown.closeToTray === true}
            disabled={!shown.hasTray}
            onChange={(closeToTray) => void change({ closeToTray })}
          />
        )}
        <Choice
          name="keep-awake"
          label="Keep the computer awake during fetches"
          meaning="The screen may turn off. What happens when the lid is closed is up to the system."
          checked={shown.keepAwake}
          onChange={(keepAwake) => void change({ keepAwake })}
        />
      </Choices>
      <Saved saving={saving} failure={failure} />
    </div>
  );
}

function Notifications({ desktop }: { readonly desktop: Desktop }) {
  const { shown, saving, failure, change } = useDesktopSettings(desktop);
  if (shown === undefined) return null;
  return (
    <div className={styles['group']}>
      <Choices
        legend="Notifications"
        hint={
          <>
            {shown.canNotify
              ? 'On this desktop, only while this window is not in front, at most three a minute.'
              : 'This desktop shows no notifications.'}{' '}
            <Link to="/account/notifications">By mail or webhook…</Link>
          </>
        }
      >
        {noticeKinds.map(({ name, label }) => (
          <Choice
            key={name}
            type="checkbox"
            name={`notify-${name}`}
            label={label}
            checked={shown.canNotify && shown.notifications[name]}
            disabled={!shown.canNotify}
            onChange={(on) => void change({ notifications: { [name]: on } })}
          />
        ))}
      </Choices>
      <Saved saving={saving} failure={failure} />
    </div>
  );
}
