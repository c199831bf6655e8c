{{- /* Names end with the component: gapura-api for a release named gapura. */ -}}
{{- define "gapura.name" -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- /* What a selector may use: never changed by an upgrade. */ -}}
{{- define "gapura.selector" -}}
app.kubernetes.io/name: gapura
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "gapura.labels" -}}
{{ include "gapura.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "gapura.image" -}}
{{- with .Values.image -}}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{- /* Settings, and for each secret the file that holds it. Values of the environment, not of a
ConfigMap: the migration runs before a ConfigMap of this chart would exist, and a change of a setting
replaces the pods. `override` is a key of the Secret for DATABASE_URL. */ -}}
{{- define "gapura.environment" -}}
{{- range $name, $value := .root.Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range $name, $key := .root.Values.secret.files }}
- name: {{ $name }}_FILE
  value: /run/secrets/gapura/{{ if and $.override (eq $name "DATABASE_URL") }}{{ $.override }}{{ else }}{{ $key }}{{ end }}
{{- end }}
{{- end }}

{{- define "gapura.container.security" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- /* Of every pod; the component adds its containers. */ -}}
{{- define "gapura.pod" -}}
automountServiceAccountToken: false
# A Service named gapura would otherwise set GAPURA_PORT to its own address.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "gapura.secret.volume" -}}
- name: secrets
  secret:
    secretName: {{ .Values.secret.name }}
    # r--r-----
    defaultMode: 288
{{- end }}

{{- /* A Deployment of API or worker. Called with root, component, args, values and ports. */ -}}
{{- define "gapura.deployment" -}}
{{- $drain := index .root.Values.settings "GAPURA_DRAIN_SECONDS" | default "0" | int }}
{{- if le (.root.Values.terminationGracePeriodSeconds | int) (add $drain 30 | int) }}
{{- fail "terminationGracePeriodSeconds must be longer than GAPURA_DRAIN_SECONDS and 30 s, which a charge may take" }}
{{- end }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "gapura.name" .root }}-{{ .component }}
  labels:
    {{- include "gapura.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .component }}
spec:
  {{- if .replicas }}
  replicas: {{ .replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "gapura.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
  strategy:
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  template:
    metadata:
      labels:
        {{- include "gapura.labels" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
      {{- with .root.Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "gapura.name" .root }}
      terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
      {{- include "gapura.pod" .root | nindent 6 }}
      # Two processes of one kind on one machine would end together.
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "gapura.selector" .root | nindent 14 }}
              app.kubernetes.io/component: {{ .component }}
      containers:
        - name: {{ .component }}
          image: {{ include "gapura.image" .root }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: [{{ .command }}, --json]
          env:
            {{- include "gapura.environment" . | nindent 12 }}
          ports:
            {{- if eq .component "api" }}
            - name: http
              containerPort: 3000
            {{- end }}
            - name: admin
              containerPort: 9464
          # Fails only if a restart would help.
          livenessProbe:
            httpGet:
              path: /livez
              port: admin
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 3
          # Checks the database and this process; an outage of the gateway does not fail it.
          readinessProbe:
            httpGet:
              path: /readyz
              port: admin
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 3
          startupProbe:
            httpGet:
              path: /livez
              port: admin
            periodSeconds: 2
            failureThreshold: 30
          resources:
            {{- toYaml .resources | nindent 12 }}
          securityContext:
            {{- include "gapura.container.security" .root | nindent 12 }}
          volumeMounts:
            - name: secrets
              mountPath: /run/secrets/gapura
              readOnly: true
      volumes:
        {{- include "gapura.secret.volume" .root | nindent 8 }}
{{- end }}

{{- define "gapura.disruption" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "gapura.name" .root }}-{{ .component }}
  labels:
    {{- include "gapura.labels" .root | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "gapura.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .component }}
{{- end }}
