import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import styles from './search-help.module.css';

const rows: readonly { readonly example: string; readonly finds: string }[] = [
  { example: 'timeout detector', finds: 'Errors with all these words in the title or location.' },
  {
    example: 'is:resolved',
    finds: 'By status: is:unresolved, is:resolved or is:ignored; several are combined with OR. Default: is:unresolved.',
  },
  { example: 'level:warning', finds: 'By level: fatal, error, warning, info or debug.' },
  { example: 'release:qmr@1.4.2', finds: 'Errors with events from a release.' },
  { example: 'environment:bench-3', finds: 'Errors with events from an environment.' },
  {
    example: 'instrument:"afm 2"',
    finds: 'Errors with events that have a tag, here instrument. Put values with spaces in quotes.',
  },
];

/** Help for the query language of errors. */
export function SearchHelp({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title="How to search errors" description="Terms are combined with AND.">
      <dl className={styles['list']}>
        {rows.map(({ example, finds }) => (
          <div key={example} className={styles['row']}>
            <dt>
              <code>{example}</code>
            </dt>
            <dd>{finds}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
