package resources

// ShellRulesName is the name of the only ShellRules, .idumb/shell.json.
const ShellRulesName = "shell"

// ShellRules makes the shell gate of a repository stricter than the default.
type ShellRules = Resource[ShellRulesSpec, ShellRulesStatus]

// ShellRulesSpec lists stricter rules for the shell gate. A repository cannot relax the
// gate. Users relax it in their personal shell.json, in their settings directory for idumb.
type ShellRulesSpec struct {
	Rules    []ShellRule    `json:"rules,omitempty" doc:"Shipped rules, by name, that are to be stricter here. A milder verdict than the shipped one does not count."`
	Commands []ShellCommand `json:"commands,omitempty" doc:"Commands of this repository's own concern."`
}

// ShellRule sets the strictness of a built-in rule.
type ShellRule struct {
	Name    string `json:"name" idumb:"required" doc:"The rule, as idumb auth check-command names it: recursive-delete, git-force-push."`
	Verdict string `json:"verdict" idumb:"required,enum=ask|deny" doc:"ask leaves it to the user, deny does not let it run."`
}

// ShellCommand is a rule about commands by their first words.
type ShellCommand struct {
	Match      string `json:"match" idumb:"required" doc:"The command's first words, each as a glob: docker push, gh * delete."`
	Verdict    string `json:"verdict" idumb:"required,enum=ask|deny" doc:"ask leaves it to the user, deny does not let it run."`
	Because    string `json:"because,omitempty" doc:"What such a command does, as the end of a sentence: publishes an image."`
	UseInstead string `json:"useInstead,omitempty" doc:"One step in its place, for the agent."`
}

// ShellRulesStatus is the observed state of the rules.
type ShellRulesStatus struct {
	Common
}
