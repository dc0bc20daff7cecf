import { html, type Html } from '../../http/pages/page-html.ts';
import { panel } from '../../http/pages/page-layout.ts';
import type { AuthorizeRequest } from './authorize-request.ts';
import { decisionForm, ownerFact, scopeList, type Owner } from './consent-parts.ts';
import { destinationOf, leadsToDevice } from './redirect-uri.ts';

export interface ConsentForm {
  readonly wanted: AuthorizeRequest;
  readonly owner: Owner;
  readonly username: string;
  /** Id of the pending request. */
  readonly request: string;
  readonly csrfToken: string;
  /** Address that starts the sign-in with another account for this request. */
  readonly otherAccount: string;
}

/** Path of the authorization endpoint, and target of the consent form. */
export const authorizePath = '/oauth/authorize';

/**
 * The consent page. It works without scripts, submits nothing by itself, and focuses neither
 * button. The stylesheet disables the buttons for half a second after the pointer reaches them, so
 * that the second click of a double click on another window approves nothing; keyboard and touch
 * are not affected.
 */
export function consentPage(form: ConsentForm): Html {
  const { application, back, scopes } = form.wanted;
  const name = html`<bdi class="name">${application.name}</bdi>`;
  return panel(
    'Give access to your account?',
    html`<p>${name} asks for access to the account of <strong>${form.username}</strong> on this Benchport.</p>
      ${scopeList('The access covers', scopes)}
      <dl class="facts">
        ${ownerFact(form.owner)}
        <dt>Leads back to</dt>
        <dd><code>${destinationOf(back.redirectUri)}</code>${leadsToDevice(back.redirectUri) && ', a program on this device'}</dd>
      </dl>
      ${
        !application.confidential &&
        html`<p class="caution">
          It has no secret, so any program could pretend to be it. Allow this only if you have just started it, or clicked in it, yourself.
        </p>`
      }
      ${decisionForm(authorizePath, form.request, form.csrfToken)}
      <p class="muted">
        You can revoke the access at any time under Applications. Not ${form.username}? <a href="${form.otherAccount}">Use another account</a>
      </p>`,
  );
}

/** Shows the user why a request failed when the client must not receive the error. */
export function authorizeErrorPage(message: string): Html {
  return panel(
    'This request cannot continue',
    html`<p role="alert">${message}</p>
      <p class="muted">No access was given. Close this page; if this happens again, tell the people who run the application.</p>`,
  );
}

/** Intermediate page between sign-in and client; the browser continues by the `Refresh` header. */
export function redirectPage(redirectUri: string, location: string): Html {
  return panel(
    'Back to the application',
    html`<p>Go on to <a href="${location}">${destinationOf(redirectUri)}</a>.</p>`,
  );
}

/**
 * Posts a response to the client (OAuth 2.0 Form Post Response Mode); a script submits the form,
 * where scripts run.
 */
export function formPostPage(redirectUri: string, members: readonly (readonly [string, string])[]): Html {
  return panel(
    'Back to the application',
    html`<p>Go on to <code>${destinationOf(redirectUri)}</code>.</p>
      <form method="post" action="${redirectUri}" id="answer">
        ${members.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <button type="submit">Continue</button>
      </form>
      <script src="${formPostScript.path}"></script>`,
  );
}

/** The script of `formPostPage`, in its own file because of the content security policy. */
export const formPostScript = {
  path: '/-/form-post.js',
  text: "document.getElementById('answer').submit();\n",
} as const;
