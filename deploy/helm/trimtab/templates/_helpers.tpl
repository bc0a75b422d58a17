{{/* Values that make no sense together, each with the sentence that says what to do. */}}
{{- define "trimtab.check" -}}
{{- if not .Values.image }}
{{- fail "image: name the image with the package in it, such as --set image=registry.example/trimtab:0.1.0; it has no default" }}
{{- end }}
{{- if and .Values.steer.enabled .Values.controllers.enabled }}
{{- fail "controllers.enabled: the controllers do themselves what steer makes the stock ones do; set steer.enabled=false" }}
{{- end }}
{{- if not (or .Values.steer.enabled .Values.controllers.enabled .Values.scheduler.enabled) }}
{{- fail "steer.enabled: nothing is left to install; enable steer, controllers or scheduler" }}
{{- end }}
{{- if and .Values.pickers.enabled (not (include "trimtab.asker" .)) }}
{{- fail "pickers.enabled: the scheduler asks no pickers; enable steer or controllers" }}
{{- end }}
{{- if and .Values.pickers.enabled (not .Values.pickers.configuration.pickers) }}
{{- fail "pickers.configuration.pickers: name at least one picker: docs/picker-serve.md" }}
{{- end }}
{{- if and (include "trimtab.pickers" . | fromJsonArray) (not (include "trimtab.asker" .)) }}
{{- fail "picker.allow: the scheduler asks no pickers; enable steer or controllers" }}
{{- end }}
{{- end }}

{{/* The hosts of pickers as a list, that of our own among them: --set picker.allow=HOST gives a string. */}}
{{- define "trimtab.pickers" -}}
{{- $allow := .Values.picker.allow }}
{{- if kindIs "string" $allow }}{{ $allow = compact (splitList "," $allow) }}{{ end }}
{{- $allow = $allow | default list }}
{{- if .Values.pickers.enabled }}{{ $allow = append $allow (printf "trimtab-pickers.%s.svc" .Release.Namespace) }}{{ end }}
{{- toJson $allow }}
{{- end }}

{{/* The flags of every program, as items of a list: dict with the keys root and pickers, the hosts of those it may ask. */}}
{{- define "trimtab.flags" -}}
{{- $gates := dict }}
{{- if .pickers }}{{ $_ := set $gates "DownscalePodPicker" true }}{{ end }}
{{- $gates = merge (deepCopy .root.Values.featureGates) $gates }}
{{- if $gates }}
{{- $given := list }}
{{- range $name, $on := $gates }}{{ $given = append $given (printf "%s=%t" $name $on) }}{{ end }}
- --feature-gates={{ join "," $given }}
{{- end }}
{{- range .pickers }}
- {{ printf "--picker-allow=%s" . }}
{{- end }}
{{- if ne .root.Values.logLevel "info" }}
- --log-level={{ .root.Values.logLevel }}
{{- end }}
{{- end }}

{{- define "trimtab.probes" -}}
livenessProbe:
  httpGet: { path: /livez, port: diagnostics, scheme: HTTPS }
readinessProbe:
  httpGet: { path: /readyz, port: diagnostics, scheme: HTTPS }
{{- end }}

{{- define "trimtab.securityContext" -}}
runAsNonRoot: true
runAsUser: 65532
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{/* The labels of an object of a program: dict with the keys root and name. */}}
{{- define "trimtab.labels" -}}
app.kubernetes.io/name: {{ .name }}
{{- with .root.Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/*
The metadata of the Pods of a program: dict with the keys root and name, and configuration, what it reads at its start, if it
reads any. Another configuration has another hash, and so replaces the Pods.
*/}}
{{- define "trimtab.podMetadata" -}}
{{- $annotations := deepCopy .root.Values.podAnnotations }}
{{- with .configuration }}{{ $_ := set $annotations "trimtab.dev/configuration" (sha256sum .) }}{{ end }}
labels:
  {{- /* The selector's label is not overridden. */}}
  {{- merge (dict "app.kubernetes.io/name" .name) .root.Values.podLabels | toYaml | nindent 2 }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The configuration of steer, as its ConfigMap has it. */}}
{{- define "trimtab.steeringConfiguration" -}}
{{- with .Values.steer -}}
apiVersion: trimtab.dev/v1alpha1
kind: SteeringConfiguration
webhook:
  service:
    name: trimtab-steer
    port: {{ ternary .port 443 (ne .service.externalName "") }}
  bind: 0.0.0.0
  port: {{ .port }}
  timeoutSeconds: {{ .timeoutSeconds }}
  {{- if .certificate.secret }}
  certificate:
    files:
      certificate: /etc/trimtab-certificate/tls.crt
      key: /etc/trimtab-certificate/tls.key
      authority: /etc/trimtab-certificate/ca.crt
  {{- end }}
{{- if ne .mode "enforce" }}
mode: {{ .mode }}
{{- end }}
{{- with .machineCosts }}
machineCosts:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .defaultSpread }}
defaultSpread:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/* The configuration of the scheduler, as its ConfigMap has it. */}}
{{- define "trimtab.schedulerConfiguration" -}}
{{- $kind := dict "apiVersion" "kubescheduler.config.k8s.io/v1" "kind" "KubeSchedulerConfiguration" }}
{{- merge (deepCopy .Values.scheduler.configuration) $kind | toYaml }}
{{- end }}

{{/* The configuration of the pickers, as their ConfigMap has it. */}}
{{- define "trimtab.pickerConfiguration" -}}
{{- $head := dict "apiVersion" "trimtab.dev/v1alpha1" "kind" "PickerConfiguration" }}
{{- $serving := dict "serving" (dict "port" .Values.pickers.port) }}
{{- merge (deepCopy .Values.pickers.configuration) $head $serving | toYaml }}
{{- end }}

{{/* Binds a ClusterRole to a service account: dict with the keys root, role and account, and name if it is not the role's. */}}
{{- define "trimtab.binding" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: {{ .name | default .role }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: {{ .role }}
subjects:
  - kind: ServiceAccount
    name: {{ .account }}
    namespace: {{ .root.Release.Namespace }}
{{- end }}

{{/* The program that asks pickers, which is also the name of its objects; empty when neither is installed. */}}
{{- define "trimtab.asker" -}}
{{- if .Values.steer.enabled }}trimtab-steer{{ else if .Values.controllers.enabled }}trimtab-controllers{{ end }}
{{- end }}

{{/* The names of all programs that are installed. */}}
{{- define "trimtab.programs" -}}
{{- $names := list (include "trimtab.asker" .) }}
{{- if .Values.scheduler.enabled }}{{ $names = append $names "trimtab-scheduler" }}{{ end }}
{{- if .Values.pickers.enabled }}{{ $names = append $names "trimtab-pickers" }}{{ end }}
{{- toJson (compact $names) }}
{{- end }}
