import { html, type Html } from '../../http/pages/page-html.ts';
import { panel } from '../../http/pages/page-layout.ts';
import { decisionForm, ownerFact, scopeList, type Owner } from '../consent/consent-parts.ts';
import type { Application } from '../shared/types.ts';

/** Path of the page on which the user enters the code of a device. */
export const devicePath = '/oauth/device';

export interface CodeForm {
  readonly csrfToken: string;
  readonly username: string;
  /** Initial value of the input field. */
  readonly userCode: string;
  readonly failure: string | null;
}

/** Asks for the code that a device shows. */
export function deviceCodePage(form: CodeForm): Html {
  return panel(
    'Connect a device',
    html`${form.failure !== null && html`<p class="failure" role="alert">${form.failure}</p>`}
      <form method="post" action="${devicePath}">
        <input type="hidden" name="csrf_token" value="${form.csrfToken}" />
        <label for="user_code">Code that the device shows</label>
        <input
          id="user_code"
          name="user_code"
          value="${form.userCode}"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          maxlength="32"
          placeholder="WDJB-MJHT"
          required
          autofocus
        />
        <button type="submit">Continue</button>
      </form>
      <p class="muted">You are signed in as ${form.username}.</p>`,
  );
}

export interface DeviceConsent {
  readonly application: Application;
  readonly owner: Owner;
  readonly username: string;
  readonly userCode: string;
  readonly scopes: readonly string[];
  /** Id of the pending request. */
  readonly request: string;
  readonly csrfToken: string;
}

/**
 * The consent page for a device, with a warning against codes sent by other people (RFC 8628
 * section 5.4).
 */
export function deviceConsentPage(form: DeviceConsent): Html {
  return panel(
    'Give a device access to your account?',
    html`<p>
        <bdi class="name">${form.application.name}</bdi> on a device asks for access to the account of <strong>${form.username}</strong> on this Benchport.
      </p>
      <p class="caution">
        Go on only if the device is in front of you and shows <strong>${form.userCode}</strong>. If somebody sent you this code, choose Deny: they would get
        into your account.
      </p>
      ${scopeList('It could', form.scopes)}
      <dl class="facts">${ownerFact(form.owner)}</dl>
      ${decisionForm(devicePath, form.request, form.csrfToken)}
      <p class="muted">You can revoke the access at any time under Applications.</p>`,
  );
}

/** Shows the outcome, or why the sign-in of the device cannot continue. */
export function deviceMessagePage(heading: string, message: string): Html {
  return panel(heading, html`<p role="status">${message}</p>`);
}
