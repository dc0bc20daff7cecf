import { html, type Html } from '../../http/pages/page-html.ts';
import { panel } from '../../http/pages/page-layout.ts';
import type { AuthorizeRequest } from './authorize-request.ts';
import { decisionForm, ownerFact, scopeList, type Owner } from './consent-parts.ts';
import { destinationOf, leadsToDevice } from './redirect-uri.ts';

export interface ConsentForm {
  readonly wanted: AuthorizeRequest;
  readonly owner: Owner;
  readonly username: string;
  /** The number under which the request waits here. */
  readonly request: string;
  readonly csrfToken: string;
  /** Where to sign in as somebody else for the same request. */
  readonly otherAccount: string;
}

/** Where the form of the consent page goes. */
export const authorizePath = '/oauth/authorize';

/**
 * Asks the user whether an application may have what it asked for. No script is needed, nothing is sent by itself, and neither button has the
 * focus. The stylesheet keeps the buttons dead for half a second after the pointer came over them, so that the second click of a double click
 * that was begun on another page's window cannot approve anything; the keyboard and touch are not concerned.
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
        <dd>
          <code>${destinationOf(back.redirectUri)}</code
          >${leadsToDevice(back.redirectUri) && ', a program on this device'}
        </dd>
      </dl>
      ${
        !application.confidential &&
        html`<p class="caution">
          It has no secret, so any program could pretend to be it. Allow this only if you have just started it, or
          clicked in it, yourself.
        </p>`
      }
      ${decisionForm(authorizePath, form.request, form.csrfToken)}
      <p class="muted">
        You can revoke the access at any time under Applications. Not ${form.username}?
        <a href="${form.otherAccount}">Use another account</a>
      </p>`,
  );
}

/** Tells the user why a request cannot go on, when nobody else may be told. */
export function authorizeErrorPage(message: string): Html {
  return panel(
    'This request cannot continue',
    html`<p role="alert">${message}</p>
      <p class="muted">
        No access was given. Close this page; if this happens again, tell the people who run the application.
      </p>`,
  );
}

/** Stands between the sign-in and the client for a moment: the browser goes on by itself, as its `Refresh` header says. */
export function goOnPage(redirectUri: string, location: string): Html {
  return panel(
    'Back to the application',
    html`<p>Go on to <a href="${location}">${destinationOf(redirectUri)}</a>.</p>`,
  );
}

/** Carries an answer to the client as a form (OAuth 2.0 Form Post Response Mode); where scripts run it is sent by itself. */
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

/** The one line that sends the form of `formPostPage`, in a file of its own because of the content security policy. */
export const formPostScript = {
  path: '/-/form-post.js',
  text: "document.getElementById('answer').submit();\n",
} as const;
