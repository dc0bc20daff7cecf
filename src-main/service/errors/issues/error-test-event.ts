import { HttpProblem } from '../../common/problem.ts';
import type { ProjectRow } from '../../projects/projects-store.ts';
import type { announceErrors } from '../ingest/announce-errors.ts';
import { refuseExternal } from '../settings/error-project.ts';
import { prepareEvent } from '../events/prepare-event.ts';
import { userHasher } from '../events/user-hash.ts';
import type { ErrorStores } from '../store/stores.ts';
import type { ServiceContext } from '../../http/service-context.ts';

type Deps = Pick<ErrorStores, 'errorEvents' | 'errorSettings'> & Pick<ServiceContext, 'secrets'>;

/**
 * Stores an event as if a program had sent it, so that users can see error tracking at work before
 * they set up an SDK.
 *
 * @returns the id of the event.
 * @throws HttpProblem 409 while error tracking is off, or when the errors are stored elsewhere.
 */
export async function addTestEvent(
  services: Deps,
  project: ProjectRow,
  username: string,
  announce: ReturnType<typeof announceErrors>,
): Promise<string> {
  const settings = await services.errorSettings.of(project.id);
  if (settings?.active !== 1)
    throw new HttpProblem(409, 'Error tracking is off for this project. Switch it on in its settings.', {
      type: 'not-active',
    });
  refuseExternal(settings.integrated === 1 ? 'integrated' : 'external');
  const payload = {
    platform: 'other',
    level: 'info',
    environment: 'test',
    tags: { test: 'yes' },
    user: { username },
    exception: {
      values: [
        {
          type: 'TestEvent',
          value: 'Error tracking works. Nothing is broken; delete this error when you have seen it.',
          stacktrace: {
            frames: [
              { function: 'main', filename: 'test-event', lineno: 1, in_app: true, context_line: 'send_test_event()' },
            ],
          },
        },
      ],
    },
  };
  const context = {
    receivedAt: Date.now(),
    eventId: null,
    sentAt: null,
    sdk: { name: 'benchport.test', version: '1' },
    address: null,
  };
  const event = prepareEvent(Buffer.from(JSON.stringify(payload)), context);
  if (!event) throw new Error('the test event is none');
  // 0 stands for no client key, because ids begin with 1.
  const stored = await services.errorEvents.add({
    projectId: project.id,
    keyId: 0,
    event,
    userHash: userHasher(services.secrets)(project.id, event.user),
  });
  await announce(project.id, event, stored);
  return event.eventId;
}
