import { useNavigate } from '@tanstack/react-router';
import styles from './settings-list.module.css';
import { useMedia } from '../../../ui/hooks/use-media.ts';

/** A section of the settings, with its name in the address. */
export interface SettingsSection {
  readonly id: string;
  readonly title: string;
}

/** In a narrow window, a select above the settings replaces the list beside them. */
const narrowQuery = '(width < 800px)';

/** Navigation between the sections: a list at the side, or a select above. */
export function SettingsList({
  sections,
  current,
}: {
  readonly sections: readonly SettingsSection[];
  readonly current: string;
}) {
  const narrow = useMedia(narrowQuery);
  const navigate = useNavigate();
  const goTo = (id: string): void => void navigate({ to: '/settings', hash: id, replace: true });
  if (narrow) {
    return (
      <div className={styles['above']}>
        <select aria-label="Section" value={current} onChange={(event) => goTo(event.target.value)}>
          {sections.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </div>
    );
  }
  return (
    <nav className={styles['side']} aria-label="Settings">
      {sections.map(({ id, title }) => (
        <a
          key={id}
          href={`#${id}`}
          aria-current={id === current ? 'true' : undefined}
          className={styles['link']}
          onClick={(event) => {
            event.preventDefault();
            goTo(id);
          }}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}
