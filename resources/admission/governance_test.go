package admission

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

func TestGovernanceByRole(t *testing.T) {
	closed := resources.RuleSet{Deny: []string{"idumb create delegation", "idumb complete"}}
	for _, tc := range []struct {
		name    string
		shell   resources.RuleSet
		command string
		want    bool // open
	}{
		{"no rules", resources.RuleSet{}, "idumb create delegation d", true},
		{"denied", closed, "idumb create delegation d", false},
		{"denied, by another name of the kind", closed, "idumb create del d", false},
		{"denied, with flags in front", closed, "idumb -C .. create --from a delegations d", false},
		{"denied, by its path", closed, "/usr/local/bin/idumb complete x", false},
		{"denied, behind another kind", resources.RuleSet{Deny: []string{"idumb patch task"}}, "idumb patch mem/m task/t -p {}", false},
		{"denied, before another kind", resources.RuleSet{Deny: []string{"idumb patch task"}}, "idumb patch task/t mem/m -p {}", false},
		{"two kinds, and neither is denied", resources.RuleSet{Deny: []string{"idumb patch task"}}, "idumb patch anchor/a mem/m -p {}", true},
		{"one of two kinds is not allowed", resources.RuleSet{Allow: []string{"idumb patch mem"}}, "idumb patch mem/m task/t -p {}", false},
		{"denied, a task without its kind", resources.RuleSet{Deny: []string{"idumb patch task"}}, "idumb patch t -p {}", false},
		{"not denied", closed, "idumb create task t", true},
		{"a task of the name of a kind", closed, "idumb start delegation", true},
		{"of our own tool, without names", closed, "idumb create delegation", false},
		{"an allow that speaks of idumb", resources.RuleSet{Allow: []string{"ls", "idumb create task"}}, "idumb create workplan p", false},
		{"an allow that names it", resources.RuleSet{Allow: []string{"ls", "idumb create task"}}, "idumb create tn t", true},
		{"an allow that does not speak of idumb", resources.RuleSet{Allow: []string{"ls"}}, "idumb start x", true},
		{"failing is never closed", resources.RuleSet{Deny: []string{"*"}}, "idumb fail x --reason r", true},
		{"nor is claiming to be done", resources.RuleSet{Deny: []string{"idumb"}}, "idumb review x", true},
		{"nor is looking", resources.RuleSet{Allow: []string{"idumb start"}}, "idumb get tasks", true},
		{"all is denied", resources.RuleSet{Deny: []string{"*"}}, "idumb start x", false},
		{"saving a mem is making one", resources.RuleSet{Deny: []string{"idumb create mem"}}, "idumb mem save --content x", false},
		{"so are purging and linking", resources.RuleSet{Deny: []string{"idumb create mem"}}, "idumb mem purge m", false},
		{"an allow of making mems", resources.RuleSet{Allow: []string{"idumb create mem"}}, "idumb mem confirm m", true},
		{"one command on mems", resources.RuleSet{Deny: []string{"idumb mem purge"}}, "idumb mem purge m", false},
		{"and no other", resources.RuleSet{Deny: []string{"idumb mem purge"}}, "idumb mem save x --content y", true},
		{"recalling is looking", resources.RuleSet{Deny: []string{"*"}}, "idumb mem recall what was it", true},
		{"what stands beside it is not judged", resources.RuleSet{Allow: []string{"idumb"}}, "cd src", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld()
			w.role("solo", resources.RoleSpec{Shell: tc.shell})
			for _, own := range []bool{false, true} {
				call := govern(tc.command)
				call.Own = own
				got := Decide(call, w)
				assert.Equal(t, tc.want, got.Outcome != Deny, got.Reason.Text())
				if !tc.want {
					assert.Equal(t, "role-shell", got.Reason.Rule)
				}
			}
		})
	}
}

// Of a role's many rules a denial names the one that is in the way.
func TestGovernanceNamesTheRule(t *testing.T) {
	w := newWorld()
	w.role("solo", resources.RoleSpec{Shell: resources.RuleSet{Deny: []string{"idumb create workplan", "idumb create delegation"}}})
	got := Decide(govern("idumb create delegation d"), w).Reason
	assert.Equal(t, []string{`The role "solo" is denied "idumb create delegation".`}, got.Why)
}

// Inside a line with other commands those of idumb are judged alike.
func TestGovernanceInALongerLine(t *testing.T) {
	w := newWorld()
	w.role("solo", resources.RoleSpec{Shell: resources.RuleSet{Allow: []string{"make"}, Deny: []string{"idumb complete"}}})
	line := func(commands ...string) Call {
		return Call{Tool: "bash", Action: Shell, Runs: runs(commands...), Session: "s1"}
	}
	assert.Equal(t, NoOpinion, Decide(line("make", "idumb start x"), w).Outcome)
	assert.Equal(t, "role-shell", Decide(line("make", "idumb complete x"), w).Reason.Rule)
	assert.Equal(t, "role-shell", Decide(line("npm ci", "idumb start x"), w).Reason.Rule)
}

func TestGovernedCommands(t *testing.T) {
	for command, governed := range map[string]bool{
		"idumb patch config -p {}":                true,
		"idumb edit role executor":                true,
		"idumb edit role/executor":                true,
		"idumb delete roles --all":                true,
		"idumb delete task,role x":                true,
		"idumb create role mine":                  true,
		"idumb patch session s1 -p {}":            true,
		"idumb label sessions s1 a=b":             true,
		"idumb annotate role/x a=b":               true,
		"/opt/idumb patch Config -p {}":           true,
		"idumb --directory . patch role x -p {}":  true,
		"idumb hook uninstall claude":             true,
		"idumb controller stop":                   true,
		"idumb session close s-1":                 true,
		"idumb session prune --older-than 0":      true,
		"idumb session resume s-1":                true,
		"idumb session note x --session s-1":      false,
		"idumb migrate":                           true,
		"idumb migrate hivemind":                  true,
		"idumb -C /x migrate --dry-run=none":      true,
		"idumb migrate --dry-run --dry-run=none":  true,
		"idumb migrate --dry-run":                 false,
		"idumb migrate hivemind --dry-run=client": false,
		"idumb import beads x.jsonl":              false,
		"idumb hook status":                       false,
		"idumb controller start":                  false,
		"idumb get roles":                         false,
		"idumb get grants":                        true,
		"idumb get mems grants":                   false,
		"idumb describe config":                   false,
		"idumb explain session":                   false,
		"idumb create task role":                  false,
		"idumb start role":                        false,
		"idumb create mem m --content role":       false,
		"idumb create anchor a --related role/x":  false,
		"idumb patch trajectory -p {}":            false,
		"idumb patch task x -p {}":                false,
		"idumb init":                              false,
		"./idumb patch config":                    false, // not our command
		"idumb":                                   false,
		"idumb -C":                                false,
	} {
		t.Run(command, func(t *testing.T) {
			got := Decide(govern(command), newWorld())
			assert.Equal(t, governed, got.Reason.Rule == "governed-command", got.Reason.Text())
			assert.Equal(t, governed, got.Outcome == Deny)
		})
	}
}

// A word that stands for another command is held to that one's rules.
func TestWordsForOtherCommands(t *testing.T) {
	for command, plain := range map[string]string{
		"idumb add task Fix role/x": "idumb create task task Fix role/x", "idumb focus role": "idumb patch trajectory", "idumb defer task x": "idumb defer task x",
	} {
		d, ok := ownCommandOf(strings.Fields(command))
		assert.True(t, ok)
		assert.Equal(t, plain, strings.Join(d.plain(), " "))
		assert.False(t, d.alwaysOpen(), command)
		assert.False(t, d.governed(), command)
	}
}

// FuzzDeed: whatever a command says, reading it twice is reading it once.
func FuzzDeed(f *testing.F) {
	for _, seed := range []string{"idumb -C x create del d --from a", "idumb delete task,role/x -f y", "idumb start plan", "idumb", "/idumb =", "ls"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, command string) {
		d, ok := ownCommandOf(strings.Fields(command))
		if !ok {
			return
		}
		again, ok := ownCommandOf(d.plain())
		assert.True(t, ok)
		assert.Equal(t, d.verb, again.verb)
	})
}

// What is assigned to one role is not started by an agent of another, and completed by one of the default
// role alone, which completes what its delegates did.
func TestOthersTasksByCommand(t *testing.T) {
	for name, tc := range map[string]struct {
		agent, assigned, command string
		want                     string
	}{
		"another role's":                  {"Explore", "executor", "idumb start db-schema", "assignee"},
		"another role's, among others":    {"Explore", "executor", "idumb start write-docs db-schema", "assignee"},
		"another role's, to be completed": {"Explore", "executor", "idumb complete task/db-schema --evidence x", "assignee"},
		"another role's, failed":          {"Explore", "executor", "idumb fail db-schema --reason x", ""},
		"its own":                         {"Explore", "investigator", "idumb start db-schema", ""},
		"its own by the agent's name":     {"Explore", "Explore", "idumb start db-schema", ""},
		"nobody's":                        {"Explore", "", "idumb start db-schema", ""},
		"a user's":                        {"Explore", "Ann", "idumb start db-schema", ""},
		"a stranger's":                    {"stranger", "executor", "idumb start db-schema", "assignee"},
		"by the default role":             {"", "executor", "idumb start db-schema", "assignee"},
		"its delegate's, to be completed": {"", "executor", "idumb complete db-schema --evidence x", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.role("investigator", resources.RoleSpec{Agents: []string{"Explore"}, Paths: resources.PathRules{Write: []string{".idumb/mems/*.json"}}})
			w.role("executor", resources.RoleSpec{Paths: resources.PathRules{Write: []string{"src/**"}}})
			w.tasks["db-schema"].Spec.AssignedTo = tc.assigned
			assert.Equal(t, tc.want, Decide(govern(tc.command).as(tc.agent), w).Reason.Rule)
		})
	}
	w := newWorld()
	delegated(w)
	w.role("investigator", resources.RoleSpec{})
	w.tasks["write-docs"].Spec.AssignedTo = "investigator"
	assert.Empty(t, Decide(govern("idumb complete write-docs --evidence x"), w).Reason.Rule, "it was handed over")
}

// TestFindKnowsGovernedNames: what a search by the name of a governed file changes counts as
// that file. Names without a dot are those of much else.
func TestFindKnowsGovernedNames(t *testing.T) {
	for _, pattern := range append(governedFiles[:], homeFiles[:]...) {
		name := strings.ReplaceAll(path.Base(pattern), "*", "")
		if !strings.Contains(name, ".") || strings.HasSuffix(name, ".md") { // agents' profiles are found among all texts
			continue
		}
		for _, line := range []string{"find . -name " + name + " -delete", "find . -name " + name + " -exec sed -i s/a/b/ {} +"} {
			found := slices.ContainsFunc(command.Read(line, command.Options{}).Files, func(f command.File) bool { return f.Word.Text == "." && f.Tree })
			assert.True(t, found, line)
		}
	}
}

// The value of a flag names no object, also if it reads like one: only the words that idumb itself takes for names do.
func TestValuesOfFlagsAreNoNames(t *testing.T) {
	for line, names := range map[string][]string{
		`idumb complete t1 --evidence "see workplan/p"`: {"t1"}, "idumb complete t1 --evidence workplan/p": {"t1"}, "idumb complete --evidence t2 t1": {"t1"}, "idumb complete t1 --evidence=t2": {"t1"},
		`idumb fail t1 --reason "needs task/x"`: {"t1"}, "idumb abandon docs --reason nah": {"docs"}, `idumb abandon docs --reason "idumb trust"`: {"docs"}, "idumb archive -l app=x task/t": {"t"},
	} {
		d, ok := ownCommandOf(runs(line)[0].Words)
		assert.True(t, ok)
		assert.Equal(t, names, d.names, line)
		assert.NotContains(t, d.kinds, resources.WorkPlans, line)
	}
	w := newWorld()
	w.role("solo", resources.RoleSpec{Shell: resources.RuleSet{Deny: []string{"idumb abandon"}}})
	assert.Contains(t, Decide(govern("idumb abandon docs --reason nah"), w).Reason.What, `"idumb abandon docs --reason nah"`)
}

// A run that completes its task is that completion; a flag of the command that it runs is none.
func TestRunThatCompletes(t *testing.T) {
	for command, plain := range map[string]string{
		"idumb run --complete t -- make":      "idumb complete t",
		"idumb run --complete=t -- make":      "idumb complete t",
		"idumb run -v --complete=t -- make":   "idumb complete t",
		"idumb run -- make --complete=t":      "idumb run",
		"idumb run make --complete t":         "idumb run",
		"idumb run --complete":                "idumb run",
		"idumb run -- make check":             "idumb run",
		"idumb run --task t -- rm --complete": "idumb run",
	} {
		d, ok := ownCommandOf(strings.Fields(command))
		assert.True(t, ok)
		assert.Equal(t, plain, strings.TrimSpace(strings.Join(d.plain(), " ")), command)
	}
}

// TestACompletionThatStartsIsBoth: --start of a completion is judged as the start of that task.
func TestACompletionThatStartsIsBoth(t *testing.T) {
	w := newWorld()
	w.role("solo", resources.RoleSpec{Shell: resources.RuleSet{Deny: []string{"idumb start"}}})
	for _, line := range []string{"idumb complete a --start b", "idumb complete --start=b a", "cd . && idumb complete a --evidence x --start b"} {
		assert.Contains(t, Decide(govern(line), w).Reason.What, `idumb start b`, line)
	}
	assert.NotContains(t, Decide(govern("idumb complete a --evidence start"), w).Reason.What, "idumb start")
}

// TestRemovalOfAllNamesItsRule: what removes the repository or the home folder is denied for that, and not for one
// governed file in it; and it stays denied where a user lets the shell gate be passed.
func TestRemovalOfAllNamesItsRule(t *testing.T) {
	w := newWorld()
	path := Path{Given: "/", Repo: ".", By: "rm -rf /", Below: true}
	path, found := GovernedBelow(path)
	if !found || !path.Whole {
		t.Fatal(path)
	}
	call := Call{Tool: "Bash", Action: Shell, Command: "rm -rf /", Runs: runs("rm -rf /"), Paths: []Path{path}, Gate: &command.Verdict{Verdict: command.Deny, Rule: "recursive-delete", Part: "rm -rf /", Why: "deletes a folder: / is all of the machine"}}
	v := Decide(call, w)
	assert.Equal(t, "shell-gate", v.Reason.Rule)
	assert.Contains(t, v.Reason.What, "all of the machine")
	call.Lifted = []string{"shell-gate"}
	assert.Equal(t, "governed-shell", Decide(call, w).Reason.Rule)
	call.Lifted, call.Gate = nil, nil
	v = Decide(call, w)
	assert.Contains(t, v.Reason.What, "which changes everything below a folder, including .idumb/config.json: that file is governed")
	call.Paths = []Path{{Given: ".git", Repo: ".git", By: "rm -rf .git"}}
	v = Decide(call, w)
	assert.Contains(t, v.Reason.What, "which changes .git: that folder is governed")
	assert.Equal(t, []string{"It belongs to git, which stores the history, the branches and the hooks there."}, v.Reason.Why)
	assert.Equal(t, "Leave the folder unchanged; ask the user to make the change if it is needed.", v.Reason.UseInstead)
}
