import type { TestService } from '../start.ts';

/** Tokens that a user got for name and password, without an application. */
export const grantOf = (service: Pick<TestService, 'services'>, userId: number) =>
  service.services.oauth.issueDirectly({
    kind: 'password',
    application: null,
    userId,
    scopes: ['api'],
    refreshable: false,
    address: null,
  });
