package admission

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// fresh makes a call the first of its session.
func fresh(c Call) Call {
	c.Opened = func() bool { return false }
	return c
}

// starts is the start of a subagent, whose prompt names something.
func starts(agent string, names ...resources.Key) Call {
	return Call{Tool: "Agent", Action: Delegate, To: agent, Names: names, Session: "s1"}
}

func TestFirstTool(t *testing.T) {
	for name, tc := range map[string]struct {
		call  Call
		rule  string
		opens bool
	}{
		"one of them":                          {fresh(tool("Glob", Read)), "", true},
		"by the name of its family":            {fresh(tool("read_file", Read)), "", true},
		"a command of idumb":                   {fresh(govern("idumb next")), "", true},
		"another one":                          {fresh(tool("WebFetch", Other)), "first-tool", false},
		"a write":                              {fresh(write("src/a.go")), "first-tool", false},
		"a subagent":                           {fresh(starts("x")), "first-tool", false},
		"another one that looks":               {fresh(tool("Grep", Read)), "", false},
		"asking":                               {fresh(tool("TodoWrite", Ask)), "", false},
		"once one was used":                    {tool("WebFetch", Other), "", false},
		"nobody knows which session it is":     {Call{Tool: "WebFetch", Action: Other}, "", false},
		"of a role that does not ask for them": {fresh(tool("WebFetch", Other)).as("executor"), "", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.role("planner", resources.RoleSpec{FirstTools: []string{"read", "glob"}})
			w.role("executor", resources.RoleSpec{})
			w.settings.DefaultRole = "planner"
			got := Decide(tc.call, w)
			assert.Equal(t, tc.rule, got.Reason.Rule)
			assert.Equal(t, tc.opens, got.Opens)
		})
	}
}

func TestMayStart(t *testing.T) {
	for name, tc := range map[string]struct {
		by, to string
		rule   string
	}{
		"a role of its own list":              {"coordinator", "executor", ""},
		"an agent of such a role":             {"coordinator", "general-purpose", ""},
		"a role beside its list":              {"coordinator", "reviewer", "may-start"},
		"downwards, without a list":           {"executor", "reviewer", ""},
		"its own kind, without a list":        {"executor", "general-purpose", ""},
		"upwards":                             {"reviewer", "executor", "may-start"},
		"one that only a user talks to":       {"solo", "coordinator", "may-start"},
		"an agent that no role names":         {"coordinator", "my-agent", ""},
		"one without a name":                  {"coordinator", "", ""},
		"whom a host starts without a choice": {"reviewer", "default", ""},
		"by somebody without a role":          {"nobody", "coordinator", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.role("coordinator", resources.RoleSpec{Mode: resources.RolePrimary, DelegatesTo: []string{"executor", "investigator"}})
			w.role("executor", resources.RoleSpec{Level: 1, Agents: []string{"general-*"}})
			w.role("reviewer", resources.RoleSpec{Level: 2})
			w.role("solo", resources.RoleSpec{})
			if tc.by == "nobody" {
				w.settings.DefaultRole, tc.by = "none", ""
			}
			assert.Equal(t, tc.rule, Decide(starts(tc.to).as(tc.by), w).Reason.Rule)
		})
	}
}

// A step that the first-tool rule would deny names a first tool before it.
func TestStepsBeforeFirstTool(t *testing.T) {
	w := newWorld()
	w.role("planner", resources.RoleSpec{FirstTools: []string{"read"}})
	force := Call{Tool: "Bash", Action: Shell, Gate: &command.Verdict{Verdict: command.Deny, Rule: "git-force-push", UseInstead: "Run `git push --force-with-lease`."}}
	assert.Equal(t, "Run `idumb next` first. Run `git push --force-with-lease`.", Decide(fresh(force).as("planner"), w).Reason.UseInstead)
	assert.Equal(t, "Run `git push --force-with-lease`.", Decide(force.as("planner"), w).Reason.UseInstead, "a tool was used before")
	force.Gate.UseInstead = "Leave it to the user."
	assert.Equal(t, "Leave it to the user.", Decide(fresh(force).as("planner"), w).Reason.UseInstead)
	w.plans = nil
	force.Gate.UseInstead = "Run `git revert COMMIT`."
	assert.Equal(t, "Run `git revert COMMIT`.", Decide(fresh(force).as("planner"), w).Reason.UseInstead, "without plans the rule does not apply")
}

// The step for a delegation of another agent names a start that the caller may do, or whom to ask.
func TestStepsToAddressee(t *testing.T) {
	w := newWorld()
	delegated(w)
	w.role("executor", resources.RoleSpec{Agents: []string{"executor"}, DelegatesTo: []string{"investigator"}})
	w.role("investigator", resources.RoleSpec{Agents: []string{"looker"}})
	w.role("solo", resources.RoleSpec{DelegatesTo: []string{"executor", "investigator"}})
	call := starts("looker", resources.Key{Kind: resources.Delegations, Name: "d1"}).in("main")
	mention := ` To mention the delegation only, write "d1" without "delegation/".`
	assert.Equal(t, `Start the agent "executor" with delegation/d1 in its prompt.`+mention, Decide(call.as("solo"), w).Reason.UseInstead)
	assert.Equal(t, `Ask the user, or an agent that plans, for a start of "executor" with delegation/d1 in its prompt.`+mention, Decide(call.as("executor"), w).Reason.UseInstead)
}

func TestTodo(t *testing.T) {
	task := func(name string) resources.Key { return resources.Key{Kind: resources.Tasks, Name: name} }
	handed := func(name string) resources.Key { return resources.Key{Kind: resources.Delegations, Name: name} }
	for name, tc := range map[string]struct {
		off   bool
		names []resources.Key
		rule  string
	}{
		"nothing is named":                        {false, nil, "todo"},
		"nothing is named, and it is off":         {true, nil, ""},
		"a task":                                  {false, []resources.Key{task("write-docs")}, ""},
		"a task that is over":                     {false, []resources.Key{task("db-schema")}, "todo"},
		"a task that is not there":                {false, []resources.Key{task("ghost")}, "todo"},
		"a delegation":                            {false, []resources.Key{handed("d1")}, ""},
		"a delegation that was recalled":          {false, []resources.Key{handed("d2")}, "todo"},
		"something that is not there, and a task": {false, []resources.Key{handed("ghost"), task("write-docs")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.settings.RequireTodo = !tc.off
			w.state("db-schema", resources.TaskFailed)
			w.hand("d1", "write-docs", "executor")
			w.hand("d2", "write-docs", "executor").Spec.State = "recalled"
			assert.Equal(t, tc.rule, Decide(starts("executor", tc.names...), w).Reason.Rule)
		})
	}
}

func TestStrangersGetTheLeastRole(t *testing.T) {
	for name, tc := range map[string]struct {
		agent, setting, rule string
	}{
		"a stranger":                      {"my-agent", "", "role-paths"},
		"a stranger, where config trusts": {"my-agent", resources.UnknownAsDefault, "write-gate"},
		"without a name":                  {"", "", "write-gate"},
		"OpenCode's own main agent":       {"build", "", "write-gate"},
		"an agent that a role names":      {"general-purpose", "", "write-gate"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.settings.UnknownAgents = tc.setting
			w.role("solo", resources.RoleSpec{})
			w.role("executor", resources.RoleSpec{Level: 2, Agents: []string{"general-*"}})
			w.role("investigator", resources.RoleSpec{Level: 2, Paths: resources.PathRules{Write: []string{".idumb/mems/*.json"}}})
			assert.Equal(t, tc.rule, Decide(write("src/a.go").as(tc.agent), w).Reason.Rule)
		})
	}
}

// TestNoDelegation: a prompt that names only delegations that do not exist or have ended starts an agent without
// one, and its starter is told.
func TestNoDelegation(t *testing.T) {
	for name, tc := range map[string]struct {
		state string // of delegation d1; "" if it does not exist
		more  string // another delegation in the prompt, which is open
		want  string
	}{
		"missing":                {"", "", "delegation/d1 does not exist: the agent works under no delegation."},
		"recalled":               {"recalled", "", "delegation/d1 is recalled: the agent works under no delegation."},
		"open":                   {"assigned", "", ""},
		"recalled, another open": {"recalled", "d2", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			give := func(name, state string) {
				d := empty(resources.Delegations).(*resources.Delegation)
				d.Metadata.Name, d.Spec = name, resources.DelegationSpec{Task: "write-docs", From: "solo", To: "executor", State: state}
				w.handed[name] = d
			}
			call := Call{Tool: "Agent", Action: Delegate, To: "executor", Session: "s1", Names: []resources.Key{{Kind: resources.Delegations, Name: "d1"}}}
			if tc.state != "" {
				give("d1", tc.state)
			}
			if tc.more != "" {
				give(tc.more, "assigned")
				call.Names = append(call.Names, resources.Key{Kind: resources.Delegations, Name: tc.more})
			}
			v := Decide(call, w)
			assert.NotEqual(t, Deny, v.Outcome)
			if tc.want == "" {
				assert.Empty(t, v.Advice)
			} else {
				assert.Equal(t, "iDumb: "+tc.want, v.Advice)
			}
		})
	}
}
