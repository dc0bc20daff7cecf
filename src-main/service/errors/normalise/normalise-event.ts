import { randomBytes } from 'node:crypto';
import type { ErrorEvent } from '../../contract/errors.ts';
import { eventIdOf } from './event-id.ts';
import {
  breadcrumbsOf,
  contextsOf,
  fingerprintOf,
  levelOf,
  messageOf,
  modulesOf,
  sdkOf,
  tagsOf,
  eventUserOf,
} from './normalise-parts.ts';
import { StackNormaliser } from './normalise-stack.ts';
import { readTime, senderClock } from './normalise-time.ts';
import { Normaliser } from './normalise-values.ts';
import { asRecord } from './event-json.ts';
import { withoutSecretTexts } from './secret-texts.ts';

const maxNameLength = 255;
const maxTransactionLength = 1024;

/** Facts about an event that are not in its payload. */
export interface EventContext {
  readonly receivedAt: number;
  /**
   * From the envelope: its id takes precedence over the payload's, and `sentAt` reveals the drift
   * of the sender's clock.
   */
  readonly eventId: string | null;
  readonly sentAt: number | null;
  readonly sdk: unknown;
  /** Address of the client that sent the request. */
  readonly address: string | null;
}

/**
 * Converts the shapes in which SDKs send an event to the one of the contract. Never throws,
 * whatever the payload holds.
 */
export function normaliseEvent(
  payload: Readonly<Record<string, unknown>>,
  context: EventContext,
  normaliser = new Normaliser(),
): ErrorEvent {
  const stacks = new StackNormaliser(normaliser);
  const clock = senderClock(context.receivedAt, context.sentAt);
  const name = (value: unknown, maxLength = maxNameLength): string | null => normaliser.name(value, maxLength);
  const exceptions = stacks.exceptions(
    payload['exception'] ?? payload['sentry.interfaces.Exception'],
    plainStack(payload),
  );
  const event: ErrorEvent = {
    event_id: context.eventId ?? eventIdOf(payload['event_id']) ?? randomBytes(16).toString('hex'),
    received_at: new Date(context.receivedAt).toISOString(),
    occurred_at: new Date(clock.correct(readTime(payload['timestamp']))).toISOString(),
    level: levelOf(payload['level']),
    platform: name(payload['platform']) ?? 'other',
    environment: name(payload['environment']),
    release: name(payload['release']),
    server_name: name(payload['server_name']),
    logger: name(payload['logger']),
    transaction: name(payload['transaction'], maxTransactionLength) ?? name(payload['culprit'], maxTransactionLength),
    message: messageOf(normaliser, payload),
    exceptions,
    threads: stacks.threads(
      payload['threads'] ?? (exceptions.length === 0 ? threadOf(plainStack(payload)) : undefined),
    ),
    breadcrumbs: breadcrumbsOf(normaliser, payload['breadcrumbs'] ?? payload['sentry.interfaces.Breadcrumbs'], clock),
    tags: tagsOf(normaliser, payload['tags']),
    user: eventUserOf(normaliser, payload['user'] ?? payload['sentry.interfaces.User'], context.address),
    request: withoutSecretTexts(normaliser.values(payload['request'] ?? payload['sentry.interfaces.Http'])),
    contexts: { ...contextsOf(normaliser, payload['contexts']), ...sourceMapIds(normaliser, payload['debug_meta']) },
    extra: normaliser.values(payload['extra']) ?? {},
    modules: modulesOf(normaliser, payload['modules']),
    sdk: sdkOf(normaliser, payload['sdk']) ?? sdkOf(new Normaliser(), context.sdk),
    fingerprint: fingerprintOf(normaliser, payload['fingerprint']),
    shortened: false,
  };
  // Known only now; the member exists already, so that the event need not be copied.
  event.shortened = normaliser.shortened;
  return event;
}

/** Old clients send a stack trace beside the exception or the message instead of inside it. */
function plainStack(payload: Readonly<Record<string, unknown>>): unknown {
  return payload['stacktrace'] ?? payload['sentry.interfaces.Stacktrace'];
}

function threadOf(stack: unknown): unknown {
  return stack === undefined || stack === null ? undefined : [{ current: true, stacktrace: stack }];
}

/**
 * Keeps which source map belongs to which file: the contract has no other place for it, and without
 * it frames of a bundle stay unreadable.
 */
function sourceMapIds(normaliser: Normaliser, value: unknown): Record<string, unknown> {
  const images = asRecord(value)?.['images'];
  const maps = Array.isArray(images) ? images.filter((image) => asRecord(image)?.['type'] === 'sourcemap') : [];
  return maps.length === 0 ? {} : { debug_meta: { images: normaliser.value(maps) } };
}
