import type { CaptureRule, CaptureRuleInput, CaptureRunActionRequest, CaptureTrial } from '../requests/types.ts';
import type { Api } from '../requests/request.ts';

const capturesPath = '/api/v4/local/captures';

/** Changes to watched folders and their runs. */
export function createCaptureActions(api: Api) {
  return {
    addCapture: (rule: CaptureRuleInput) => api.json<CaptureRule>(capturesPath, { method: 'POST', body: rule }),
    changeCapture: (id: number, rule: CaptureRuleInput) =>
      api.json<CaptureRule>(`${capturesPath}/${id}`, { method: 'PUT', body: rule }),
    removeCapture: (id: number) => api.nothing(`${capturesPath}/${id}`, { method: 'DELETE' }),
    controlCapture: (id: number, action: 'pause' | 'resume') =>
      api.json<CaptureRule>(`${capturesPath}/${id}/${action}`, { method: 'POST', body: {} }),
    /** @param id of the rule that would be changed; null for a new one. */
    tryCapture: (rule: CaptureRuleInput, id: number | null) =>
      api.json<CaptureTrial>(`${capturesPath}/try`, { method: 'POST', body: rule, query: { rule_id: id } }),
    actOnCaptureRuns: (request: CaptureRunActionRequest) =>
      api.json<{ changed: number }>(`${capturesPath}/runs/actions`, { method: 'POST', body: request }),
  };
}
