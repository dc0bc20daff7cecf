const hidden = '••••••••';

/** A DSN, or a text that contains it, with its keys hidden: server and project remain readable. */
export function maskDsn(text: string, publicKey: string): string {
  return text.replaceAll(new RegExp(`${publicKey}(:[0-9a-zA-Z]+)?(?=@)`, 'g'), (_whole, secret: string | undefined) =>
    secret === undefined ? hidden : `${hidden}:${hidden}`,
  );
}

/**
 * Whether an address, such as a DSN, has a loopback host, which on other machines means those
 * machines.
 */
export function isLoopbackUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}
