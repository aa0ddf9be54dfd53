package main

import (
	"os/exec"
	"slices"
)

// row is an action of a user with a client, and its expected output.
type row struct {
	name   string
	needs  []string // required programs in addition to kubectl
	script string   // script for sh, in the repository; $K is kubectl, idumb is in PATH
	wants  []string
	lacks  []string
}

// missing returns a missing program, empty if all exist.
func (r row) missing() string {
	for _, program := range r.needs {
		if _, err := exec.LookPath(program); err != nil {
			return program
		}
	}
	return ""
}

// task is the manifest of a task; rows change it with sed.
const task = `cat >t.yaml <<'Y'
apiVersion: idumb.dev/v1alpha1
kind: TaskNode
metadata: {name: docs-page, labels: {area: docs}}
spec: {workPlan: accounts, title: Docs, expectedOutput: a page}
Y
`

// rows returns the table in its order: later rows depend on earlier ones.
func rows() []row {
	return slices.Concat(readingRows(), writingRows(), watchingRows(), k9sRows())
}

func readingRows() []row {
	return []row{
		{name: "version", script: "$K version", wants: []string{"Server Version: v1.", "+idumb"}},
		{name: "get tasks", script: "$K get tasks; $K get tasks -o wide", wants: []string{"db-schema    accounts   planned", "BLOCKED-BY", "The schema"}},
		{name: "get all -A", script: "$K get all -A", wants: []string{"shop        tasknode.idumb.dev/login-api", "workplan.idumb.dev/accounts"}},
		{name: "get idumb -o name", script: "$K get idumb -o name", wants: []string{"tasknode.idumb.dev/db-schema", "config.idumb.dev/config"}},
		{name: "names of one object", script: "for n in 'TaskNode db-schema' 'task db-schema' tn/db-schema tasknode.idumb.dev/db-schema tasks.idumb.dev/db-schema; do $K get $n -o name; done | sort | uniq -c", wants: []string{"5 tasknode.idumb.dev/db-schema"}},
		{name: "selectors", script: "$K get tasks --field-selector status.phase=blocked -o name | wc -l; $K get tasks -l 'area in (docs,x),!nope' -o name", wants: []string{"2", "tasknode.idumb.dev/login-api"}, lacks: []string{"db-schema"}},
		{name: "sort and chunks", script: "$K get tasks --sort-by=.metadata.name; $K get tasks --chunk-size=2 -o name | wc -l", wants: []string{"login-form", "3"}},
		{name: "another namespace", script: "$K -n other get tasks", wants: []string{"No resources found in other namespace."}},
		{name: "describe", script: "$K describe task login-api", wants: []string{"Controller:", "DependencyNotCompleted", "Events:"}},
		{name: "explain", script: "$K explain task.spec --recursive; $K explain task.status.phase; $K explain task.spec.workPlan", wants: []string{"dependsOn", "-required-", "The observed phase, in contrast"}},
		{name: "api-resources", script: "$K api-resources", wants: []string{"task,tn", "technologies", "customresourcedefinitions"}},
		{name: "auth can-i", script: "$K auth can-i create tasks; $K auth can-i list pods 2>/dev/null; $K auth can-i --list", wants: []string{"yes", "no", "tasks.idumb.dev"}},
		{name: "auth whoami", script: "$K auth whoami", wants: []string{"owner"}},
		{name: "namespaces and definitions", script: "$K get ns; $K get crd tasks.idumb.dev", wants: []string{"shop   Active", "tasks.idumb.dev"}},
		{name: "wrong token", script: "$K --token=x get tasks; true", wants: []string{"nauthorized"}},
		{name: "without TLS", script: "$K --server=http://127.0.0.1:1 get tasks; true", wants: []string{"refused"}},
	}
}

func writingRows() []row {
	return []row{
		{name: "apply", script: task + "$K apply -f t.yaml; $K apply -f t.yaml; sed -i s/Docs/Pages/ t.yaml; $K apply -f t.yaml; cat .idumb/tasks/docs-page.json", wants: []string{"created", "unchanged", "configured", `"title": "Pages"`}, lacks: []string{"kubectl.kubernetes.io"}},
		{name: "apply an unknown field", script: task + "sed -i 's/title: Docs/colour: red/' t.yaml; $K apply -f t.yaml; true", wants: []string{`strict decoding error: unknown field "spec.colour"`}},
		{name: "apply without a required field", script: task + "sed -i 's/workPlan: accounts, //; s/docs-page/other/' t.yaml; $K apply -f t.yaml; true", wants: []string{`The TaskNode "other" is invalid: spec.workPlan: Required value`}},
		{name: "diff", script: task + "sed -i s/Docs/Sites/ t.yaml; $K diff -f t.yaml; echo exit $?", wants: []string{"+  title: Sites", "exit 1"}},
		{name: "apply --server-side", script: task + "$K apply --server-side -f t.yaml; sed -i 's/title: Docs, //' t.yaml; $K apply --server-side -f t.yaml; cat .idumb/tasks/docs-page.json", wants: []string{"serverside-applied", "expectedOutput"}, lacks: []string{`"title"`}},
		{name: "create twice", script: task + "$K create -f t.yaml; true", wants: []string{"AlreadyExists"}},
		{name: "replace", script: "$K get task docs-page -o yaml >old.yaml; $K label task docs-page a=b; $K replace -f old.yaml; $K get task docs-page -o yaml >new.yaml; $K replace -f new.yaml", wants: []string{"labeled", "Conflict", "replaced"}},
		{name: "annotate", script: "$K annotate task docs-page x.y/z=1; grep x.y/z .idumb/tasks/docs-page.json", wants: []string{"annotated", `"x.y/z": "1"`}},
		{name: "patch", script: `$K patch task docs-page --type merge -p '{"spec":{"priority":"high"}}'; $K patch task docs-page --type json -p '[{"op":"replace","path":"/spec/priority","value":"low"}]'; $K patch task docs-page -p '{"spec":{"priority":"high"}}'; true`, wants: []string{"patched", "strategic-merge-patch+json is not supported"}},
		{name: "edit", script: "KUBE_EDITOR='sed -i s/low/critical/' $K edit task docs-page; grep critical .idumb/tasks/docs-page.json", wants: []string{"edited", `"priority": "critical"`}},
		{name: "unsupported requests", script: `$K patch task docs-page --subresource=status --type merge -p '{"status":{"phase":"x"}}'; $K scale task docs-page --replicas=2; $K delete ns shop; true`, wants: []string{"MethodNotAllowed", "could not find the requested resource"}},
		{name: "delete an object with dependants", script: "$K delete task db-schema; true", wants: []string{"Conflict", "cannot be removed while other objects refer to it", "change these first"}},
		{name: "delete", script: "$K delete task docs-page; $K delete task docs-page; ls .idumb/tasks", wants: []string{"deleted", "NotFound"}, lacks: []string{"docs-page.json"}},
		{name: "dry run", script: task + "$K apply --dry-run=server -f t.yaml; ls .idumb/tasks", wants: []string{"created (server dry run)"}, lacks: []string{"docs-page.json"}},
	}
}

func watchingRows() []row {
	return []row{
		{name: "wait for a phase", script: "$K wait --for=jsonpath='{.status.phase}'=planned task/login-api --timeout=15s & sleep 1; idumb start db-schema >/dev/null; idumb complete db-schema --evidence seen >/dev/null; wait", wants: []string{"tasknode.idumb.dev/login-api condition met"}},
		{name: "wait for a condition", script: "$K wait --for=condition=Ready task/login-api --timeout=5s", wants: []string{"condition met"}},
		{name: "wait for an end", script: task + "$K apply -f t.yaml; $K wait --for=delete task/docs-page --timeout=15s & sleep 1; idumb delete task docs-page >/dev/null; wait", wants: []string{"condition met"}},
		{name: "events", script: "$K events; $K get events; $K get events.events.k8s.io; $K describe task db-schema", wants: []string{"TaskNode/db-schema", "task/db-schema", "task-reconciler"}, lacks: []string{"<unknown>"}},
		{name: "get events -w", script: "timeout 4 $K get events -w --watch-only & sleep 1; idumb start login-api >/dev/null; wait; true", wants: []string{"task/login-api"}, lacks: []string{"task/db-schema"}},
		{name: "get -w while 200 files are rewritten", script: `for i in $(seq 200); do printf '{"spec": {"workPlan": "accounts", "expectedOutput": "x"}}' >.idumb/tasks/n$i.json; done; sleep 2
timeout 12 $K get tasks -w --watch-only --no-headers >w.out & sleep 1
for i in $(seq 200); do printf '{"spec": {"workPlan": "accounts", "expectedOutput": "x", "priority": "high"}}' >.idumb/tasks/.tmp; mv .idumb/tasks/.tmp .idumb/tasks/n$i.json; done; wait
awk '{print $1}' w.out | grep ^n | sort -u | wc -l; awk '{print $1}' w.out | grep ^n | sort | uniq -d | wc -l; rm .idumb/tasks/n*.json`, wants: []string{"200\n0\n"}},
		{name: "a restart under get -w", script: "(timeout 20 $K get tasks -w >w.out; echo exit $?) & sleep 1; idumb controller stop >/dev/null; wait; idumb controller start >/dev/null; $K get task login-form", wants: []string{"exit 0", "login-form"}},
	}
}

// k9s opens k9s on the tasks in a terminal. press sends keys. see waits until words are on the
// screen, and gone until they are not; each prints the result.
const k9s = `T="tmux -S $HOME/k9s.sock"
press() { $T send-keys "$@"; sleep .5; }
look() { for i in $(seq 150); do if $T capture-pane -p | grep -qF -- "$2"; then [ $1 = saw ]; else [ $1 = lost ]; fi && { echo "$1 $2"; return; }; sleep .1; done; echo "not $1: $2"; $T capture-pane -p; }
see() { look saw "$1"; }
gone() { look lost "$1"; }
$T kill-server 2>/dev/null; TERM=xterm-256color EDITOR="sed -i s/The.form/Form/" $T new-session -d -x 160 -y 40 k9s -c tasks
see login-form
`

// k9sRows returns the actions of a user in k9s.
func k9sRows() []row {
	rows := []row{
		{name: "k9s: rows", script: "see BLOCKED-BY; see 'The API'", wants: []string{"saw BLOCKED-BY", "saw The API"}},
		{name: "k9s: describe and YAML", script: "press d; see 'Creation Timestamp'; press Escape; see login-form; press y; see 'kind: TaskNode'", wants: []string{"saw Creation Timestamp", "saw kind: TaskNode"}},
		{name: "k9s: filter", script: "press /form Enter; gone db-schema; see login-form", wants: []string{"lost db-schema", "saw login-form"}},
		{name: "k9s: other kinds", script: "press :wp Enter; see DONE; press :needs Enter; see BEHIND; press :graphs Enter; see RANKS; press :ev Enter; see 'LAST SEEN'; press :ns Enter; see Active; press :crd Enter; see VERSIONS; press :ctx Enter; see AUTHINFO", wants: []string{"saw DONE", "saw BEHIND", "saw RANKS", "saw LAST SEEN", "saw Active", "saw VERSIONS", "saw AUTHINFO"}},
		{name: "k9s: the plan of a task", script: "press J; see workplans; see Accounts", wants: []string{"saw workplans", "saw Accounts"}},
		{name: "k9s: edit", script: "press /form Enter; gone db-schema; press e; for i in $(seq 100); do grep -q '\"Form\"' .idumb/tasks/login-form.json && break; sleep .1; done; grep title .idumb/tasks/login-form.json", wants: []string{`"title": "Form"`}},
		{name: "k9s: a task that comes, changes and goes", script: task + "$K apply -f t.yaml; see docs-page; $K patch task docs-page --type merge -p '{\"spec\":{\"title\":\"Renamed\"}}'; see Renamed; press /docs Enter; gone db-schema; press C-d; press Tab; press Enter; gone Renamed; ls .idumb/tasks", wants: []string{"saw docs-page", "saw Renamed", "lost Renamed"}, lacks: []string{"docs-page.json"}},
		{name: "k9s: the controller is restarted", script: "idumb controller stop; sleep 1; idumb controller start; idumb create task afterwards --plan accounts --expect x; see afterwards; idumb delete task afterwards", wants: []string{"saw afterwards"}},
	}
	for i := range rows {
		rows[i].needs = []string{"k9s", "tmux"}
		rows[i].script = k9s + rows[i].script + "; $T kill-server"
	}
	return rows
}
