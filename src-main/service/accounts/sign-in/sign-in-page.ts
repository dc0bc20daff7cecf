import { html, type Html } from '../../http/pages/page-html.ts';
import { panel } from '../../http/pages/page-layout.ts';

export interface SignInForm {
  readonly formToken: string;
  readonly returnTo: string;
  readonly username: string;
  readonly failure: string | null;
}

/** The sign-in form; it works without scripts. */
export function signInPage(form: SignInForm): Html {
  return panel(
    'Sign in to Benchport',
    html`${form.failure !== null && html`<p class="failure" role="alert">${form.failure}</p>`}
      <form method="post" action="/users/sign_in">
        <input type="hidden" name="form_token" value="${form.formToken}" />
        <input type="hidden" name="return_to" value="${form.returnTo}" />
        <label for="username">User name</label>
        <input
          id="username"
          type="text"
          name="username"
          value="${form.username}"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          maxlength="255"
          required
          ${form.username === '' && html`autofocus`}
        />
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          maxlength="1024"
          required
          ${form.username !== '' && html`autofocus`}
        />
        <button type="submit">Sign in</button>
      </form>`,
  );
}

/** Replaces the sign-in form while no account exists. */
export function notSetUpPage(): Html {
  return panel(
    'Benchport is not set up yet',
    html`<p>
        There is no account to sign in to. Open the address that <code>benchport serve</code> printed when it started, or create an account on the machine
        itself:
      </p>
      <p><code>benchport user create NAME --admin --password-stdin</code></p>`,
  );
}
