import type { Api } from '../requests/request.ts';
import type {
  ManagedUser,
  ManagedUserChange,
  NewManagedUser,
  NewTotpKey,
  PasswordChange,
  RecoveryCodes,
  SignInSettings,
  WebauthnKey,
} from '../requests/types.ts';

/** A browser's response after it has created a key. */
export type KeyResponse = ReturnType<PublicKeyCredential['toJSON']>;

const userPath = (id: number): string => `/api/v4/users/${id}`;

/** Changes to the caller's own account, and by administrators to other accounts. */
export function createAccountActions(api: Api) {
  return {
    changePassword: (change: PasswordChange) => api.nothing('/api/v4/user/password', { method: 'PUT', body: change }),
    newTotpKey: () => api.json<NewTotpKey>('/api/v4/user/totp', { method: 'POST', body: {} }),
    confirmTotpKey: (code: string) =>
      api.json<RecoveryCodes>('/api/v4/user/totp/confirm', { method: 'POST', body: { code } }),
    turnTotpOff: () => api.nothing('/api/v4/user/totp', { method: 'DELETE' }),
    newRecoveryCodes: () => api.json<RecoveryCodes>('/api/v4/user/recovery_codes', { method: 'POST', body: {} }),
    webauthnOptions: () =>
      api.json<PublicKeyCredentialCreationOptionsJSON>('/api/v4/user/webauthn/options', { method: 'POST', body: {} }),
    addWebauthnKey: (name: string, response: KeyResponse) =>
      api.json<WebauthnKey>('/api/v4/user/webauthn', { method: 'POST', body: { name, response } }),
    removeWebauthnKey: (id: number) => api.nothing(`/api/v4/user/webauthn/${id}`, { method: 'DELETE' }),
    endSession: (id: number) => api.nothing(`/api/v4/user/sessions/${id}`, { method: 'DELETE' }),
    endOtherSessions: () => api.nothing('/api/v4/user/sessions', { method: 'DELETE' }),
    createUser: (user: NewManagedUser) => api.json<ManagedUser>('/api/v4/users', { method: 'POST', body: user }),
    changeUser: (id: number, change: ManagedUserChange) => api.nothing(userPath(id), { method: 'PUT', body: change }),
    blockUser: (id: number) => api.nothing(`${userPath(id)}/block`, { method: 'POST', body: {} }),
    /** Also lifts a temporary lock after wrong passwords. */
    unblockUser: (id: number) => api.nothing(`${userPath(id)}/unblock`, { method: 'POST', body: {} }),
    disableTwoFactor: (id: number) => api.nothing(`${userPath(id)}/disable_two_factor`, { method: 'PATCH', body: {} }),
    deleteUser: (id: number) => api.nothing(userPath(id), { method: 'DELETE' }),
    setSignIn: (settings: SignInSettings) =>
      api.json<SignInSettings>('/api/v4/application/settings', { method: 'PUT', body: settings }),
  };
}
