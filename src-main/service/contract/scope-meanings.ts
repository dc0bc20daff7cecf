/**
 * Scopes with the one line for screens and documents. Without schemas, because the page imports
 * this module.
 */
export const scopeMeanings = {
  api: 'Everything its user may do',
  read_api: 'Read everything its user may read',
  read_measurement: 'List and download measurements',
  write_measurement: 'Upload measurements',
  read_user: 'Read the profile of its user',
  profile: 'Read name and user name (OpenID Connect)',
  email: 'Read the e-mail address (OpenID Connect)',
  openid: 'Sign in (OpenID Connect)',
  self_rotate: 'Replace itself by a new token',
} as const;

export type Scope = keyof typeof scopeMeanings;
