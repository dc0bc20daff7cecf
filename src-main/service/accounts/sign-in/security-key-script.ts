/**
 * The only script of the pages that the service renders. It passes the options to the browser's
 * security keys and submits the response with the form. Without scripts or keys the form stays
 * hidden and a line of text is shown instead.
 */
export const securityKeyScript = `'use strict';
(() => {
  const form = document.getElementById('security-key');
  const message = document.getElementById('security-key-message');
  if (!form || !message || !window.PublicKeyCredential) return;

  if (!PublicKeyCredential.parseRequestOptionsFromJSON || !PublicKeyCredential.prototype.toJSON) {
    message.textContent = 'This browser is too old for security keys here. Update it, or use another one.';
    return;
  }

  async function answer() {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(form.dataset.options));
    const credential = await navigator.credentials.get({ publicKey });
    return credential.toJSON();
  }

  form.hidden = false;
  message.textContent = '';
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    message.textContent = 'Touch your security key.';
    try {
      form.elements.namedItem('response').value = JSON.stringify(await answer());
      form.submit();
    } catch {
      message.textContent = 'No security key answered. Try again, or type a code.';
    }
  });
})();
`;
