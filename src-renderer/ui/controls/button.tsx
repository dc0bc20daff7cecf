import { Download, LoaderCircle } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly icon?: ReactNode;
  readonly busy?: boolean;
}

/** A button with a text; shows a spinner while its action runs. */
export function Button({
  look = 'plain',
  icon,
  busy = false,
  children,
  disabled,
  type = 'button',
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={`${styles['button']} ${styles[look]}`}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy ? <LoaderCircle className="turning" aria-hidden /> : icon}
      {children}
    </button>
  );
}

export interface DownloadLinkProps extends Omit<ComponentProps<'a'>, 'className'> {
  readonly look?: 'plain' | 'primary';
}

/** A link to a file, in the look of a button. */
export function DownloadLink({ look = 'plain', children, ...rest }: DownloadLinkProps) {
  return (
    <a className={`${styles['button']} ${styles['link']} ${styles[look]}`} {...rest}>
      <Download aria-hidden />
      {children}
    </a>
  );
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
  readonly label: string;
  readonly icon: ReactNode;
}

/** A button with only an icon; its label is read by screen readers and shown on hover. */
export function IconButton({ label, icon, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button type={type} className={styles['icon']} aria-label={label} title={label} {...rest}>
      {icon}
    </button>
  );
}
