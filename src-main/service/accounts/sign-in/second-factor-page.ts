import { html, type Html } from '../../http/pages/page-html.ts';
import { panel } from '../../http/pages/page-layout.ts';

export interface SecondFactorForm {
  readonly formToken: string;
  readonly totp: boolean;
  readonly recoveryCodes: boolean;
  readonly keyOptions: object | null;
  /** Why the user's security keys cannot be used at this address; null when they can. */
  readonly keysUnavailable: string | null;
  readonly failure: string | null;
}

/**
 * The page that asks for the second factor. Codes work without scripts; a security key needs
 * `securityKeyScript`.
 */
export function secondFactorPage(form: SecondFactorForm): Html {
  const { totp, recoveryCodes, keyOptions, keysUnavailable, failure } = form;
  // An authenticator code is asked for first; without one the key comes first, and a recovery code
  // is for when the key is lost.
  const keyFirst = keyOptions !== null && !totp;
  const hidden = html`<input type="hidden" name="form_token" value="${form.formToken}" />`;
  const label = totp ? (recoveryCodes ? 'Authenticator code or recovery code' : 'Authenticator code') : 'Recovery code';
  const typed =
    (totp || recoveryCodes) &&
    html`<form method="post" action="/users/sign_in/second_factor">
      ${hidden}
      <label for="code">${label}</label>
      <input
        id="code"
        name="code"
        autocomplete="one-time-code"
        autocapitalize="none"
        spellcheck="false"
        maxlength="64"
        required
        ${!keyFirst && html`autofocus`}
      />
      <button type="submit" class="${keyFirst && 'secondary'}">Continue</button>
    </form>`;
  const key =
    keyOptions !== null &&
    html`<form method="post" action="/users/sign_in/second_factor" id="security-key" data-options="${JSON.stringify(keyOptions)}" hidden>
        ${hidden}
        <input type="hidden" name="response" value="" />
        <button type="submit" class="${!keyFirst && 'secondary'}" ${keyFirst && html`autofocus`}>Use a security key</button>
      </form>
      <p class="muted" id="security-key-message" role="status">A security key needs scripts, and a browser that can use it.</p>
      <script src="/-/security-key.js" defer></script>`;
  return panel(
    'One more step',
    html`${failure !== null && html`<p class="failure" role="alert">${failure}</p>`}
      <div class="ways">${keyFirst ? html`${key}${typed}` : html`${typed}${key}`}</div>
      ${keysUnavailable !== null && html`<p class="muted">${keysUnavailable}</p>`}
      ${typed === false && key === false && html`<p>Nothing else is set up for this account. An administrator can reset its second factor.</p>`}
      <p class="muted"><a href="/users/sign_in">Sign in as somebody else</a></p>`,
  );
}
