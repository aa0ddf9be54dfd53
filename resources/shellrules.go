package resources

// ShellRulesName is the name of the one ShellRules, .idumb/shell.json.
const ShellRulesName = "shell"

// ShellRules is how much stricter a repository wants the shell gate than it is shipped.
type ShellRules = Resource[ShellRulesSpec, ShellRulesStatus]

// ShellRulesSpec makes the shell gate stricter. What makes it milder stands in the
// person's own shell.json, in the folder of their settings for idumb, and not in a
// repository.
type ShellRulesSpec struct {
	Rules    []ShellRule    `json:"rules,omitempty" doc:"Shipped rules, by name, that are to be stricter here. A milder verdict than the shipped one does not count."`
	Commands []ShellCommand `json:"commands,omitempty" doc:"Commands of this repository's own concern."`
}

// ShellRule is how strict a shipped rule is.
type ShellRule struct {
	Name    string `json:"name" idumb:"required" doc:"The rule, as idumb auth check-command names it: recursive-delete, git-force-push."`
	Verdict string `json:"verdict" idumb:"required,enum=ask|deny" doc:"ask leaves it to the person, deny does not let it run."`
}

// ShellCommand is a rule about commands by their first words.
type ShellCommand struct {
	Match      string `json:"match" idumb:"required" doc:"The command's first words, each as a glob: docker push, gh * delete."`
	Verdict    string `json:"verdict" idumb:"required,enum=ask|deny" doc:"ask leaves it to the person, deny does not let it run."`
	Because    string `json:"because,omitempty" doc:"What such a command does, as the end of a sentence: publishes an image."`
	UseInstead string `json:"useInstead,omitempty" doc:"One step in its place, for the agent."`
}

// ShellRulesStatus is what holds about the rules.
type ShellRulesStatus struct {
	Common
}
