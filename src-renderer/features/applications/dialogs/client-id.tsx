import { CopyButton } from '../../../ui/controls/copy-button.tsx';
import styles from './client-id.module.css';

/** The public name of an application among programs. */
export function ClientId({ id }: { readonly id: string }) {
  return (
    <div className={styles['client']}>
      <span className="muted">Client id</span>
      <code data-testid="client-id">{id}</code>
      <CopyButton text={id} label="Copy the client id" />
    </div>
  );
}
