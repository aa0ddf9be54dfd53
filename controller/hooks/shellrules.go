package hooks

import (
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// ShellRule is one rule of the shell gate as it holds in a repository.
type ShellRule struct {
	Name       string `json:"name"`       // of a shipped rule; else the first words of the commands that it is about
	Verdict    string `json:"verdict"`    // allow, ask or deny
	Because    string `json:"because"`    // what such a command does, as the end of a sentence
	UseInstead string `json:"useInstead"` // one safe step, "" for none
	Source     string `json:"source"`     // "shipped", ".idumb/shell.json", "role/NAME", or the path of the person's own file
}

// ShellRules lists the rules of the shell gate in a repository, as they hold for agents
// in that role, or with those of every role for "": the shipped rules first, then those
// of the repository, of the person, and of roles.
func ShellRules(root Root, role string, env []string, now time.Time) []ShellRule {
	g := OpenGate(root, callers.Caller{Session: asker}, env, now)
	sources := map[command.Source]string{
		command.FromIdumb: "shipped", command.FromRepository: ".idumb/shell.json", command.FromPerson: personsFile(g.h.env),
	}
	var all []ShellRule
	for _, h := range g.h.repo.shellRules(g.h.env).All() {
		all = append(all, ShellRule{h.Name, h.Verdict, h.Why, h.Instead, sources[h.Source]})
	}
	for _, r := range g.h.repo.Roles() {
		if role == "" || r.Metadata.Name == role {
			all = append(all, roleShellRules(r)...)
		}
	}
	return all
}

// roleShellRules are the rules that a role's spec.shell comes to.
func roleShellRules(r *resources.Role) []ShellRule {
	var all []ShellRule
	source := "role/" + r.Metadata.Name
	for _, match := range r.Spec.Shell.Deny {
		all = append(all, ShellRule{match, command.Deny, "is not for the role " + r.Metadata.Name, "", source})
	}
	for _, match := range r.Spec.Shell.Allow {
		all = append(all, ShellRule{match, command.Allow, "is what the role " + r.Metadata.Name + " runs, and nothing else", "", source})
	}
	return all
}
