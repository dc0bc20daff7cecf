{{- define "benchport.name" -}}
{{- if contains "benchport" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-benchport" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "benchport.selector" -}}
app.kubernetes.io/name: benchport
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "benchport.labels" -}}
{{ include "benchport.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "benchport.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "benchport.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "benchport.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "benchport.environment" -}}
- name: BENCHPORT_DATABASE_URL_FILE
  value: /run/secrets/database/{{ .Values.database.urlKey }}
{{- with .Values.database.listenUrlKey }}
- name: BENCHPORT_DATABASE_LISTEN_URL_FILE
  value: /run/secrets/database/{{ . }}
{{- end }}
- name: BENCHPORT_SECRET_KEY_FILE
  value: /run/secrets/key/{{ .Values.secretKey.key }}
{{- end }}

{{- define "benchport.secretMounts" -}}
- { name: database, mountPath: /run/secrets/database, readOnly: true }
- { name: key, mountPath: /run/secrets/key, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "benchport.secretVolumes" -}}
- name: database
  secret: { secretName: {{ .Values.database.secretName | quote }}, defaultMode: 0440 }
- name: key
  secret: { secretName: {{ .Values.secretKey.secretName | quote }}, defaultMode: 0440 }
- name: tmp
  emptyDir: {}
{{- end }}

{{- define "benchport.storageEnvironment" -}}
{{- with .Values.objectStorage }}
{{- if .endpoint }}
- name: BENCHPORT_S3_ENDPOINT
  value: {{ .endpoint | quote }}
- name: BENCHPORT_S3_BUCKET
  value: {{ .bucket | quote }}
{{- if .prefix }}
- name: BENCHPORT_S3_PREFIX
  value: {{ .prefix | quote }}
{{- end }}
{{- if .region }}
- name: BENCHPORT_S3_REGION
  value: {{ .region | quote }}
{{- end }}
- name: BENCHPORT_S3_PATH_STYLE
  value: {{ .pathStyle | quote }}
- name: BENCHPORT_S3_ACCESS_KEY_ID_FILE
  value: /run/secrets/storage/{{ .accessKeyIdKey }}
- name: BENCHPORT_S3_SECRET_ACCESS_KEY_FILE
  value: /run/secrets/storage/{{ .secretAccessKeyKey }}
{{- if .caKey }}
- name: BENCHPORT_S3_CA
  value: /run/secrets/storage/{{ .caKey }}
{{- end }}
- name: BENCHPORT_CACHE_BYTES
  value: {{ int64 .cacheBytes | quote }}
{{- end }}
{{- end }}
{{- end }}
