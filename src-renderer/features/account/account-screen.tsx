import { useQuery } from '@tanstack/react-query';
import { useApp, useScreen } from '../../context/context.ts';
import { Screen } from '../../ui/layout/screen.tsx';
import { NotLoaded } from '../../ui/notes/not-loaded.tsx';
import screen from '../../ui/layout/screen.module.css';
import styles from './account-screen.module.css';
import { AuthenticatorSection } from './authenticator-section.tsx';
import { NotificationsSection } from './notifications-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { RecoveryCodesSection } from './recovery-codes-section.tsx';
import { SecurityKeysSection } from './security-keys-section.tsx';
import { SignInsSection } from './sign-ins-section.tsx';
import { StorageSection } from './storage-section.tsx';

/** The user's profile, password, second factors and sign-ins. */
export function AccountScreen() {
  useScreen('account');
  const { queries } = useApp();
  const account = useQuery(queries.account());
  return (
    <Screen title="Account">
      <div className={screen['scroller']}>
        <NotLoaded of={account} className={styles['section']} />
        {account.data === undefined ? null : (
          <>
            <ProfileSection account={account.data} />
            <StorageSection />
            <NotificationsSection />
            <PasswordSection account={account.data} />
            <AuthenticatorSection account={account.data} />
            <SecurityKeysSection account={account.data} />
            <RecoveryCodesSection account={account.data} />
            <SignInsSection />
          </>
        )}
      </div>
    </Screen>
  );
}
