import { LoaderCircle } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly icon?: ReactNode;
  readonly busy?: boolean;
}

/** A button with a word on it; a turning circle while what it started goes on. */
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
      {busy ? <LoaderCircle className={styles['spinner']} aria-hidden /> : icon}
      {children}
    </button>
  );
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
  readonly label: string;
  readonly icon: ReactNode;
}

/** A button with an icon alone; its label is read aloud and shown on hover. */
export function IconButton({ label, icon, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button type={type} className={styles['icon']} aria-label={label} title={label} {...rest}>
      {icon}
    </button>
  );
}
