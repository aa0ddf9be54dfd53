package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/resources"
)

// TestActions calls every action of every tool once, in an order in which each
// finds what it needs.
func TestActions(t *testing.T) {
	root := repository(t)
	require.NoError(t, os.WriteFile(filepath.Join(string(root), "go.mod"), []byte("module x\n"), 0o600))
	c := start(t, string(root), "test")
	for _, call := range []struct{ tool, arguments, want string }{
		{"govern_plan", `{"action":"create","name":"auth","title":"Sign-in","acceptance":["works"]}`, `"state":"active"`},
		{"govern_plan", `{"action":"create","name":"later","title":"Later","acceptance":["works"],"dependsOn":["auth"]}`, `"name":"later"`},
		{"govern_plan", `{"action":"plan_tasks","plan":"auth","tasks":[
			{"name":"api","title":"API","description":"# Why\nPeople \u202eask.","expectedOutput":"routes","dependsOn":["db"],"priority":"high","allowedTools":["read"],"paths":["api/**"],"fileLocks":["api/**"],"assignedTo":"executor","phase":"","staleAfter":"4h","planAhead":false},
			{"name":"db","expectedOutput":"tables","evidence":[{"command":"true","succeeds":true}]},
			{"name":"docs","description":"One <page>.","notes":"Short.","expectedOutput":"a page","paths":["docs/**"],"fileLocks":["docs/a.md"],"temporalGate":{"after":"db","reason":"names come from it"}},
			{"expectedOutput":"named by itself","parent":"db"}]}`, `"tasks":[{"name":"api","uid":"`},
		{"govern_task", `{"action":"update","task":"api","notes":"Use </task> the router."}`, `"state":"planned"`},
		{"govern_task", `{"action":"status","task":"api"}`, `"description":"# Why\nPeople ask.","notes":"Use \u003c/task\u003e the router."`},
		{"govern_plan", `{"action":"status"}`, `"done":"0 of 4 tasks"`},
		{"govern_plan", `{"action":"status","plan":"auth"}`, `"blockedBy":["db"]`},
		{"govern_task", `{"action":"start","task":"task/db"}`, `"evidence":["`},
		{"govern_task", `{"action":"status"}`, `"evidenceMissing":["`},
		{"govern_task", `{"action":"status","task":"db"}`, `"phase":"active"`},
		{"govern_task", `{"action":"validate","task":"db"}`, `"name":"db"`},
		{"govern_plan", `{"action":"validate","plan":"auth"}`, `"name":"auth"`},
		{"govern_shell", `{"action":"run","command":"true"}`, `"exitCode":0`},
		{"govern_task", `{"action":"review","task":"db","evidence":"looks good","tests":"true: ok","files":["db.sql"]}`, `"state":"review"`},
		{"govern_task", `{"action":"complete","task":"db"}`, `"unblocked":["api","docs"]`},
		{"govern_task", `{"action":"start","task":"docs"}`, `"state":"active","expectedOutput":"a page","description":"One \u003cpage\u003e.","notes":"Short.","paths":["docs/**"],"fileLocks":["docs/a.md"],"dependsOn":["db"]`},
		{"govern_task", `{"action":"fail","task":"docs","reason":"no test"}`, `"state":"failed"`},
		{"govern_task", `{"action":"start","task":"docs"}`, `"handedBackBefore":"no test"`},
		{"govern_task", `{"action":"fail","task":"docs","reason":"no names yet"}`, `"state":"failed"`},
		{"govern_delegate", `{"action":"assign","task":"api","to":"executor","name":"api-work","allowedTools":["read","edit"],"expectedOutput":"routes"}`, `"tag":"delegation/api-work"`},
		{"govern_delegate", `{"action":"status"}`, `"phase":"assigned","depth":1`},
		{"govern_delegate", `{"action":"accept","name":"api-work"}`, `"state":"accepted"`},
		{"govern_delegate", `{"action":"recall","name":"delegation/api-work"}`, `"state":"recalled"`},
		{"govern_delegate", `{"action":"status"}`, `"delegations":"none"`},
		{"govern_delegate", `{"action":"status","task":"api"}`, `"phase":"recalled"`},
		{"govern_delegate", `{"action":"assign","task":"api","to":"executor","name":"again"}`, `"task":"api"`},
		{"govern_delegate", `{"action":"done","name":"again"}`, `"state":"done"`},
		{"anchor", `{"action":"create","name":"module","content":"The module is x","type":"decision","priority":"critical","file":"go.mod"}`, `"uid":"`},
		{"anchor", `{"action":"list","type":"decision"}`, `"phase":"fresh"`},
		{"anchor", `{"action":"list","type":"attention"}`, `"anchors":"none"`},
		{"anchor", `{"action":"update","name":"module","content":"The module is y"}`, `"name":"module"`},
		{"anchor", `{"action":"list","type":"decision"}`, `"content":"The module is y"`},
		{"anchor", `{"action":"validate","name":"module"}`, `"uid":"`},
		{"anchor", `{"action":"create","name":"passing","content":"x","type":"attention"}`, `"uid":"`},
		{"anchor", `{"action":"remove","name":"passing"}`, `"state":"archived"`},
		{"anchor", `{"action":"list","type":"attention"}`, `"anchors":"none"`},
		{"mem", `{"action":"save","name":"sqlite","content":"SQLite locks the whole file","type":"gotcha","tags":["db"],"task":"db","confidence":90}`, `"task":"db"`},
		{"mem", `{"action":"flag_false_path","name":"no-orm","avoid":"the ORM","because":"it drops indexes","instead":"write SQL","supersedes":"sqlite"}`, `"uid":"`},
		{"mem", `{"action":"link","name":"no-orm","to":"tasks/api"}`, `"relatedTo":["tasks/api"]`},
		{"mem", `{"action":"recall","query":"which ORM for indexes"}`, `"mems":[{"name":"no-orm","type":"false_path"`},
		{"mem", `{"action":"save","name":"long","content":"` + strings.Repeat("Words that say a lot. ", 40) + `\nThe <end> of it"}`, `"uid":"`},
		{"mem", `{"action":"recall","query":"words that say a lot"}`, `say a lot..."`},
		{"mem", `{"action":"show","name":"mem/long"}`, `say a lot. \nThe \u0026lt;end\u003e of it","recordedAt":"`},
		{"mem", `{"action":"show","name":"no-orm"}`, `"content":"AVOID the ORM BECAUSE`},
		{"mem", `{"action":"recall","query":"kubernetes"}`, `"mems":"none"`},
		{"mem", `{"action":"recall","query":"indexes"}`, `"why":"index `},
		{"mem", `{"action":"save","name":"life","topic":"tokens","content":"Tokens live a day","cues":["session expires","login token","logged out"],"evidence":["go.mod"]}`, `"uid":"`},
		{"mem", `{"action":"save","content":"tokens LIVE a day."}`, `"name":"life"`},
		{"mem", `{"action":"save","content":"tokens LIVE a day."}`, `"duplicates":2`},
		{"mem", `{"action":"save","topic":"Tokens","name":"life2","content":"Tokens live a week"}`, `"replaces":"life"`},
		{"mem", `{"action":"recall","query":"why was I logged out"}`, `"mems":[{"name":"life2"`},
		{"mem", `{"action":"confirm","name":"life2","reason":"read go.mod"}`, `"confirmations":1`},
		{"mem", `{"action":"save","name":"uncued","content":"nothing to find it by"}`, `"notes":["tip: add 3 to 8 cue phrases`},
		{"mem", `{"action":"purge","name":"mem/uncued","reason":"of no use"}`, `"phase":"purged"`},
		{"mem", `{"action":"review"}`, `"mems":"none"`},
		{"govern_plan", `{"action":"create","name":"drafted","title":"Drafted","acceptance":["it is"],"draft":true,"phases":["one","two"],"sotDocument":"go.mod"}`, `"state":"draft"`},
		{"govern_plan", `{"action":"plan_tasks","plan":"drafted","tasks":[{"name":"drafted-first","expectedOutput":"x","phase":"two"}]}`, `"name":"drafted-first"`},
		{"govern_task", `{"action":"start","task":"workplan/drafted"}`, `"state":"active"`},
		{"govern_plan", `{"action":"abandon","plan":"auth","reason":"bought instead"}`, `"state":"abandoned"`},
		{"govern_plan", `{"action":"archive","plan":"auth"}`, `"state":"archived"`},
	} {
		r := c.must(call.tool, call.arguments)
		assert.Contains(t, r.text, call.want, "%s %s", call.tool, call.arguments)
		assert.Less(t, len(r.text), 1500, "answers are short")
	}
	for _, file := range []string{"mems/no-orm", "anchors/module", "archive/delegations/again", "archive/workplans/auth", "archive/tasks/db"} {
		assert.FileExists(t, root.Abs(".idumb/"+file+".json"))
	}
	confirmed, err := os.ReadFile(root.Abs(".idumb/mems/life2.json"))
	require.NoError(t, err)
	assert.Contains(t, string(confirmed), `"by": "agent"`)
}

// TestRefusals: every error says what to do, and where that is a call it works.
func TestRefusals(t *testing.T) {
	for _, tc := range []struct {
		name, tool, arguments string
		why                   string // part of what or why
		instead               string // the start of useInstead
		works                 bool   // useInstead is a call, and that call succeeds
	}{
		{"no arguments", "govern_task", `{}`, `"action" is missing`, "Repeat", false},
		{"no object", "govern_task", `[]`, "no JSON object", "govern_task {", true},
		{"placeholder", "govern_plan", `{"action":"plan_tasks","plan":"auth","tasks":[{"name":"mine","expectedOutput":"(result of the work)"}],"force":true}`, "is a placeholder", "Repeat the call with", false},
		{"unknown action", "govern_task", `{"action":"strat","task":"db"}`, "strat", "Repeat", false},
		{"action is no text", "govern_task", `{"action":1}`, "not a text", "Repeat", false},
		{"unknown argument", "govern_task", `{"action":"start","tsak":"db"}`, `"tsak" is not an argument`, "Repeat", false},
		{"another action's argument", "govern_task", `{"action":"start","task":"db","reason":"x"}`, "not an argument of the action start", "Repeat", false},
		{"the hidden argument", "govern_task", `{"action":"status","_idumb":"x"}`, `"_idumb" is not an argument`, "Repeat", false},
		{"wrong type", "govern_plan", `{"action":"create","title":"x","acceptance":"works"}`, "not a list", "Repeat", false},
		{"unknown field of a task", "govern_plan", `{"action":"plan_tasks","plan":"auth","tasks":[{"expectedOutput":"x","state":"active"}]}`, "tasks[0].state", "Repeat", false},
		{"a task without an output", "govern_plan", `{"action":"plan_tasks","plan":"auth","tasks":[{"name":"x"}]}`, "tasks[0].expectedOutput", "Repeat", false},
		{"no task", "govern_task", `{"action":"start"}`, `without "task"`, `govern_task {"action":"start","task":"db"}`, true},
		{"no reason", "govern_task", `{"action":"fail","task":"db"}`, `without "reason"`, `govern_task {"action":"fail","task":"db","reason"`, true},
		{"no plan", "govern_plan", `{"action":"plan_tasks"}`, `without "plan"`, `govern_plan {"action":"plan_tasks","plan":"auth"`, false},
		{"no tasks", "govern_plan", `{"action":"plan_tasks","plan":"auth","tasks":[]}`, `without "tasks"`, `govern_plan {"action":"plan_tasks","plan":"auth","tasks"`, true},
		{"unknown task", "govern_task", `{"action":"start","task":"bd"}`, "no task", `govern_task {"action":"start","task":"db"}`, true},
		{"a far name", "govern_task", `{"action":"start","task":"something-else"}`, "no task", "govern_plan {", true},
		{"a name that is none", "govern_task", `{"action":"start","task":"../../x"}`, "no task", "govern_plan {", true},
		{"unknown plan", "govern_plan", `{"action":"status","plan":"auht"}`, "no workplan", `govern_plan {"action":"status","plan":"auth"}`, true},
		{"a plan that is there", "govern_plan", `{"action":"create","name":"auth","title":"x","acceptance":["y"]}`, "already", `govern_plan {"action":"create","name":"auth-2"`, true},
		{"blocked", "govern_task", `{"action":"start","task":"api"}`, "blocked by", `govern_task {"action":"start","task":"db"}`, true},
		{"blocked by a task that is not the next", "govern_task", `{"action":"start","task":"late"}`, "blocked by", `govern_task {"action":"start","task":"low"}`, true},
		{"not active", "govern_task", `{"action":"complete","task":"free","evidence":"x"}`, "not active", `govern_task {"action":"start","task":"free"}`, true},
		{"no evidence", "govern_task", `{"action":"complete","task":"going"}`, "nothing shows", `govern_task {"action":"complete","task":"going","evidence"`, true},
		{"unseen evidence", "govern_task", `{"action":"complete","task":"proving","evidence":"I did"}`, "true", `govern_shell {"action":"run","command":"true"}`, true},
		{"over", "govern_task", `{"action":"start","task":"done"}`, "it is completed", `govern_plan {"action":"plan_tasks","plan":"auth"`, true},
		{"open tasks", "govern_plan", `{"action":"archive","plan":"auth"}`, "not all of its tasks", `govern_plan {"action":"status","plan":"auth"}`, true},
		{"a circle", "govern_plan", `{"action":"plan_tasks","plan":"auth","tasks":[{"name":"a","expectedOutput":"x","dependsOn":["b"]},{"name":"b","expectedOutput":"x","dependsOn":["a"]}]}`, "", "Repeat", false},
		{"a dependency that is not there", "govern_plan", `{"action":"plan_tasks","plan":"auth","tasks":[{"name":"a","expectedOutput":"x","dependsOn":["nothing"]}]}`, "nothing", "Repeat", false},
		{"a bad name", "govern_plan", `{"action":"create","name":"No Good","title":"x","acceptance":["y"]}`, "No Good", "Repeat", false},
		{"a delegation of nothing", "govern_delegate", `{"action":"assign","task":"nothing-like-it","to":"executor"}`, "no task", "govern_plan {", true},
		{"delegated already", "govern_delegate", `{"action":"assign","task":"free","to":"executor"}`, "has it already", `govern_delegate {"action":"revoke","name":"free-work"}`, true},
		{"upwards", "govern_delegate", `{"action":"assign","task":"db","to":"coordinator"}`, "delegates to", `govern_delegate {"action":"assign","task":"db","to":"executor"}`, true},
		{"to nobody", "govern_delegate", `{"action":"assign","task":"db","to":"nobody"}`, `no role is called "nobody"`, `govern_delegate {"action":"assign","task":"db","to":"executor"}`, true},
		{"a delegation that is over", "govern_delegate", `{"action":"accept","name":"old"}`, "it is done", `govern_delegate {"action":"status"}`, true},
		{"unknown delegation", "govern_delegate", `{"action":"recall","name":"free-wrok"}`, "no delegation", `govern_delegate {"action":"revoke","name":"free-work"}`, true},
		{"research that cannot start", "govern_delegate", `{"action":"research","task":"db","question":"who?"}`, "You tried to start a researcher.", "Find it out yourself", false},
		{"an anchor to no file", "anchor", `{"action":"create","content":"x","file":"no/such.go"}`, "no file", `anchor {"action":"create","content":"x"}`, true},
		{"no mem to show", "mem", `{"action":"show","name":"no-orn"}`, "no mem", `mem {"action":"recall","query":"no-orn"}`, true},
		{"unknown mem", "mem", `{"action":"link","name":"nothing","to":"tasks/db"}`, "no mem", `mem {"action":"recall"`, true},
		{"a link to nothing", "mem", `{"action":"link","name":"m","to":"tasks/nothing"}`, "nothing", "Repeat", false},
		{"a mem that is replaced already", "mem", `{"action":"confirm","name":"then"}`, "\"now\" supersedes it", `mem {"action":"recall"`, true},
		{"a false path is not purged", "mem", `{"action":"purge","name":"trap","reason":"x"}`, "it records a failed approach", `mem {"action":"save"`, false},
		{"a false path without a reason", "mem", `{"action":"save","content":"it is fine now","supersedes":"trap"}`, "is a false path", `mem {"action":"save","content":"it is fine now","supersedes":"trap","reason":"why it is no longer in effect"}`, true},
		{"a part that is not there", "mem", `{"action":"save","content":"x","evidence":["seen",".idumb/README.md#The flies"]}`, "has no part that is called", `mem {"action":"save","content":"x","evidence":["seen",".idumb/README.md#The files"]}`, true},
		{"a number out of bounds", "mem", `{"action":"save","content":"x","confidence":101}`, "0 to 100", "Repeat", false},
		{"a shell line without a task", "govern_shell", `{"action":"run","command":"echo x > new.txt"}`, "", "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := repository(t)
			c := start(t, string(root), "test")
			prepare(c)
			r := c.call(tc.tool, tc.arguments)
			require.Equal(t, "error", r.Status, r.text)
			assert.Contains(t, r.What+" "+r.Why, tc.why, r.text)
			assert.True(t, strings.HasPrefix(r.UseInstead, tc.instead), r.text)
			if tc.works {
				done := c.do(r.UseInstead)
				assert.Equal(t, "success", done.Status, "%s: %s", r.UseInstead, done.text)
			}
		})
	}
}

// TestRefusalWithoutNext: if no task can be started, the next step shows the state of all.
func TestRefusalWithoutNext(t *testing.T) {
	c := start(t, string(repository(t)), "test")
	c.must("govern_plan", `{"action":"create","name":"auth","title":"Sign-in","acceptance":["works"]}`)
	c.must("govern_plan", `{"action":"plan_tasks","plan":"auth","tasks":[{"name":"api","expectedOutput":"x"}]}`)
	c.must("govern_task", `{"action":"start","task":"api"}`)
	c.must("govern_task", `{"action":"review","task":"api"}`)
	c.must("govern_plan", `{"action":"create","name":"later","title":"Later","acceptance":["works"],"dependsOn":["auth"]}`)
	c.must("govern_plan", `{"action":"plan_tasks","plan":"later","tasks":[{"name":"late","expectedOutput":"x"}]}`)
	r := c.call("govern_task", `{"action":"start","task":"late"}`)
	require.Equal(t, "error", r.Status, r.text)
	assert.Equal(t, `govern_task {"action":"status"}`, r.UseInstead)
	assert.Equal(t, "success", c.do(r.UseInstead).Status)
}

// prepare makes tasks in every state that a refusal is about.
func prepare(c *client) {
	c.must("govern_plan", `{"action":"create","name":"auth","title":"Sign-in","acceptance":["works"]}`)
	c.must("govern_plan", `{"action":"plan_tasks","plan":"auth","tasks":[
		{"name":"api","expectedOutput":"routes","dependsOn":["db"]},{"name":"db","expectedOutput":"tables","priority":"critical"},
		{"name":"low","expectedOutput":"x","priority":"low"},{"name":"late","expectedOutput":"x","priority":"low","dependsOn":["low"]},
		{"name":"free","expectedOutput":"x"},{"name":"going","expectedOutput":"x"},{"name":"done","expectedOutput":"x"},
		{"name":"proving","expectedOutput":"x","evidence":[{"command":"true","succeeds":true}]}]}`)
	for _, task := range []string{"done"} {
		c.must("govern_task", `{"action":"start","task":"`+task+`"}`)
		c.must("govern_task", `{"action":"complete","task":"`+task+`","evidence":"seen"}`)
	}
	c.must("govern_task", `{"action":"start","task":"going"}`)
	c.must("govern_task", `{"action":"start","task":"proving"}`)
	c.must("govern_task", `{"action":"review","task":"proving"}`)
	c.must("govern_task", `{"action":"review","task":"going"}`)
	c.must("govern_delegate", `{"action":"assign","task":"free","to":"executor","name":"free-work"}`)
	c.must("govern_delegate", `{"action":"assign","task":"db","to":"executor","name":"old"}`)
	c.must("govern_delegate", `{"action":"done","name":"old"}`)
	c.must("mem", `{"action":"flag_false_path","name":"trap","avoid":"x","because":"y","instead":"z"}`)
	c.must("mem", `{"action":"save","name":"then","content":"so it was"}`)
	c.must("mem", `{"action":"save","name":"now","content":"so it is","supersedes":"then"}`)
	c.must("mem", `{"action":"save","name":"m","content":"something"}`)
}

// TestTasksOfOneCallAreAllOrNone: nothing is written if one of them is refused.
func TestTasksOfOneCallAreAllOrNone(t *testing.T) {
	root := repository(t)
	c := start(t, string(root), "test")
	c.must("govern_plan", `{"action":"create","name":"auth","title":"Sign-in","acceptance":["works"]}`)
	r := c.call("govern_plan", `{"action":"plan_tasks","plan":"auth","tasks":[{"name":"good","expectedOutput":"x"},{"name":"bad","expectedOutput":"x","dependsOn":["nothing"]}]}`)
	assert.Equal(t, "error", r.Status)
	assert.NoFileExists(t, root.Abs(".idumb/tasks/good.json"))
	assert.NoFileExists(t, root.Abs(".idumb/tasks/bad.json"))
	r = c.call("govern_plan", `{"action":"plan_tasks","plan":"auth","tasks":[{"name":"twice","expectedOutput":"x"},{"name":"twice","expectedOutput":"y"}]}`)
	assert.Equal(t, "error", r.Status)
	assert.NoFileExists(t, root.Abs(".idumb/tasks/twice.json"))
}

// TestRights: who calls is what the gate recorded, and roles bind the tools as they
// bind the commands.
func TestRights(t *testing.T) {
	root := repository(t)
	setup := start(t, string(root), "test")
	planned(setup)
	for _, tc := range []struct {
		role, tool, arguments string
		allowed               bool
	}{
		{"coordinator", "govern_task", `{"action":"start","task":"db-schema"}`, false},
		{"coordinator", "govern_plan", `{"action":"create","title":"x","acceptance":["y"]}`, true},
		{"executor", "govern_plan", `{"action":"create","title":"x","acceptance":["y"]}`, false},
		{"executor", "govern_delegate", `{"action":"assign","task":"db-schema","to":"investigator"}`, false},
		{"executor", "anchor", `{"action":"create","content":"x"}`, false},
		{"executor", "anchor", `{"action":"list"}`, true},
		{"executor", "mem", `{"action":"save","content":"x"}`, true},
		{"investigator", "govern_plan", `{"action":"create","title":"x","acceptance":["y"]}`, false},
		{"investigator", "govern_task", `{"action":"status"}`, true},
		{"executor", "govern_task", `{"action":"start","task":"db-schema"}`, true},
		{"executor", "govern_task", `{"action":"fail","task":"db-schema","reason":"x"}`, true},
	} {
		t.Run(tc.role+" "+tc.tool+" "+tc.arguments, func(t *testing.T) {
			require.NoError(t, callers.Record(root, "toolu_1", callers.Caller{Host: "claude", Session: "s1", Agent: tc.role, Role: tc.role, Time: time.Now()}))
			r := setup.callAs("toolu_1", tc.tool, tc.arguments)
			assert.Equal(t, tc.allowed, r.Status == "success", r.text)
			if !tc.allowed {
				assert.Contains(t, r.text, tc.role)
			}
		})
	}
	t.Run("a coordinator's way out is to delegate", func(t *testing.T) {
		c := start(t, string(root), "test")
		require.NoError(t, callers.Record(root, "toolu_2", callers.Caller{Host: "claude", Session: "s1", Role: "coordinator", Time: time.Now()}))
		c.must("govern_plan", `{"action":"plan_tasks","plan":"user-auth","tasks":[{"name":"docs","expectedOutput":"a page"}]}`)
		r := c.callAs("toolu_2", "govern_task", `{"action":"start","task":"docs"}`)
		require.Equal(t, "error", r.Status)
		require.True(t, strings.HasPrefix(r.UseInstead, `govern_delegate {"action":"assign","task":"docs","to":"executor"}`), r.text)
		assert.Equal(t, "success", c.do(r.UseInstead).Status)

		c.must("govern_plan", `{"action":"plan_tasks","plan":"user-auth","tasks":[{"name":"index","expectedOutput":"a list"},{"name":"later","expectedOutput":"x","dependsOn":["index"]}]}`)
		r = c.call("govern_delegate", `{"action":"assign","task":"later","to":"executor"}`)
		assert.Contains(t, r.Why, "it waits for index", "what is blocked is handed to nobody: %s", r.text)
		assert.Equal(t, `govern_delegate {"action":"assign","task":"index","to":"executor"}`, r.UseInstead)
		r = c.do(r.UseInstead)
		assert.Contains(t, r.text, "Start the subagent idumb-executor with delegation/", "as the host knows it")
	})
}

// TestDelegationsAreTheirGivers: a step in a delegation is for who gave it or works
// under it, and a delegate starts no task but its own.
func TestDelegationsAreTheirGivers(t *testing.T) {
	root := repository(t)
	c := start(t, string(root), "test")
	planned(c)
	delegate := `{"spec":{"host":"claude","agent":"executor","parent":"s1","delegation":"work","activeTask":"db-schema"}}`
	require.NoError(t, root.Replace(".idumb/sessions/s1.json", []byte(`{"spec":{"host":"claude"}}`)))
	require.NoError(t, root.Replace(".idumb/sessions/s2.json", []byte(`{"spec":{"host":"claude"}}`)))
	by := func(id, session, agent, tool, arguments string) reply {
		require.NoError(t, callers.Record(root, id, callers.Caller{Host: "claude", Session: session, Agent: agent, Time: time.Now()}))
		return c.callAs(id, tool, arguments)
	}
	const assign = `{"action":"assign","task":"db-schema","to":"executor","name":"work"}`
	require.Equal(t, "success", by("toolu_given", "s1", "", "govern_delegate", assign).Status)
	assert.Equal(t, `govern_delegate {"action":"status","task":"db-schema"}`, by("toolu_again", "s2", "", "govern_delegate", `{"action":"assign","task":"db-schema","to":"executor"}`).UseInstead, "it may not recall it")
	require.NoError(t, root.Replace(".idumb/sessions/s1.a.json", []byte(delegate)))
	for i, tc := range []struct {
		who, agent, tool, arguments string
		allowed                     bool
	}{
		{"s1.a", "executor", "govern_delegate", `{"action":"revoke","name":"work"}`, false},
		{"s1.a", "executor", "govern_delegate", `{"action":"recall","name":"work"}`, false}, // the former name
		{"s1.a", "executor", "govern_delegate", `{"action":"accept","name":"work"}`, true},
		{"s1.a", "executor", "govern_task", `{"action":"start","task":"login-form"}`, false},
		{"s1.a", "executor", "govern_task", `{"action":"start","task":"db-schema"}`, true},
		{"s2", "", "govern_delegate", `{"action":"recall","name":"work"}`, false},
		{"s1", "", "govern_delegate", `{"action":"revoke","name":"work"}`, true},
	} {
		t.Run(tc.who+" "+tc.arguments, func(t *testing.T) {
			r := by(fmt.Sprintf("toolu_%d", i), tc.who, tc.agent, tc.tool, tc.arguments)
			assert.Equal(t, tc.allowed, r.Status == "success", r.text)
			if !tc.allowed {
				assert.Contains(t, strings.ToLower(r.What+r.Why), "delegation", "and for no other reason")
			}
		})
	}
}

// TestWhoCalls: each host says in its own way which call this is, and what a model
// writes counts for nothing.
func TestWhoCalls(t *testing.T) {
	for _, tc := range []struct {
		name, client     string
		meta, arguments  string
		known, malformed bool
	}{
		{"Claude Code", "claude-code", `{"claudecode/toolUseId":"call_1"}`, ``, true, false},
		{"Codex", "codex-mcp-client", `{"callId":"call_1","sessionId":"x"}`, ``, true, false},
		{"OpenCode", "opencode", `{"progressToken":3}`, `,"_idumb":"call_1"`, true, false},
		{"OpenCode, by what a model might find", "opencode", `{"callId":"call_1"}`, ``, false, false},
		{"OpenCode, with something else", "opencode", `{}`, `,"_idumb":{"session":"s1"}`, false, false},
		{"Claude Code, by an argument", "claude-code", `{}`, `,"_idumb":"call_1"`, false, true},
		{"another call", "claude-code", `{"claudecode/toolUseId":"call_2"}`, ``, false, false},
		{"an id that is no text", "claude-code", `{"claudecode/toolUseId":7}`, ``, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := repository(t)
			c := start(t, string(root), tc.client)
			planned(c)
			require.NoError(t, callers.Record(root, "call_1", callers.Caller{Host: "h", Session: "s1", Time: time.Now()}))
			m := c.ask("tools/call", map[string]any{"name": "govern_task", "_meta": json.RawMessage(tc.meta),
				"arguments": json.RawMessage(`{"action":"start","task":"db-schema"` + tc.arguments + `}`)})
			require.Nil(t, m.Error)
			require.Equal(t, tc.malformed, readReply(t, m.Result).Status == "error")
			data, _, err := root.ReadSpec(resources.Key{Kind: resources.Sessions, Name: "s1"})
			assert.Equal(t, tc.known, err == nil, "the session has a record if and only if it is known who called")
			if tc.known {
				assert.Contains(t, string(data), `"activeTask": "db-schema"`)
			}
		})
	}
}

// TestWhoCallsWithoutAnID: Copilot and Gemini send no id of a call. The hook and the server know it by its
// arguments, also where the server knows the action by another name.
func TestWhoCallsWithoutAnID(t *testing.T) {
	for _, action := range []string{"revoke", "recall"} {
		root := repository(t)
		c := start(t, string(root), "gemini-cli-mcp-client-idumb")
		planned(c)
		call := func(session string, args map[string]any) reply {
			data, err := json.Marshal(args)
			require.NoError(t, err)
			var seen map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(data, &seen))
			require.NoError(t, callers.Record(root, callers.CallID("govern_delegate", seen), callers.Caller{Host: "gemini", Session: session, Time: time.Now()}))
			return readReply(t, c.ask("tools/call", map[string]any{"name": "govern_delegate", "arguments": args}).Result)
		}
		require.NoError(t, root.Replace(".idumb/sessions/s1.json", []byte(`{"spec":{"host":"gemini"}}`)))
		require.Equal(t, "success", call("s1", map[string]any{"action": "assign", "task": "db-schema", "to": "executor", "name": "work"}).Status)
		assert.Equal(t, "error", call("s2", map[string]any{"action": action, "name": "work"}).Status, "another session")
		r := call("s1", map[string]any{"action": action, "name": "work"})
		assert.Equal(t, "success", r.Status, r.text)
	}
}

func TestShell(t *testing.T) {
	root := repository(t)
	c := start(t, string(root), "test")
	planned(c)
	c.must("govern_task", `{"action":"start","task":"db-schema"}`)

	r := c.must("govern_shell", `{"action":"run","command":"git status; echo seen; exit 3"}`)
	assert.Equal(t, 3, r.ExitCode)
	assert.Contains(t, r.Output, "seen")

	r = c.must("govern_shell", `{"action":"run","command":"make -n nothing"}`)
	assert.NotZero(t, r.ExitCode)
	log, _, err := root.ReadSpec(resources.Key{Kind: resources.CheckpointsKind, Name: "db-schema"})
	require.NoError(t, err)
	assert.Contains(t, string(log), `"command":"make -n nothing"`)
	assert.Contains(t, string(log), `"succeeded":false`)

	r = c.must("govern_shell", `{"action":"run","command":"i=0; while [ $i -lt 5000 ]; do echo line $i; i=$((i+1)); done; printf '\\033[31mred\\033[0m'"}`)
	assert.Less(t, len(r.Output), 4200)
	assert.True(t, strings.HasPrefix(r.Output, "line 0\n"))
	assert.True(t, strings.HasSuffix(r.Output, "line 4999\nred"))
	assert.Contains(t, r.Output, "left out")

	r = c.call("govern_shell", `{"action":"run","command":"echo x > .idumb/config.json"}`)
	assert.Equal(t, "error", r.Status)
	assert.Contains(t, r.text, ".idumb/config.json")
}

// TestShellEndsAllThatItStarted: at the timeout, and when it is done.
func TestShellEndsAllThatItStarted(t *testing.T) {
	t.Parallel()
	root := repository(t)
	c := start(t, string(root), "test")
	marker := filepath.Join(t.TempDir(), "alive")
	r := c.call("govern_shell", `{"action":"run","command":"(sleep 3; touch `+marker+`) & sleep 3; touch `+marker+`","timeoutSeconds":1}`)
	require.Equal(t, "error", r.Status)
	assert.Contains(t, r.What, "1 s")
	c.must("govern_shell", `{"action":"run","command":"(sleep 3; touch `+marker+`) > /dev/null 2>&1 &"}`)
	time.Sleep(4 * time.Second)
	assert.NoFileExists(t, marker)
}
