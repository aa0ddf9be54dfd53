package resources

// ShellRulesName is the name of the only ShellRules, .idumb/shell.json.
const ShellRulesName = "shell"

// ShellRules makes the shell gate of a repository stricter than the default.
type ShellRules = Resource[ShellRulesSpec, ShellRulesStatus]

// ShellRulesSpec lists stricter rules for the shell gate. A repository cannot relax the
// gate. Users relax it in their personal shell.json, in their settings directory for idumb.
type ShellRulesSpec struct {
	Rules    []ShellRule    `json:"rules,omitempty" doc:"Built-in rules, by name, that are stricter here. A milder verdict has no effect."`
	Commands []ShellCommand `json:"commands,omitempty" doc:"Additional rules for commands of this repository."`
}

// ShellRule sets the strictness of a built-in rule.
type ShellRule struct {
	Name    string `json:"name" idumb:"required" doc:"The rule, as idumb auth check-command names it: recursive-delete, git-force-push."`
	Verdict string `json:"verdict" idumb:"required,enum=ask|deny" doc:"ask leaves the decision to the user, deny rejects the command."`
}

// ShellCommand is a rule about commands by their first words.
type ShellCommand struct {
	Match      string `json:"match" idumb:"required" doc:"The command's first words, each as a glob: docker push, gh * delete."`
	Verdict    string `json:"verdict" idumb:"required,enum=ask|deny" doc:"ask leaves the decision to the user, deny rejects the command."`
	Because    string `json:"because,omitempty" doc:"What such a command does, as the end of a sentence: publishes an image."`
	UseInstead string `json:"useInstead,omitempty" doc:"An alternative for the agent."`
}

// ShellRulesStatus is the observed state of the rules.
type ShellRulesStatus struct {
	Common
}
