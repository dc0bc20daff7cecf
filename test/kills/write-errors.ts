import { randomBytes } from 'node:crypto';
import { answered } from './expected.ts';
import { askAt } from './service-process.ts';
import { pick, type World } from './world.ts';

// Words of letters, because grouping ignores numbers; new words make new errors to replace merged
// ones.
const newWord = (): string => Array.from(randomBytes(8), (byte) => 'ghijklmnopqrstuv'[byte % 16]).join('');
const oneOfEight = (random: () => number): string => 'ghijklmn'[Math.floor(random() * 8)]?.repeat(3) ?? '';

export async function sendEvent({ service, expected, random, fixed }: World): Promise<boolean> {
  const id = randomBytes(16).toString('hex');
  const project = random() < 0.3 ? fixed.brief : fixed.project;
  const body = JSON.stringify({
    event_id: id,
    message: `valve ${random() < 0.04 || expected.events.size < 4 ? newWord() : oneOfEight(random)} is stuck`,
    user: { id: Math.floor(random() * 7) },
    release: 'r1',
  });
  const answer = await askAt(
    `${service.url}/api/v4/error_tracking/collector/api/${project}/store/?sentry_key=${fixed.keys[project]}`,
    'POST',
    { body },
  );
  if (answer?.status === 200 && project === fixed.project) {
    expected.events.add(id);
    answered(expected, 'event');
  }
  return answer !== null;
}

export async function changeErrors({ service, expected, random, fixed }: World): Promise<boolean> {
  const list = await service.ask(
    'GET',
    `/api/v4/projects/${fixed.project}/errors?query=${encodeURIComponent('is:unresolved is:ignored')}`,
  );
  if (list?.status !== 200) return list !== null;
  const { errors } = list.body as { errors: readonly { id: string }[] };
  const ids = errors.map(({ id }) => id);
  const one = pick(random, ids);
  if (one === undefined) return true;
  if (random() < 0.4 && ids.length > 1) {
    const other = ids.find((id) => id !== one) ?? '';
    const answer = await service.ask('POST', `/api/v4/projects/${fixed.project}/errors/merge`, { ids: [one, other] });
    for (const id of [one, other]) expected.statuses.delete(id);
    if (answer?.status === 200) {
      expected.merged.add((answer.body as { id: string }).id === one ? other : one);
      answered(expected, 'merge');
    }
    return answer !== null;
  }
  const answer = await service.ask('PUT', `/api/v4/projects/${fixed.project}/errors`, {
    ids: [one],
    status: 'ignored',
  });
  if (answer?.status === 204) {
    expected.statuses.set(one, 'ignored');
    answered(expected, 'status');
  }
  return answer !== null;
}
