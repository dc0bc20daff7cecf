import type { App } from '../http/app.ts';
import { seeOther } from '../http/pages/see-other.ts';

// GitLab's current and former addresses of each page: programs print them, and users have
// bookmarks.
const places = {
  '/ui/applications': [
    '/profile/applications',
    '/-/profile/applications',
    '/user_settings/applications',
    '/-/user_settings/applications',
    '/oauth/applications',
    '/oauth/authorized_applications',
  ],
  '/ui/tokens': [
    '/profile/personal_access_tokens',
    '/-/profile/personal_access_tokens',
    '/user_settings/personal_access_tokens',
    '/-/user_settings/personal_access_tokens',
  ],
  '/ui/account': [
    '/profile',
    '/-/profile',
    '/profile/account',
    '/-/profile/account',
    '/user_settings/account',
    '/-/user_settings/account',
  ],
} as const;

/**
 * Redirects GitLab's profile addresses to the screens. The query is kept (`?name=&scopes=` fills in
 * the form for a new token).
 */
export function registerProfileRedirects(app: App): void {
  for (const [screen, addresses] of Object.entries(places)) {
    for (const address of addresses) {
      app.get(address, { schema: { hide: true } }, async (request, reply) => {
        const mark = request.url.indexOf('?');
        return seeOther(reply, mark < 0 ? screen : screen + request.url.slice(mark));
      });
    }
  }
}
