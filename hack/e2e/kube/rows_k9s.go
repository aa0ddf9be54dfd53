package main

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
