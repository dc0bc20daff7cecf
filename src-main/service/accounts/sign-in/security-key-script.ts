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

  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

  async function answer() {
    const options = JSON.parse(form.dataset.options);
    const credential = await navigator.credentials.get({
      publicKey: {
        ...options,
        challenge: bytes(options.challenge),
        allowCredentials: options.allowCredentials.map((key) => ({ ...key, id: bytes(key.id) })),
      },
    });
    const { authenticatorData, clientDataJSON, signature, userHandle } = credential.response;
    return {
      id: credential.id,
      rawId: text(credential.rawId),
      type: credential.type,
      clientExtensionResults: credential.getClientExtensionResults(),
      response: {
        authenticatorData: text(authenticatorData),
        clientDataJSON: text(clientDataJSON),
        signature: text(signature),
        ...(userHandle && { userHandle: text(userHandle) }),
      },
    };
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
