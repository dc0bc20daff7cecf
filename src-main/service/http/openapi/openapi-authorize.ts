const page = (description: string) => ({ description, content: { 'text/html': { schema: { type: 'string' } } } });
const back =
  'To the redirect URI with `code` (or a token in the fragment), `state` and `iss`, or with `error`, `error_description`, `state` and `iss`';

/**
 * The answers of the authorization endpoint, only for the document: they are pages and redirects,
 * which are not serialised.
 */
export const authorizeResponses: Readonly<Record<string, object>> = {
  authorize: {
    200: page(
      'The consent page; straight after the sign-in also a page that takes the answer back, and so always with `response_mode=form_post`',
    ),
    302: { type: 'null', description: `${back}; or to the sign-in page, which leads back here` },
    400: page('Application and redirect URI do not belong together: the user is not redirected'),
  },
  authorizeByForm: {
    200: page('With `response_mode=form_post`, a form that takes the answer back'),
    303: {
      type: 'null',
      description: `${back}; or, for a request that came as a form, to the same request as an address`,
    },
    400: page(
      'Application and redirect URI are not known to belong together, or the form is not one of the consent page',
    ),
    403: page('The consent page was open too long, was answered already, or belongs to another sign-in'),
  },
};
