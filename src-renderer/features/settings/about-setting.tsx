import { useQuery } from '@tanstack/react-query';
import { BookOpenText, Keyboard } from 'lucide-react';
import { useApp, useUnits } from '../../context/context.ts';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { exactBytes, formatBytes } from '../../../src-shared/format/quantities.ts';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import { Fact } from '../../ui/figures/fact.tsx';
import facts from '../../ui/styles/facts.module.css';
import styles from './settings-screen.module.css';

const lastEndWords = {
  checking: 'Unclean, after a crash or a power cut; the database is being checked',
  whole: 'Unclean, after a crash or a power cut; the database was checked and is intact',
  damaged: 'Unclean, and the database is damaged',
  unchecked: 'Unclean, and the database could not be checked',
} as const;

/** Version and state of this Benchport. */
export function AboutSetting() {
  const { desktop, commands, queries } = useApp();
  const units = useUnits();
  const service = useQuery(queries.service());
  return (
    <div className={styles['group']}>
      <h2>Benchport</h2>
      <NotLoaded of={service} />
      {service.data === undefined ? null : (
        <dl className={facts['facts']}>
          <Fact term="Version">
            {service.data.version}
            {desktop === null || desktop.version === service.data.version ? '' : `, window ${desktop.version}`}
          </Fact>
          <Fact term="Address">
            <code>{service.data.base_url}</code>
            <CopyButton text={service.data.base_url} label="Copy the address" small />
          </Fact>
          {service.data.last_end === null ? null : (
            <Fact term="Last shutdown">{lastEndWords[service.data.last_end]}</Fact>
          )}
          <dt>Free space</dt>
          <dd className="digits" title={exactBytes(service.data.free_bytes)}>
            {formatBytes(service.data.free_bytes, units)}
          </dd>
        </dl>
      )}
      <div className="row middle">
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
  );
}
