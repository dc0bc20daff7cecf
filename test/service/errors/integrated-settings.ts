/** Settings of a project whose errors are kept here, without limits of its own. */
export const integratedSettings = {
  active: 1,
  integrated: 1,
  api_url: null,
  sealed_token: null,
  project_name: null,
  organization_name: null,
  retention_days: null,
  most_events: null,
  max_bytes: null,
} as const;
