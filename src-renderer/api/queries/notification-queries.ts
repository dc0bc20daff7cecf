import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Api } from '../requests/request.ts';
import type { Deliveries, MailServer, NotificationChoices, NotificationRule } from '../requests/types.ts';
import { createReaders } from './read-queries.ts';

export const notificationsPath = '/api/v4/user/notifications';
export const mailServerPath = '/api/v4/application/mail_server';
const deliveriesPageSize = 50;
/** Milliseconds. Messages are sent without an action of the user, and no event tells of them. */
const readAgainMs = 10_000;

/** Queries about notifications, and about the server that mail is sent by. */
export function createNotificationQueries(api: Api) {
  const { readJson } = createReaders(api);
  return {
    notificationRules: () => ({
      ...readJson<NotificationRule[]>(['notifications', 'rules'], notificationsPath),
      refetchInterval: readAgainMs,
    }),
    notificationChoices: () =>
      readJson<NotificationChoices>(['notifications', 'choices'], `${notificationsPath}/choices`),
    /** Read again while only the newest ones are shown. */
    deliveries: (rule: number) =>
      infiniteQueryOptions({
        queryKey: ['notifications', 'deliveries', rule],
        initialPageParam: null as number | null,
        queryFn: ({ signal, pageParam }) =>
          api.json<Deliveries>(`${notificationsPath}/${rule}/deliveries`, {
            signal,
            query: { before: pageParam, limit: deliveriesPageSize },
          }),
        getNextPageParam: (last) => (last.length < deliveriesPageSize ? null : (last.at(-1)?.id ?? null)),
        refetchInterval: ({ state }) =>
          state.data === undefined || state.data.pages.length === 1 ? readAgainMs : false,
      }),
    /** For administrators; null when there is none. */
    mailServer: () => readJson<MailServer>(['service', 'mail-server'], mailServerPath),
  };
}
