import { html, type Html } from '../http/page-html.ts';
import { panel } from '../http/page-layout.ts';

export interface SecondFactorForm {
  readonly formToken: string;
  readonly totp: boolean;
  readonly recoveryCodes: boolean;
  readonly keyOptions: object | null;
  readonly failure: string | null;
}

/** Asks for what comes after the password. Codes work without scripts; a security key needs the one script of ours. */
export function secondFactorPage(form: SecondFactorForm): Html {
  const label = form.totp ? (form.recoveryCodes ? 'Authenticator code or recovery code' : 'Authenticator code') : 'Recovery code';
  const hidden = html`<input type="hidden" name="form_token" value="${form.formToken}" />`;
  const typed =
    (form.totp || form.recoveryCodes) &&
    html`<form method="post" action="/users/sign_in/second_factor">
      ${hidden}
      <label for="code">${label}</label>
      <input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="64" required autofocus />
      <button type="submit">Continue</button>
    </form>`;
  const key =
    form.keyOptions !== null &&
    html`<form class="after" method="post" action="/users/sign_in/second_factor" id="security-key" data-options="${JSON.stringify(form.keyOptions)}" hidden>
        ${hidden}
        <input type="hidden" name="response" value="" />
        <button type="submit" class="${typed !== false && 'secondary'}">Use a security key</button>
        <p class="muted" id="security-key-message" role="status"></p>
      </form>
      <noscript><p class="muted">Security keys need scripts, which are switched off in this browser.</p></noscript>
      <script src="/-/security-key.js" defer></script>`;
  return panel(
    'One more step',
    html`${form.failure !== null && html`<p class="failure" role="alert">${form.failure}</p>`} ${typed}${key}
      <p class="muted"><a href="/users/sign_in">Sign in as somebody else</a></p>`,
  );
}
