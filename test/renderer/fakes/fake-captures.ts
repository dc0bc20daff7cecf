import type { CaptureRule, CaptureRuleInput } from '../../../src-main/service/contract/capture/rules.ts';
import type {
  CaptureCounts,
  CaptureFilter,
  CaptureRun,
  CaptureRunActionRequest,
} from '../../../src-main/service/contract/capture/runs.ts';
import { captureTransitions } from '../../../src-shared/states/capture-states.ts';
import { nextOf } from '../../../src-shared/states/transitions.ts';
import { answer, refused, type FakeAnswer } from './fake-answer.ts';
import {
  captureRule,
  sampleChoices,
  sampleHistory,
  sampleRules,
  sampleRuns,
  sampleTrial,
} from './fake-capture-data.ts';

export interface FakeCaptureOptions {
  /** Three rules with runs in all states, instead of none. */
  readonly rules?: boolean;
}

const filters: Readonly<Record<Exclude<CaptureFilter, 'all'>, readonly CaptureRun['state'][]>> = {
  'needs-you': ['needs-you', 'changed-after'],
  waiting: ['seen', 'growing', 'quiet', 'hashing'],
  done: ['registered', 'pushed'],
  skipped: ['skipped'],
};

function countsOf(runs: readonly CaptureRun[]): CaptureCounts {
  const count = (filter: keyof typeof filters): number =>
    runs.filter(({ state }) => filters[filter].includes(state)).length;
  return {
    all: runs.length,
    needs_you: count('needs-you'),
    waiting: count('waiting'),
    done: count('done'),
    skipped: count('skipped'),
  };
}

/** Watched folders, as the window has them; null for other routes. */
export function fakeCaptures({ rules: has = false }: FakeCaptureOptions) {
  let rules: readonly CaptureRule[] = has ? sampleRules : [];
  let runs: readonly CaptureRun[] = has ? sampleRuns : [];
  const shown = (rule: CaptureRule): CaptureRule => ({
    ...rule,
    counts: countsOf(runs.filter(({ rule_id: of }) => of === rule.id)),
  });

  function pageOf(query: URLSearchParams): FakeAnswer {
    const rule = query.get('rule_id');
    const filter = (query.get('filter') ?? 'all') as CaptureFilter;
    const search = (query.get('search') ?? '').toLowerCase();
    const inRule = runs.filter((run) => rule === null || String(run.rule_id) === rule);
    const found = inRule.filter(
      (run) => (filter === 'all' || filters[filter].includes(run.state)) && run.name.toLowerCase().includes(search),
    );
    const offset = Number(query.get('offset') ?? 0);
    return answer(200, {
      items: found.slice(offset, offset + Number(query.get('limit') ?? 50)),
      total: found.length,
      counts: countsOf(inRule),
    });
  }

  function act({ action, ids, measurement_id: id }: CaptureRunActionRequest): FakeAnswer {
    if (id?.endsWith('-taken') === true)
      return refused(409, 'Id in use', `A measurement "${id}" exists. Choose another id.`, 'id-in-use');
    let changed = 0;
    runs = runs.map((run) => {
      const next = action === 'register' ? 'hashing' : nextOf(captureTransitions, run.state, action);
      if (!ids.includes(run.id) || next === null) return run;
      changed += 1;
      return { ...run, state: next, reason: null, message: null };
    });
    return answer(200, { changed });
  }

  function save(id: number, input: CaptureRuleInput): FakeAnswer {
    const twin = rules.find((rule) => rule.id !== id && rule.folder === input.folder);
    if (twin !== undefined)
      return refused(422, 'Unprocessable', `The rule ${twin.name} watches this folder already. Choose another folder.`);
    const isNew = rules.every((rule) => rule.id !== id);
    const saved = captureRule(id, { ...input, push_server: null, state: 'starting', looked_at: null });
    rules = isNew ? [...rules, saved] : rules.map((rule) => (rule.id === id ? saved : rule));
    return answer(isNew ? 201 : 200, shown(saved));
  }

  function ofRule(method: string, id: number, rest: string | undefined, body: unknown): FakeAnswer {
    const rule = rules.find((one) => one.id === id);
    if (rule === undefined) return refused(404, 'Not found', 'There is no such rule.');
    if (method === 'PUT') return save(id, body as CaptureRuleInput);
    if (method === 'DELETE') {
      rules = rules.filter((one) => one !== rule);
      runs = runs.filter((run) => run.rule_id !== id);
      return { status: 204 };
    }
    const changed: CaptureRule = { ...rule, state: rest === 'pause' ? 'paused' : 'watching' };
    rules = rules.map((one) => (one === rule ? changed : one));
    return answer(200, shown(changed));
  }

  return (method: string, route: readonly string[], query: URLSearchParams, body: unknown): FakeAnswer | null => {
    const [topic, first, second] = route;
    if (topic !== 'captures') return null;
    if (first === undefined)
      return method === 'GET' ? answer(200, rules.map(shown)) : save(rules.length + 1, body as CaptureRuleInput);
    if (first === 'choices') return answer(200, sampleChoices);
    if (first === 'try') return answer(200, sampleTrial);
    if (first !== 'runs') return ofRule(method, Number(first), second, body);
    if (second === undefined) return pageOf(query);
    return second === 'actions' ? act(body as CaptureRunActionRequest) : answer(200, sampleHistory);
  };
}
